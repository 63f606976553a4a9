"""The operator sees what is done by night, and does it at once."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from bot.domain.chat import ConversationKey, ConversationKind, MemoryScope, audience_of, space_of
from bot.domain.memory import Level, Memory
from bot.storage.store import SqlStore
from bot.testing.factories import a_memory
from tests.unit.cli.conftest import Baku

LAST_WEEK = datetime.now(UTC) - timedelta(days=7)


def room(persona_id: str, space: str = "club") -> MemoryScope:
    return MemoryScope(persona_id, audience_of(ConversationKey("discord", space, "lounge"), ConversationKind.GROUP, ""))


def a_week_old(text: str, importance: float, level: Level = Level.WORKING, *, scope: MemoryScope, number: int = 1) -> Memory:
    memory = a_memory(text, number=number, scope=scope)
    return replace(memory, id=uuid4(), created_at=LAST_WEEK, updated_at=LAST_WEEK, importance=importance, level=level)


def know(folder: Path, *memories: Memory, off: MemoryScope | None = None) -> None:
    """Put memories into the installation's store, and switch dreams off somewhere."""

    async def write() -> None:
        store = SqlStore(f"sqlite:///{folder}/data/baku.db")
        await store.open()
        async with store.write() as tx:
            for memory in memories:
                await tx.memories.reserve_number(memory.scope)
                await tx.memories.add(memory)
            if off is not None:
                await tx.settings.set(*space_of(off.audience), "memory.dream", "false")
                await tx.settings.set(*space_of(off.audience), "dream.zone", "Asia/Tokyo")
        await store.close()

    asyncio.run(write())


def texts(folder: Path, scope: MemoryScope) -> list[str]:
    async def read() -> list[str]:
        store = SqlStore(f"sqlite:///{folder}/data/baku.db")
        await store.open()
        async with store.read() as tx:
            found = [memory.text for memory in await tx.memories.page(scope, limit=99)]
        await store.close()
        return found

    return asyncio.run(read())


def test_jobs_are_listed_by_persona_and_time_with_their_places(baku: Baku, folder: Path) -> None:
    here, there = room("iris"), room("iris", "cellar")
    know(folder, a_week_old("tea", 0.9, scope=here), a_week_old("rum", 0.9, scope=there), off=there)

    lines = baku("job", "list").out.splitlines()

    assert lines[0].split() == ["job", "persona", "every", "night", "at", "places", "next", "last", "run"]
    assert [line.split()[:5] for line in lines[1:4]] == [
        ["dream", "baku", "03:00", "(UTC)", "0"],
        ["dream", "iris", "03:00", "(UTC)", "1"],
        ["decay", "iris", "03:00", "(Asia/Tokyo)", "1"],
    ]
    assert all(line.endswith("03:00  never") for line in lines[1:4])


def test_a_dream_is_run_for_all_and_stands_in_list_and_history(baku: Baku, folder: Path) -> None:
    know(folder, a_week_old("tea", 0.36, scope=room("iris")), a_week_old("rum", 0.001, Level.ARCHIVE, scope=room("baku")))

    ran = baku("job", "run", "dream")
    listed, history = baku("job", "list").out, baku("job", "history").out

    assert ran.code == 0
    assert "baku conversation/discord:club:lounge:: done. 1 forgotten. " in ran.out
    assert "iris conversation/discord:club:lounge:: done. 1 faded. " in ran.out
    assert texts(folder, room("baku")) == []
    assert listed.count(" done\n") == 2
    assert history.splitlines()[0].split() == ["began", "(UTC)", "job", "about", "ended", "seconds", "what"]
    assert "1 forgotten" in history
    assert "seen_until" not in history


def test_a_dry_run_shows_each_change_and_makes_none(baku: Baku, folder: Path) -> None:
    know(folder, a_week_old("tea", 0.001, Level.ARCHIVE, scope=room("iris")))

    ran = baku("job", "run", "dream", "--persona", "iris", "--dry-run")

    assert "would do this. 1 forgotten." in ran.out
    assert "  #1 forgotten: weaker than 0.02 and idle for a day\n" in ran.out
    assert texts(folder, room("iris")) == ["tea"]
    assert baku("job", "history").out == "Nothing has run yet.\n"


def test_a_dream_soon_after_another_is_skipped_and_says_so(baku: Baku, folder: Path) -> None:
    know(folder, a_week_old("tea", 0.9, scope=room("iris")))
    baku("job", "run", "dream")

    again = baku("job", "run", "dream")

    assert (again.code, "skipped (too_soon)" in again.out) == (0, True)


def test_decay_alone_forgets_nothing(baku: Baku, folder: Path) -> None:
    know(folder, a_week_old("tea", 0.001, scope=room("iris")))

    ran = baku("job", "run", "decay")

    assert "done. 1 faded." in ran.out
    assert texts(folder, room("iris")) == ["tea"]


def test_without_memories_there_is_nothing_to_do(baku: Baku) -> None:
    assert baku("job", "run", "dream").out == "There are no memories yet, so there is nothing to do.\n"


def test_what_is_mistyped_is_refused_with_what_there_is(baku: Baku) -> None:
    assert baku("job", "run", "sleep").err == "error: There is no job 'sleep'; there are dream and decay.\n"
    assert baku("job", "run", "decay", "--dry-run").err == "error: Only dream has a dry run.\n"
    assert baku("job", "run", "dream", "--persona", "irsi").err == "error: There is no persona 'irsi'. Did you mean iris?\n"
