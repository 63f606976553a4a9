from dataclasses import replace

import pytest

from bot.domain.lore import Lorebook, LoreEntry, LorePosition, SecondaryLogic
from bot.errors import PersonaError
from bot.storage.persona_text import persona_from, text_of
from bot.testing.factories import a_persona

FULL = LoreEntry(
    "The mill burned.\n\nIn spring.",
    keys=("mill", "no"),
    secondary_keys=("river",),
    logic=SecondaryLogic.NOT_ALL,
    name="Mill",
    enabled=False,
    constant=True,
    order=3,
    priority=0,
    position=LorePosition.BEFORE,
    case_sensitive=True,
    whole_words=True,
    regex=True,
    scan_depth=0,
    ignores_lore=True,
    ends_recursion=True,
)


def test_a_persona_file_holds_all_of_a_lorebook() -> None:
    lore = Lorebook((FULL, LoreEntry("")), scan_depth=0, token_budget=9, recursive=False, name="Town")
    persona = replace(a_persona(), lore=lore, greetings=("Hey\nyou", "Yo"), instructions="Be brief.", reminder="Kind.", card='{"a":"é"}')

    assert persona_from(persona.id, text_of(persona)) == persona


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("lore: [{keys: [a]}]", "`lore[1].content` is missing"),
        ("lore: [{content: a, key: [a]}]", "there is no key `lore[1].key`. Did you mean keys?"),
        ("lore: [{content: a, logic: some}]", "`lore[1].logic` is 'some'; write one of"),
        ("lorebook: {scan_depth: -1}", "`lorebook.scan_depth` is -1"),
        ("card: abc", "`card` is no card that Baku wrote"),
    ],
)
def test_a_mistake_in_a_lorebook_is_told_with_its_place(line: str, problem: str) -> None:
    with pytest.raises(PersonaError) as told:
        persona_from("iris", f"---\nname: Iris\ngreeting: Hello\n{line}\n---\nYou are Iris.")

    assert problem in told.value.problem
