"""The lives of memories, read from the journal."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from bot.domain.memory import EditOrigin, End, Forget, Level, Memory, MemoryEdit, Remember, Tag
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import MemoryEditor
from bot.memory.timeline import Life, lives, strongest_first
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, a_memory, a_scope

POLICY = MemoryPolicy()
DAY = timedelta(days=1)


async def lived(store: SqlStore, *edits: tuple[float, MemoryEdit]) -> list[Life]:
    """Make edits, each so many days after START, and return the lives that the journal tells."""
    for days, edit in edits:
        async with store.write() as tx:
            editor = MemoryEditor(tx, a_scope(), POLICY, START + days * DAY)
            assert await editor.apply(edit, EditOrigin("person:ada", "said so", ADA))
    async with store.read() as tx:
        entries = await tx.memories.journal(a_scope(), limit=99)
        return list(lives(reversed(entries), await tx.memories.page(a_scope(), limit=99)))


def strengths(life: Life, *days: float) -> list[float | None]:
    moments = [life.at(START + day * DAY, POLICY) for day in days]
    return [None if moment is None else round(moment.strength, 2) for moment in moments]


async def test_memory_fades_between_its_edits_and_rises_with_them(store: SqlStore) -> None:
    (life,) = await lived(store, (0, Remember(1, "Ada likes tea", ADA)), (10, Tag(1)), (20, Tag(1)))

    assert strengths(life, -1, 0, 9, 10, 19, 20) == [None, 0.75, 0.57, 0.65, 0.47, 0.55]


async def test_forgotten_memory_ends_and_one_that_ended_goes_on_without_holding(store: SqlStore) -> None:
    facts = ((0, Remember(1, "Ada likes tea", ADA)), (0, Remember(2, "Ada lives in Oslo", ADA)))

    gone, ended = await lived(store, *facts, (5, Forget(1, for_good=False)), (5, End(2)))

    assert strengths(gone, 4, 6) == [0.67, None]
    assert (gone.is_gone, gone.last and gone.last.text) == (True, "Ada likes tea")
    holding = [ended.at(START + day * DAY, POLICY) for day in (4, 6)]
    assert [moment and moment.holds for moment in holding] == [True, False]


async def test_what_is_forgotten_for_good_has_no_life(store: SqlStore) -> None:
    assert await lived(store, (0, Remember(1, "Ada likes tea", ADA)), (5, Forget(1))) == []


def test_memory_without_a_journal_lives_from_its_creation() -> None:
    (life,) = lives([], [a_memory("Ada likes tea")])

    assert strengths(life, -1, 0, 10) == [None, 0.75, 0.55]


def test_level_that_moved_without_a_line_in_the_journal_is_shown_as_it_is_now() -> None:
    memory = a_memory("Ada likes tea")
    now = replace(memory, level=Level.DEEP, used_at=START + 3 * DAY)

    (life,) = lives([], [now])

    moment = life.at(START + 4 * DAY, POLICY)
    assert moment is not None
    assert moment.level is Level.DEEP


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_the_strongest_come_first_and_what_is_gone_comes_last(order: tuple[int, ...]) -> None:
    weak, strong = (Life(n, [START], [fact(n, importance)]) for n, importance in ((1, 0.2), (2, 0.9)))
    gone = Life(3, [START, START], [fact(3, 1.0), None])

    ranked = strongest_first([(weak, strong, gone)[place] for place in order], POLICY, START)

    assert [life.number for life in ranked] == [2, 1, 3]


def fact(number: int, importance: float) -> Memory:
    return replace(a_memory("fact", number=number), id=UUID(int=number), importance=importance)
