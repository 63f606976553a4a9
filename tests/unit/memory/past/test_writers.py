"""What those who write are given, and what steps ask for."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.domain.message import Role
from bot.domain.model import ChatMessage
from bot.domain.steps import FAST_READERS, USUAL_WRITERS, Step, StepKind
from bot.errors import ModelUnavailable
from bot.memory.past.writers import PAGE, Wanted, wanted
from bot.storage.store import SqlStore
from bot.testing.scripted_model import ScriptedModel
from tests.unit.memory.past.stage import Room


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Give a room."""
    store = SqlStore(database_url)
    await store.open()
    yield Room(store)
    await store.close()


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        pytest.param(USUAL_WRITERS, Wanted(chunks=True, structured=True, summary=True), id="usual"),
        pytest.param((Step(StepKind.STRUCTURED, vectors=False),), Wanted(chunks=True), id="no vectors"),
        pytest.param((Step(StepKind.RECENT_UPDATED),), Wanted(chunks=True), id="recent"),
        pytest.param((Step(StepKind.SUMMARY_UPDATED),), Wanted(chunks=True, summary=True), id="summary"),
        pytest.param((Step(StepKind.SUMMARISE),), Wanted(summary=True), id="summary alone"),
        pytest.param((Step(StepKind.SUMMARY_UPDATED, manual=True),), Wanted(), id="manual"),
        pytest.param(FAST_READERS, Wanted(), id="readers"),
        pytest.param((), Wanted(), id="none"),
    ],
)
def test_steps_say_what_is_written(steps: tuple[Step, ...], expected: Wanted) -> None:
    assert wanted(steps) == expected


async def test_an_answer_that_takes_too_long_is_an_outage(room: Room) -> None:
    writers = replace(room.those_who_write(ScriptedModel("late", waits_for=asyncio.Event())), seconds=0.01)

    with pytest.raises(ModelUnavailable, match="did not answer within"):
        await writers.ask([ChatMessage(Role.USER, "x")])


async def test_without_a_model_nobody_answers(room: Room) -> None:
    with pytest.raises(ModelUnavailable):
        await room.those_who_write(None).ask([ChatMessage(Role.USER, "x")])


async def test_what_was_said_is_read_over_many_pages(room: Room) -> None:
    said = await room.says(*(str(number) for number in range(PAGE + 5)))

    async with room.store.read() as tx:
        found = await room.those_who_write(None).said(tx, said[1].id, said[-2].id)
        nothing = await room.those_who_write(None).said(tx, said[-1].id + 1, said[-1].id + 9)

    assert [message.id for message in found] == [message.id for message in said[1:-1]]
    assert nothing == []
