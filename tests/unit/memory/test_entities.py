from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.entity import EntityKind, EntityMention
from bot.domain.message import Person, Quote, Role
from bot.domain.past import EntityFacts, Relation
from bot.memory.entities import asks_who, entity_line, members_of, speaks_of_self, statement
from bot.testing.clock import START
from bot.testing.factories import BO, stored

PARIS = EntityFacts("Paris", EntityKind.PLACE, 2, ("Paris is rainy.", "Alice moved to Paris."))
ROME = Relation("Alice", "lives_in", "Rome", START, 2, "Alice moved to Rome.")
BEFORE = replace(ROME, object="Paris", valid_from=START - timedelta(days=9), valid_to=START, ended_by_row=2)


def test_who_writes_and_who_is_replied_to_are_members() -> None:
    message = stored("hi", quote=Quote("m0", BO, "hello"))

    assert members_of(message) == (
        EntityMention("Ada", EntityKind.PERSON, "", person_id="ada"),
        EntityMention("Bo", EntityKind.PERSON, "", person_id="bo"),
    )


@pytest.mark.parametrize(
    "person", [Person("b", "Bot", is_bot=True), Person("c", "News", is_service=True), Person("", "Nobody"), Person("x", " ")]
)
def test_bots_services_and_the_nameless_are_no_members(person: Person) -> None:
    assert members_of(stored("hi", author=person)) == ()


def test_a_persona_is_no_member() -> None:
    assert members_of(stored("hi", role=Role.ASSISTANT)) == ()


@pytest.mark.parametrize(
    "text", ["I live here", "where's my cat?", "i'm tired", "Wo wohne ich?", "j'habite ici", "私の猫は？", "¿Dónde está mi gato?"]
)
def test_a_text_may_speak_of_its_speaker(text: str) -> None:
    assert speaks_of_self(text)


@pytest.mark.parametrize("text", ["Alice lives here", "in time", "Miami", "who is it", "猫は？"])
def test_a_text_may_not_speak_of_its_speaker(text: str) -> None:
    assert not speaks_of_self(text)


def test_a_text_may_ask_for_people() -> None:
    assert asks_who("Who lives in Paris?")
    assert asks_who("誰がパリに住んでいる？")
    assert not asks_who("How is the weather in Paris?")


def test_a_name_stands_on_a_line_with_its_kind_and_its_last_sentence() -> None:
    assert entity_line(PARIS) == "- Paris (GPE): Paris is rainy."
    assert entity_line(replace(PARIS, aliases=("Lutetia",))) == "- Paris (GPE, also Lutetia): Paris is rainy."
    assert entity_line(replace(PARIS, sentences=())) == "- Paris (GPE)"


def test_a_relation_is_told_in_the_present_while_it_holds_and_in_the_past_after() -> None:
    assert statement(ROME) == "Alice lives in Rome"
    assert statement(BEFORE) == "Alice lived in Paris"
