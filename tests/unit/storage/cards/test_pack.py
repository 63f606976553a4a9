import json
from dataclasses import replace

import pytest

from bot.domain.lore import Lorebook, LoreEntry
from bot.domain.persona import Avatar, Persona
from bot.errors import CardRefused
from bot.storage.cards.archive import packed, unpacked
from bot.storage.cards.codec import read_card
from bot.storage.cards.pack import Pack, read_pack, write_pack
from bot.storage.cards.persona import persona_of
from bot.storage.cards.png import plain_picture
from bot.testing.factories import a_persona
from tests.unit.storage.cards.making import BOOK, as_json, v3, with_chunk

LORE = Lorebook((LoreEntry("The mill burned.", keys=("mill",), constant=True),), scan_depth=2)
IMPORTED = persona_of(read_card(as_json(v3(character_book=BOOK))))
TEXT = b"---\nname: Iris\ngreeting: Hello\n---\nYou are Iris."


@pytest.mark.parametrize(
    "pack",
    [
        pytest.param(Pack(a_persona()), id="a plain persona"),
        pytest.param(Pack(replace(a_persona(), lore=LORE), Avatar("image/png", plain_picture())), id="with lore and avatar"),
        pytest.param(Pack(IMPORTED, Avatar("image/webp", b"RIFF1234WEBP")), id="with a card"),
    ],
)
def test_a_pack_brings_the_same_persona_elsewhere(pack: Pack) -> None:
    assert read_pack(write_pack(pack)) == pack


def test_a_pack_is_one_archive_with_files_that_others_can_read() -> None:
    files = unpacked(write_pack(Pack(replace(IMPORTED, lore=LORE), Avatar("image/png", plain_picture()))), "the pack")

    assert list(files) == ["iris.md", "lore.json", "card.json", "avatar.png"]
    assert json.loads(files["lore.json"])["spec"] == "lorebook_v3"
    assert json.loads(files["card.json"])["spec"] == "chara_card_v3"


def test_an_avatar_loses_what_is_told_in_it() -> None:
    picture = Avatar("image/png", with_chunk(b"tEXt", b"Comment\0taken at home"))

    assert read_pack(write_pack(Pack(a_persona(), picture))).avatar == Avatar("image/png", plain_picture())


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "no persona pack"),
        ({"iris.md": TEXT, "rook.md": TEXT}, "no persona pack"),
        ({"iris.md": TEXT, "run.exe": b"MZ"}, "no persona pack"),
        ({"iris.md": TEXT, "avatar.png": b"<svg>"}, "must be a PNG"),
        ({"iris.md": TEXT, "avatar.svg": b"<svg>"}, "must be a PNG"),
        ({"Iris!.md": TEXT}, "cannot be a persona's id"),
        ({"iris.md": b"You are Iris."}, "line 1"),
        ({"iris.md": b"---\nname: \xff\n---\nx"}, "UTF-8"),
        ({"iris.md": b"---\na: &a [1]\nb: [*a, *a]\n---\nx"}, "anchors"),
        ({"iris.md": b"---\nname: " + b"[" * 50_000 + b"\n---\nx"}, "too long"),
        ({"iris.md": TEXT + b"x" * 300_001}, "Shorten it"),
        ({"iris.md": TEXT, "lore.json": b"{}"}, "no lorebook"),
        ({"iris.md": TEXT, "lore.json": b'{"spec":"lorebook_v3","data":{"entries":{}}}'}, "entries"),
        ({"iris.md": TEXT, "card.json": b"{}"}, "no character card"),
    ],
)
def test_a_broken_or_hostile_pack_is_refused_with_its_reason(files: dict[str, bytes], reason: str) -> None:
    with pytest.raises(CardRefused, match=reason):
        read_pack(packed(files))


def test_what_is_no_archive_is_no_pack() -> None:
    with pytest.raises(CardRefused, match="sound ZIP"):
        read_pack(b"PK\x03\x04")


def test_a_picture_of_an_unknown_kind_does_not_go_out() -> None:
    with pytest.raises(CardRefused, match="image/svg"):
        write_pack(Pack(Persona("a", "A", "b", "c"), Avatar("image/svg+xml", b"<svg>")))
