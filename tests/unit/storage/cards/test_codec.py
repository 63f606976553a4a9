import base64
import io
import json
import random
import time
import zipfile
import zlib
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.card import Card, CardFile, CardKind
from bot.errors import CardRefused
from bot.storage.cards.codec import MOST_FILE_BYTES, read_avatar, read_card, write_card
from bot.storage.cards.png import plain_picture, with_texts
from tests.unit.storage.cards.making import (
    BOOK,
    CARRIED,
    FILES,
    V1,
    as_charx,
    as_json,
    as_png,
    chunk,
    encoded,
    v2,
    v3,
    with_chunk,
)

WHOLE = v3(character_book=BOOK)
CARDS = {
    "v1 json": as_json(V1),
    "v1 json with bom": b"\xef\xbb\xbf" + as_json(V1),
    "v1 json with a program's own keys": as_json({**V1, "avatar": "none", "chat": "x", "create_date": "2024", "tags": []}),
    "v1 png": as_png(chara=V1),
    "v1 charx": as_charx(V1),
    "v2 json": as_json(v2()),
    "v2 json with a lorebook": as_json(v2(character_book=BOOK)),
    "v2 json without greetings": as_json(v2(alternate_greetings=[], first_mes="")),
    "v2 json with nulls": as_json(v2(character_book=None, tags=None, character_version=2)),
    "v2 png": as_png(chara=v2(character_book=BOOK)),
    "v2 png, packed text": with_chunk(b"zTXt", b"chara\0\0" + zlib.compress(encoded(v2()))),
    "v2 png, international text": with_chunk(b"iTXt", b"Chara\0\0\0en\0\0" + encoded(v2())),
    "v2 png, packed international text": with_chunk(b"iTXt", b"chara\0\1\0\0\0" + zlib.compress(encoded(v2()))),
    "v3 json": as_json(v3()),
    "v3 json with a lorebook": as_json(WHOLE),
    "v3 json of a later minor version": as_json({**WHOLE, "spec_version": "3.1", "app": {"own": 1}}),
    "v3 json in Japanese": as_json(v3(name="九十九", nickname="つくも", description="茶釜👩‍👩‍👧の付喪神🏴\U000e0067\U000e0062\U000e007f")),
    "v3 png with both versions": as_png(chara=v2(name="Old"), ccv3=WHOLE),
    "v3 png with files": with_texts(
        as_png(ccv3=v3(assets=[{"type": "emotion", "uri": "__asset:sad", "name": "sad", "ext": "webp"}])),
        [("chara-ext-asset_:sad", base64.b64encode(b"RIFF"))],
    ),
    "v3 charx": as_charx(WHOLE),
    "v3 charx with files": as_charx(v3(assets=CARRIED, character_book=BOOK), FILES),
    "v3 charx behind a picture": b"\xff\xd8\xff\xe0 a jpeg" + as_charx(WHOLE),
}


@pytest.mark.parametrize("data", [pytest.param(data, id=name) for name, data in CARDS.items()])
def test_a_card_that_goes_out_and_comes_back_is_equal_in_every_kind(data: bytes) -> None:
    card = read_card(data)

    for kind in CardKind:
        if card.files and kind is CardKind.JSON:
            continue
        again = write_card(card, kind, avatar=read_avatar(data) or None) if kind is CardKind.PNG else write_card(card, kind)
        assert read_card(again) == card
        assert write_card(read_card(again), kind) == write_card(card, kind)


def test_nothing_of_a_card_is_lost_in_its_json() -> None:
    written = json.loads(write_card(read_card(as_json(WHOLE)), CardKind.JSON))

    assert written == WHOLE


def test_the_newer_version_in_a_picture_wins() -> None:
    assert read_card(CARDS["v3 png with both versions"]).name == "Iris"


def test_older_programs_find_version_2_in_a_picture() -> None:
    data = write_card(read_card(as_json(WHOLE)), CardKind.PNG)

    text = base64.b64decode(data.split(b"tEXtchara\0")[1].split(b"=")[0][:40])

    assert b'"spec":"chara_card_v2"' in text


