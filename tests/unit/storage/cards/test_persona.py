from dataclasses import replace

import pytest

from bot.domain.card import Card, CardFile
from bot.domain.lore import Lorebook, LoreEntry
from bot.domain.persona import Example, Persona
from bot.storage.cards.codec import read_card
from bot.storage.cards.persona import card_of, persona_of
from bot.storage.persona_text import persona_from, text_of
from bot.testing.factories import a_persona
from tests.unit.storage.cards.making import BOOK, V1, as_json, v3

CARD = read_card(as_json(v3(character_book=BOOK)))


def test_a_card_becomes_a_persona_with_all_that_has_a_place_there() -> None:
    persona = persona_of(CARD)

    assert (persona.id, persona.name) == ("iris", "Ri")
    assert persona.voice == "{{char}} sells flowers.\n\nPersonality: calm\n\nScenario: A shop at dawn."
    assert (persona.greeting, persona.greetings) == ("Hello, {{user}}.", ("Morning!", "Evening, {{user}}."))
    assert persona.examples == (Example("Hi", "Hello, you.\nCome in."),)
    assert (persona.instructions, persona.reminder, persona.summary) == ("{{original}} Be brief.", "Stay kind.", "For rainy days")
    assert [entry.keys for entry in persona.lore.entries] == [("mill", "水車"), ("/dragons?/i",), ()]


def test_a_persona_gives_its_card_back_as_it_was() -> None:
    assert card_of(persona_of(CARD, "other")) == CARD


def test_a_persona_file_keeps_all_of_an_imported_card() -> None:
    persona = persona_of(CARD)

    assert persona_from("iris", text_of(persona)) == persona


def test_a_changed_persona_gives_the_change_and_the_rest_of_its_card() -> None:
    persona = persona_of(CARD)
    entries = (*persona.lore.entries[:1], LoreEntry("New.", keys=("new",)))
    changed = replace(persona, name="Vera", voice="Loud.", lore=replace(persona.lore, entries=entries), greetings=())

    card = card_of(changed)

    assert (card.name, card.nickname, card.description, card.scenario) == ("Iris", "Vera", "Loud.", "")
    assert (card.alternate_greetings, card.creator, card.extensions) == ((), "ada", CARD.extensions)
    assert card.book is not None
    assert card.book.entries[0].kept == CARD.book.entries[0].kept if CARD.book else ""
    assert (card.book.entries[1].content, card.book.kept) == ("New.", CARD.book.kept if CARD.book else "")


def test_a_persona_of_ours_survives_as_a_card() -> None:
    lore = Lorebook((LoreEntry("Old.", keys=("mill",), scan_depth=2, ends_recursion=True),), token_budget=9)
    persona = replace(a_persona(), examples=(Example("a", "b\nc"),), greetings=("Hey",), reminder="Kind.", lore=lore, summary="One line")

    assert replace(persona_of(card_of(persona), persona.id), card="") == persona


@pytest.mark.parametrize(
    ("card", "changes"),
    [
        (Card("九十九"), {"voice": "You are {{char}}.", "greeting": "*九十九*"}),
        (Card("A", example_messages="She hums."), {"voice": "How {{char}} talks:\nShe hums."}),
        (Card("A", example_messages="<START>\nA: Boo\n<USER>: Ah"), {"examples": (Example("…", "Boo"),)}),
        (Card("A", book=Lorebook((LoreEntry("x", keys=("", "y")),), scan_depth=-3)), {"lore": Lorebook((LoreEntry("x", ("y",)),), 0)}),
    ],
)
def test_a_card_with_holes_becomes_a_persona_that_a_file_can_hold(card: Card, changes: dict[str, object]) -> None:
    persona = persona_of(card)

    assert {name: getattr(persona, name) for name in changes} == changes
    assert persona_from(persona.id, text_of(persona)) == persona
    assert card_of(persona) == card


def test_files_of_a_card_stay_behind() -> None:
    card = read_card(as_json(V1))

    assert card_of(persona_of(replace(card, files=(CardFile("a", b"b"),)))) == card


def test_an_id_is_always_one() -> None:
    ids = [persona_of(Card(name)).id for name in ("Ada Lovelace!", "Zoë", "九十九", "x" * 60)]

    assert ids[:2] == ["ada-lovelace", "zoe"]
    assert ids[2].startswith("card-")
    assert all(isinstance(persona_from(id_, text_of(Persona(id_, "A", "b", "c"))), Persona) for id_ in ids)
