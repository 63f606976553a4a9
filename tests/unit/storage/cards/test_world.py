"""Lorebooks in a file of their own are read as those in cards are."""

import json

import pytest

from bot.domain.lore import LoreEntry, LorePosition, SecondaryLogic
from bot.errors import CardRefused
from bot.storage.cards.persona_files import lore_in

WORLD = {
    "entries": {
        "0": {
            "uid": 0,
            "key": ["sea", "ocean"],
            "keysecondary": ["storm"],
            "comment": "Sea",
            "content": "It is deep.",
            "constant": False,
            "selective": True,
            "selectiveLogic": 3,
            "order": 7,
            "position": 0,
            "disable": True,
            "scanDepth": 2,
            "caseSensitive": None,
            "matchWholeWords": True,
            "excludeRecursion": True,
            "preventRecursion": False,
            "probability": 100,
        },
        "1": {"uid": 1, "key": [], "content": "Always.", "constant": True, "position": 4},
    }
}


def test_world_info_is_read_entry_by_entry() -> None:
    book = lore_in(json.dumps(WORLD).encode())

    assert book is not None
    assert book.entries == (
        LoreEntry(
            content="It is deep.",
            keys=("sea", "ocean"),
            secondary_keys=("storm",),
            logic=SecondaryLogic.ALL,
            name="Sea",
            enabled=False,
            order=7,
            position=LorePosition.BEFORE,
            whole_words=True,
            scan_depth=2,
            ignores_lore=True,
        ),
        LoreEntry(content="Always.", constant=True),
    )


def test_the_formats_own_lorebook_is_read_and_cards_are_none() -> None:
    book = lore_in(json.dumps({"spec": "lorebook_v3", "data": {"entries": [{"keys": ["a"], "content": "b"}]}}).encode())

    assert book is not None
    assert book.entries == (LoreEntry(content="b", keys=("a",)),)
    assert lore_in(b'{"name": "Tom", "description": "x", "first_mes": "y"}') is None
    assert lore_in(b"\x89PNG") is None


@pytest.mark.parametrize("entries", [{}, {"0": "x"}, {"0": {"key": 5}}])
def test_what_is_broken_is_refused(entries: object) -> None:
    with pytest.raises(CardRefused):
        lore_in(json.dumps({"entries": entries}).encode())
