"""Structured memories of what a model answers."""

import json

import pytest

from bot.memory.past.prompts import STRUCTURED_MOST
from bot.memory.past.structured import LONGEST_SUMMARY, LONGEST_TITLE, Record, memories_of, records_in
from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES
from bot.testing.factories import stored
from bot.testing.scribe import a_record
from tests.unit.memory.past.stage import Room
from tests.unit.memory.past.test_prompts import CHUNK

MOCHI = a_record("A cat", "Ada has a cat", "Mochi")


@pytest.fixture
def room() -> Room:
    """Return a room whose store is never opened."""
    return Room(SqlStore(DATABASES.fresh()))


@pytest.mark.parametrize(
    ("answer", "fit", "unfit"),
    [
        pytest.param(json.dumps(MOCHI), 1, 0, id="object"),
        pytest.param(json.dumps([MOCHI, MOCHI]), 2, 0, id="array"),
        pytest.param(f"```json\n{json.dumps(MOCHI)}\n```", 1, 0, id="fence"),
        pytest.param(json.dumps([MOCHI, {"title": "t", "summary": "s"}, "x"]), 1, 2, id="two unfit"),
        pytest.param("[]", 0, 0, id="nothing to keep"),
    ],
)
def test_records_are_read_from_several_shapes(answer: str, fit: int, unfit: int) -> None:
    found = records_in(answer)

    assert found is not None
    assert (len(found[0]), found[1]) == (fit, unfit)


@pytest.mark.parametrize("answer", ["", "I cannot say.", "12", '"text"', '{"title": "cut'])
def test_anything_else_is_unreadable(answer: str) -> None:
    assert records_in(answer) is None


def test_names_and_phrases_that_nobody_said_are_left_out(room: Room) -> None:
    said = [stored("My cat Mochi sleeps in Kyoto"), stored("猫が好き", row=2)]
    record = Record(title="t", summary="s", entities=["Mochi", "Tokyo", "Ada", "mochi", " ", "猫"], key_phrases=["sleeping cat", "a dog"])

    (memory,) = memories_of(room.those_who_write(None), CHUNK, [record], said)

    assert memory.entities == ("Ada", "Mochi", "猫")
    assert memory.key_phrases == ("sleeping cat",)


def test_what_is_too_long_or_too_much_is_cut(room: Room) -> None:
    records = [Record(title="t " * 500, summary="s " * 5000, entities=[])] * 20

    memories = memories_of(room.those_who_write(None), CHUNK, records, [stored("hi")])

    assert len(memories) == STRUCTURED_MOST
    assert len(memories[0].title) <= LONGEST_TITLE
    assert len(memories[0].summary) <= LONGEST_SUMMARY


def test_a_record_without_a_title_takes_its_summary_and_one_without_a_summary_is_none(room: Room) -> None:
    records = [Record(summary="Ada sails", entities=[]), Record(title="x", summary=" ", entities=[])]

    (memory,) = memories_of(room.those_who_write(None), CHUNK, records, [stored("hi")])

    assert (memory.title, memory.summary) == ("Ada sails", "Ada sails")