def test_the_picture_comes_back_without_any_text_in_it() -> None:
    place = with_chunk(b"tEXt", b"Comment\0taken at home")
    card = write_card(Card("Iris"), CardKind.PNG, avatar=place)

    assert read_avatar(card) == plain_picture()
    assert b"at home" not in card
    assert read_avatar(CARDS["v3 charx with files"]) == plain_picture()
    assert read_avatar(CARDS["v3 json"]) == b""


def test_an_avatar_is_the_main_icon_of_a_charx() -> None:
    data = write_card(read_card(as_json(v3())), CardKind.CHARX, avatar=plain_picture())

    assert read_avatar(data) == plain_picture()
    assert write_card(read_card(data), CardKind.CHARX, avatar=plain_picture()) == data


def test_characters_that_nobody_sees_are_taken_out() -> None:
    card = read_card(as_json({**V1, "description": "a\0b\u202ec\u200bd\U000e0041e\r\n<script>alert(1)</script>", "x\u200b": "\ufeff"}))

    assert card.description == "abcde\n<script>alert(1)</script>"
    assert card.kept == '{"x":""}'


def test_halves_of_characters_do_no_harm() -> None:
    assert read_card(b'{"name":"a\\ud800","description":"","x":"\\udc00"}').name == "a?"


def zipped(*entries: tuple[str, bytes], **info: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in entries:
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = info.get("mode", 0o644) << 16
            archive.writestr(entry, content)
    return target.getvalue()


def locked(data: bytes) -> bytes:
    """Return an archive whose first entry says that it is encrypted."""
    place = data.index(b"PK\x01\x02") + 8
    return data[:place] + b"\1" + data[place + 1 :]


CARD = ("card.json", as_json(WHOLE))
GOOD_PNG = as_png(chara=v2())
REFUSED = {
    "nothing": (b"", "neither PNG"),
    "text": (b"hello", "neither PNG"),
    "too big": (b"{" + b" " * MOST_FILE_BYTES, "bytes"),
    "too much text": (as_json({**V1, "x": "y" * 2_000_000}), "bytes of text"),
    "broken json": (b'{"name": ', "no JSON"),
    "a list in a picture": (as_png(chara=[1]), "no JSON object"),
    "no card": (b'{"a": 1}', "no character card"),
    "unknown version": (as_json({**WHOLE, "spec": "chara_card_v9"}), "chara_card_v9"),
    "no data": (b'{"spec": "chara_card_v2", "data": 3}', "`data`"),
    "no name": (as_json({**V1, "name": " "}), "`name`"),
    "name of a wrong kind": (as_json({**V1, "name": 3}), "`name` must be a text, but it is a number"),
    "greetings of a wrong kind": (as_json(v2(alternate_greetings=["a", {}])), r"`data.alternate_greetings\[2\]`"),
    "book of a wrong kind": (as_json(v2(character_book="x")), "character_book"),
    "entry of a wrong kind": (as_json(v2(character_book={"entries": [1]})), r"entries\[1\]"),
    "order of a wrong kind": (as_json(v2(character_book={"entries": [{"insertion_order": "1"}]})), "insertion_order"),
    "asset of a wrong kind": (as_json(v3(assets=[{"uri": 1}])), "uri"),
    "doubled key": (b'{"name":"a","name":"b","description":""}', "twice"),
    "doubled key once cleaned": ('{"name":"a","name\u200b":"b","description":""}'.encode(), "twice"),
    "deep list": (b'{"name":"a","x":' + b"[" * 40 + b"]" * 40 + b"}", "deep"),
    "endless depth": (b'{"name":"a","x":' + b'{"a":' * 100_000, "deep"),
    "huge number": (b'{"name":"a","description":"","x":' + b"9" * 5000 + b"}", "digits"),
    "infinite number": (b'{"name":"a","description":"","x":1e999}', "too big"),
    "not a number": (b'{"name":"a","description":"","x":NaN}', "NaN"),
    "too many values": (b'{"name":"a","description":"","x":[' + b"0," * 60_000 + b"0]}", "values"),
    "too many entries": (as_json(v2(character_book={"entries": [{}] * 2_001})), "2,001 items"),
    "long text": (as_json({**V1, "scenario": "x" * 200_001}), "`scenario` has"),
    "not utf-8": (b'{"name":"\xff"}', "UTF-8"),
    "picture without a card": (plain_picture(), "without a card"),
    "cut picture": (GOOD_PNG[:-20], "cut off"),
    "damaged picture": (GOOD_PNG.replace(b"tEXtchara", b"tEXtcharb"), "checksum"),
    "no base64": (with_chunk(b"tEXt", b"chara\0***"), "base64"),
    "packed bomb in a picture": (with_chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"a" * 30_000_000)), "unpacks"),
    "broken packing in a picture": (with_chunk(b"zTXt", b"chara\0\0nonsense"), "damaged"),
    "huge picture": (plain_picture()[:8] + chunk(b"IHDR", b"\x7f\xff\xff\xff" * 2 + b"\x08\x02\0\0\0") + plain_picture()[33:], "pixels"),
    "many chunks": (plain_picture()[:33] + chunk(b"tEXt", b"a\0b") * 20_001 + plain_picture()[33:], "parts"),
    "unsafe name in a picture": (with_texts(GOOD_PNG, [("chara-ext-asset_:../x", b"")]), "unsafe"),
    "broken archive": (as_charx(WHOLE)[:-30], "sound ZIP"),
    "archive without a card": (zipped(("a.txt", b"x")), "card.json"),
    "bomb": (zipped(CARD, ("b", bytes(20_000_000))), "times its size"),
    "many harmless bombs": (zipped(CARD, *((f"b{number}", bytes(900_000)) for number in range(40))), "unpacks to"),
    "many files": (zipped(CARD, *((f"{number}", b"") for number in range(400))), "files"),
    "archive in an archive": (zipped(CARD, ("inner.zip", zipped(CARD))), "another archive"),
    "way out": (zipped(CARD, ("../../etc/passwd", b"x")), "unsafe"),
    "absolute path": (zipped(CARD, ("/etc/passwd", b"x")), "unsafe"),
    "windows path": (zipped(CARD, ("C:\\x", b"x")), "unsafe"),
    "direction tricks in a path": (zipped(CARD, ("a\u202egnp.exe", b"x")), "unsafe"),
    "symbolic link": (zipped(CARD, mode=0o120777), "unsafe"),
    "doubled file": (zipped(CARD, ("a", b"1"), ("A", b"2")), "two files"),
    "locked archive": (locked(zipped(CARD)), "password"),
}


