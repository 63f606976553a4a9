"""What the background writes about a conversation's past."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from sqlalchemy import Executable, bindparam, delete, func, select, update

from bot.domain.chat import ConversationKey
from bot.domain.past import Chunk, ChunkState, PastState, PastTally, RollingSummary, StructuredMemory
from bot.storage.sql.chunks import (
    CHUNKS,
    chunks_after,
    condensed_chunks,
    count_chunks,
    last_chunked_row,
    last_chunks,
    plan_chunk,
    put_chunk,
)
from bot.storage.sql.past_tables import PastRow
from bot.storage.sql.past_tally import tally_of
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.summaries import STRUCTURED, SUMMARIES, add_structured, add_summary, structured_of, structured_page, summary_of

_PASTS = table_of(PastRow)
_COLUMN = _PASTS.c
_HERE = _COLUMN.conversation == bindparam("here")
_NOTED = ("checked_row", "indexed_row", "related_row", "history_floor", "summary_failures")
_GENERATION_TABLES = (CHUNKS, SUMMARIES, STRUCTURED)

_STATE = select(_PASTS).where(_HERE)
_BUILD = (
    update(_PASTS)
    .where(_HERE)
    .values(
        generation=bindparam("new_generation"),
        building=bindparam("new_building"),
        building_chunk_tokens=bindparam("new_chunk_tokens"),
    )
)
_DROP = tuple(
    delete(table).where(table.c.conversation == bindparam("here"), table.c.generation == bindparam("of_generation"))
    for table in _GENERATION_TABLES
)
_DROP_OLDER = tuple(
    delete(table).where(table.c.conversation == bindparam("here"), table.c.generation < bindparam("of_generation"))
    for table in _GENERATION_TABLES
)


class SqlPasts:
    """Fulfils `bot.ports.past.Pasts`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def state(self, conversation: ConversationKey) -> PastState:
        """Return how far the background has come."""
        rows = await self._sql.known_rows(_STATE, {"here": str(conversation)})
        return PastState(*rows[0][1:]) if rows else PastState()

    async def note(
        self,
        conversation: ConversationKey,
        *,
        checked_row: int | None = None,
        indexed_row: int | None = None,
        related_row: int | None = None,
        history_floor: int | None = None,
        summary_failures: int | None = None,
    ) -> None:
        """Keep what is given."""
        given = dict(zip(_NOTED, (checked_row, indexed_row, related_row, history_floor, summary_failures), strict=True))
        await self._sql.run(_noting(self._sql.dialect), _noted(conversation, given))

    async def plan(self, conversation: ConversationKey, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """Store new chunks."""
        ids = [await plan_chunk(self._sql, replace(chunk, conversation=conversation)) for chunk in chunks]
        return [
            replace(chunk, id=chunk_id, conversation=conversation)
            for chunk, chunk_id in zip(chunks, ids, strict=True)
            if chunk_id is not None
        ]

    async def put(self, chunk: Chunk) -> bool:
        """Store the new state of a chunk."""
        return await put_chunk(self._sql, chunk)

    async def chunks(
        self,
        conversation: ConversationKey,
        generation: int,
        *,
        states: Collection[ChunkState] = tuple(ChunkState),
        after_row: int = 0,
        limit: int,
    ) -> Sequence[Chunk]:
        """Return the first chunks after a row."""
        return await chunks_after(self._sql, conversation, generation, states=states, after=after_row, limit=limit)

    async def last_chunks(
        self, conversation: ConversationKey, generation: int, *, before_row: int | None = None, limit: int
    ) -> Sequence[Chunk]:
        """Return the last chunks that are done."""
        return await last_chunks(self._sql, conversation, generation, before=before_row, limit=limit)

    async def condensed(self, conversation: ConversationKey, chunk_id: int) -> Sequence[Chunk]:
        """Return what was condensed into a chunk."""
        return await condensed_chunks(self._sql, conversation, chunk_id)

    async def last_row(self, conversation: ConversationKey, generation: int) -> int:
        """Return the last message in a chunk."""
        return await last_chunked_row(self._sql, conversation, generation)

    async def count(self, conversation: ConversationKey, generation: int, *, states: Collection[ChunkState] = tuple(ChunkState)) -> int:
        """Return how many chunks there are."""
        return await count_chunks(self._sql, conversation, generation, states)

    async def tally(self, conversation: ConversationKey, generation: int, *, tries: int) -> PastTally:
        """Return what there is of a generation."""
        return await tally_of(self._sql, conversation, generation, tries=tries)

    async def add_summary(self, summary: RollingSummary) -> None:
        """Keep a version of the rolling summary."""
        await add_summary(self._sql, summary)

    async def summary(self, conversation: ConversationKey, generation: int, *, before_row: int | None = None) -> RollingSummary | None:
        """Return the newest version."""
        return await summary_of(self._sql, conversation, generation, before=before_row)

    async def add_structured(self, memories: Sequence[StructuredMemory]) -> Sequence[StructuredMemory]:
        """Store structured memories."""
        return [await add_structured(self._sql, memory) for memory in memories]

    async def structured(self, conversation: ConversationKey, ids: Collection[int]) -> Sequence[StructuredMemory]:
        """Return structured memories by their ids."""
        return await structured_of(self._sql, conversation, ids)

    async def structured_page(
        self, conversation: ConversationKey, generation: int, *, after: int = 0, limit: int
    ) -> Sequence[StructuredMemory]:
        """Return the first structured memories after one."""
        return await structured_page(self._sql, conversation, generation, after=after, limit=limit)

    async def begin_building(self, conversation: ConversationKey, *, chunk_tokens: int) -> int:
        """Go on with a generation, or begin one."""
        state = await self._held(conversation)
        if state.building is not None:
            if state.building_chunk_tokens == chunk_tokens:
                return state.building
            await self.drop_generation(conversation, state.building)
        generation = max(state.generation, state.building or 0) + 1
        await self._build(conversation, state.generation, building=generation, chunk_tokens=chunk_tokens)
        return generation

    async def finish_building(self, conversation: ConversationKey, *, only: int | None = None) -> int:
        """Show what was built and drop what is older; nothing happens when nothing is being built, or not the `only` one to be shown."""
        state = await self._held(conversation)
        if state.building is None or only not in (None, state.building):
            return 0
        await self._build(conversation, state.building, building=None, chunk_tokens=0)
        values = {"here": str(conversation), "of_generation": state.building}
        return sum([await self._sql.run(statement, values) for statement in _DROP_OLDER])

    async def drop_generation(self, conversation: ConversationKey, generation: int) -> int:
        """Delete a generation."""
        values = {"here": str(conversation), "of_generation": generation}
        return sum([await self._sql.run(statement, values) for statement in _DROP])

    async def _held(self, conversation: ConversationKey) -> PastState:
        """Return the state, which no other writer of generations changes until the end of this transaction."""
        await self._sql.hold(f"past {conversation}")
        return await self.state(conversation)

    async def _build(self, conversation: ConversationKey, generation: int, *, building: int | None, chunk_tokens: int) -> None:
        await self.note(conversation)
        values = {"new_generation": generation, "new_building": building, "new_chunk_tokens": chunk_tokens}
        await self._sql.run(_BUILD, {"here": str(conversation), **values})


def _noted(conversation: ConversationKey, given: Mapping[str, int | None]) -> dict[str, object]:
    fresh = {"conversation": str(conversation), "generation": 0, "building": None, "building_chunk_tokens": 0}
    return {**fresh, **{name: value or 0 for name, value in given.items()}, **{f"new_{name}": value for name, value in given.items()}}


@cache
def _noting(dialect: str) -> Executable:
    insert = insert_into(_PASTS, dialect)
    kept = {name: func.coalesce(bindparam(f"new_{name}", type_=_COLUMN[name].type), _COLUMN[name]) for name in _NOTED}
    return insert.on_conflict_do_update(index_elements=["conversation"], set_=kept)
