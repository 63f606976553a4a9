"""Chunks and their summaries. A chunk is planned first, for good; its summary is written and stored alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from bot.domain.message import StoredMessage
from bot.domain.past import Chunk, ChunkState
from bot.domain.persona import MemoryPolicy
from bot.errors import ModelError
from bot.memory.past.lines import line_of, lines_of
from bot.memory.past.prompts import chunk_prompt
from bot.memory.past.split import is_due, sizes
from bot.memory.past.writers import PAGE, TRIES, Told, Writers, untold
from bot.ports.store import Transaction

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Pending:
    """A message that stands in no chunk yet."""

    row: int
    tokens: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Checked:
    """What a look for chunks that are due has found."""

    pending: Sequence[Pending]
    """The messages that no chunk takes in and that are old enough."""
    left_after: int | None
    """The row after which more of them may be; None when these are all."""
    end: int
    """All of them stand before this row."""
    last_row: int
    """The last message of all."""
    has_new: bool
    """Something was said since the last check."""

    def is_due(self, policy: MemoryPolicy) -> bool:
        """Say whether they make chunks."""
        costs = [each.tokens for each in self.pending]
        return is_due(costs, chunk_tokens=policy.chunk_tokens, chunk_messages=policy.chunk_messages, has_new=self.has_new)


async def write_chunks(writers: Writers, *, told: Told = untold) -> int:
    """Plan the chunks that are due and write the summaries that are missing; return how many were written.

    Raises ModelError when the model gives no answer: the chunk is tried again at the next call, and after some failures parked.
    """
    if writers.model is None:
        return 0
    await plan_chunks(writers)
    return await summarise_planned(writers, told=told)


async def plan_chunks(writers: Writers, *, even_if_few: bool = False) -> int:
    """Choose the chunks of all pending messages when they are due; return how many chunks that makes."""
    async with writers.store.read() as tx:
        checked = await check(tx, writers, after=await tx.pasts.last_row(writers.conversation, await writers.generation(tx)))
    checked = await _whole(writers, checked)
    pending = checked.pending
    if not checked.is_due(writers.policy) and not (even_if_few and pending):
        await _note_check(writers, checked)
        return 0
    async with writers.store.write() as tx:
        planned = await tx.pasts.plan(writers.conversation, _split(writers, pending, await writers.generation(tx)))
        await tx.pasts.note(writers.conversation, checked_row=await _last_message(tx, writers))
    log.info("chunks_planned", platform=writers.conversation.platform, chunks=len(planned), messages=len(pending))
    return len(planned)


async def summarise_planned(writers: Writers, *, told: Told = untold) -> int:
    """Write the summary of each planned chunk, oldest first; return how many were written. Raises ModelError as `write_chunks` does."""
    written, after = 0, 0
    while True:
        async with writers.store.read() as tx:
            planned = await tx.pasts.chunks(
                writers.conversation, await writers.generation(tx), states=(ChunkState.PLANNED,), after_row=after, limit=1
            )
            said = await writers.said(tx, planned[0].first_row, planned[0].last_row) if planned else []
        if not planned:
            return written
        written += await _summarise(writers, planned[0], said)
        after = planned[0].first_row
        await told()


async def _summarise(writers: Writers, chunk: Chunk, said: Sequence[StoredMessage]) -> bool:
    if not said:
        async with writers.store.write() as tx:
            await _keep(tx, writers, replace(chunk, state=ChunkState.PARKED))
        return False
    lines = lines_of(said, most_tokens=writers.policy.chunk_tokens, tokens=writers.tokens)
    try:
        answer = await writers.ask(chunk_prompt(writers.persona, chunk, lines))
    except ModelError:
        # While a regeneration is under way an outage only stops it: it is resumed, and the old chunks are shown meanwhile.
        if writers.building is None:
            async with writers.store.write() as tx:
                await _keep(tx, writers, failed(chunk))
        raise
    text = writers.fit(answer.text)
    done = replace(chunk, summary=text, state=ChunkState.DONE) if text else failed(chunk)
    async with writers.store.write() as tx:
        await writers.note_usage(tx, answer)
        await _keep(tx, writers, done)
    return bool(text)


def failed(chunk: Chunk) -> Chunk:
    """Return a planned chunk after one more failure; parked when it was the last try."""
    failures = chunk.failures + 1
    return replace(chunk, failures=failures, state=ChunkState.PARKED if failures >= TRIES else ChunkState.PLANNED)


async def _keep(tx: Transaction, writers: Writers, chunk: Chunk) -> None:
    """Store what became of a planned chunk, unless somebody else has written its summary meanwhile."""
    at_its_place = await tx.pasts.chunks(writers.conversation, chunk.generation, after_row=chunk.first_row - 1, limit=1)
    if [(each.id, each.state) for each in at_its_place] != [(chunk.id, ChunkState.PLANNED)]:
        return
    await tx.pasts.put(chunk)
    if chunk.state is ChunkState.PARKED:
        log.error("chunk_parked", platform=writers.conversation.platform, chunk=chunk.id, failures=chunk.failures)
    elif chunk.state is ChunkState.PLANNED:
        log.warning("chunk_not_summarised", platform=writers.conversation.platform, chunk=chunk.id, failures=chunk.failures)


async def check(tx: Transaction, writers: Writers, *, after: int) -> Checked:
    """Return the first page of messages that no chunk takes in, the last of which ends at the row `after`."""
    lookback = writers.policy.chunk_lookback
    state = await tx.pasts.state(writers.conversation)
    last = await tx.messages.history(writers.conversation, limit=max(lookback, 1))
    last_row = last[-1].id if last else 0
    if not last or len(last) < lookback:
        return Checked([], None, end=0, last_row=last_row, has_new=last_row > state.checked_row)
    end = last[0].id if lookback else last_row + 1
    pending, left_after = await _page(tx, writers, after, end)
    return Checked(pending, left_after, end, last_row, has_new=last_row > state.checked_row)


async def _whole(writers: Writers, checked: Checked) -> Checked:
    """Return it with all messages that no chunk takes in."""
    pending, after = list(checked.pending), checked.left_after
    while after is not None:
        async with writers.store.read() as tx:
            more, after = await _page(tx, writers, after, checked.end)
        pending += more
    return replace(checked, pending=pending, left_after=None)


async def _page(tx: Transaction, writers: Writers, after: int, end: int) -> tuple[Sequence[Pending], int | None]:
    """Return what is pending after a row and before another, and the row after which there may be more."""
    page = await tx.messages.page(writers.conversation, after=after, limit=PAGE) if after < end - 1 else ()
    pending = [Pending(each.id, writers.tokens.count(line_of(each)), each.sent_at) for each in page if each.id < end]
    is_all = len(page) < PAGE or page[-1].id >= end - 1
    return pending, None if is_all else page[-1].id


def _split(writers: Writers, pending: Sequence[Pending], generation: int) -> Sequence[Chunk]:
    chunks: list[Chunk] = []
    start = 0
    for size in sizes([each.tokens for each in pending], writers.policy.chunk_tokens):
        first, last = pending[start], pending[start + size - 1]
        chunks.append(Chunk(0, writers.conversation, generation, first.row, last.row, size, first.at, last.at))
        start += size
    return chunks


async def _note_check(writers: Writers, checked: Checked) -> None:
    if checked.has_new:
        async with writers.store.write() as tx:
            await tx.pasts.note(writers.conversation, checked_row=checked.last_row)


async def _last_message(tx: Transaction, writers: Writers) -> int:
    last = await tx.messages.history(writers.conversation, limit=1)
    return last[-1].id if last else 0