@pytest.mark.parametrize(("data", "reason"), [pytest.param(*case, id=name) for name, case in REFUSED.items()])
def test_a_hostile_or_broken_card_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    before = time.perf_counter()

    with pytest.raises(CardRefused, match=reason):
        read_card(data)

    assert time.perf_counter() - before < 2


@pytest.mark.parametrize(
    ("card", "kind", "avatar", "reason"),
    [
        (Card("a", files=(CardFile("x", b""),)), CardKind.JSON, None, "CHARX"),
        (Card("a", files=(CardFile("é", b""),)), CardKind.PNG, None, "CHARX"),
        (Card("a"), CardKind.PNG, b"\xff\xd8\xff", "no PNG"),
    ],
)
def test_what_a_kind_cannot_hold_is_said(card: Card, kind: CardKind, avatar: bytes | None, reason: str) -> None:
    with pytest.raises(CardRefused, match=reason):
        write_card(card, kind, avatar=avatar)


@settings(max_examples=60, deadline=2000, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(sorted(CARDS)), seed=st.integers(0, 10**6), count=st.integers(1, 12))
def test_bytes_changed_anywhere_give_a_card_or_a_refusal(name: str, seed: int, count: int) -> None:
    drawn = random.Random(seed)
    data = bytearray(CARDS[name])
    for _ in range(count):
        place = drawn.randrange(len(data))
        data[place : place + drawn.choice([0, 1, 1, 1, 9])] = drawn.choice([b"", b"\0", b"[", b'"', b"{", bytes([drawn.randrange(256)])])

    with suppress(CardRefused):
        assert isinstance(read_card(bytes(data)), Card)
