"""The operator sees how a conversation is divided, and how far its summaries have come."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from bot.domain.past import Chunk, ChunkState
from tests.unit.cli.conftest import Baku
from tests.unit.cli.test_past import BEGAN, HERE, store_of, talk


def write(folder: Path, *chunks: Chunk, building: bool = False) -> None:
    async def put() -> None:
        store = store_of(folder)
        await store.open()
        async with store.write() as tx:
            for chunk in chunks:
                (planned,) = await tx.pasts.plan(HERE, [replace(chunk, state=ChunkState.PLANNED)])
                await tx.pasts.put(replace(chunk, id=planned.id))
            if building:
                await tx.pasts.begin_building(HERE, chunk_tokens=0)
        await store.close()

    asyncio.run(put())


def a_chunk(number: int, summary: str, state: ChunkState = ChunkState.DONE) -> Chunk:
    began = BEGAN + timedelta(hours=number)
    return Chunk(0, HERE, 0, number, number, 20, began, began + timedelta(minutes=30), summary, state)


def test_each_chunk_has_a_line_with_what_its_summary_begins_with(baku: Baku, folder: Path) -> None:
    talk(folder, count=2)
    write(folder, a_chunk(1, "Ada told\nof \x1b[31mtea. " + "And cake. " * 20), a_chunk(2, "", ChunkState.PLANNED))

    heading, first, second = baku("memory", "chunks").out.splitlines()

    assert heading.split() == ["from", "(UTC)", "until", "messages", "state", "summary"]
    assert first.startswith("2026-05-03 11:00  2026-05-03 11:30  20        done     Ada told of ")
    assert first.endswith("…")
    assert "\x1b" not in first
    assert second.split()[-2:] == ["20", "planned"]


def test_what_was_given_up_or_is_not_complete_comes_with_what_to_do(baku: Baku, folder: Path) -> None:
    talk(folder, count=2)
    write(folder, a_chunk(1, "", ChunkState.PARKED), building=True)

    lines = baku("memory", "chunks").out.splitlines()

    assert lines[-3:] == [
        f"Parked ones were given up after three failures; this tries again: baku memory regenerate {HERE}",
        "",
        f"New ones are not complete yet; this goes on with them: baku memory regenerate {HERE}",
    ]


def test_where_nobody_spoke_there_are_none(baku: Baku) -> None:
    assert baku("memory", "chunks").out == "Nobody has said anything yet.\n"
