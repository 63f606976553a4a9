"""The rolling summary: what a whole conversation has been about, taken forward a few chunks at a time."""

from collections.abc import Sequence

import structlog

from bot.domain.past import Chunk, ChunkState, RollingSummary
from bot.errors import ModelError
from bot.memory.past.prompts import summary_prompt
from bot.memory.past.writers import Told, Writers, untold
from bot.ports.store import Transaction

log = structlog.get_logger(__name__)


async def write_summary(writers: Writers, *, told: Told = untold) -> int:
    """Let the rolling summary take in new chunks, a batch a question, as long as enough are new; return how many questions it took.

    An empty answer changes nothing: the chunks stay new. Raises ModelError when the model gives no answer.
    """
    asked = 0
    while writers.model is not None:
        async with writers.store.read() as tx:
            old, fresh = await _fresh(tx, writers)
        if len(fresh) < writers.policy.summary_after:
            break
        asked += 1
        if not await _take_in(writers, old, fresh[: writers.policy.summary_batch]):
            break
        await told()
    return asked


async def _take_in(writers: Writers, old: RollingSummary | None, batch: Sequence[Chunk]) -> bool:
    try:
        answer = await writers.ask(summary_prompt(writers.persona, old.text if old else "", batch))
    except ModelError:
        await _count_failure(writers)
        raise
    text = writers.fit(answer.text)
    async with writers.store.write() as tx:
        await writers.note_usage(tx, answer)
        if text:
            generation, through = batch[-1].generation, batch[-1].last_row
            await tx.pasts.add_summary(RollingSummary(writers.conversation, generation, text, through, writers.clock.now()))
            await tx.pasts.note(writers.conversation, summary_failures=0)
    if not text:
        await _count_failure(writers)
    return bool(text)


async def _fresh(tx: Transaction, writers: Writers) -> tuple[RollingSummary | None, Sequence[Chunk]]:
    """Return the summary and the chunks that it has not taken in, oldest first, up to the first that is still to be written."""
    generation = await writers.generation(tx)
    old = await tx.pasts.summary(writers.conversation, generation)
    through = old.through_row if old else 0
    unwritten = await tx.pasts.chunks(writers.conversation, generation, states=(ChunkState.PLANNED,), limit=1)
    end = unwritten[0].first_row if unwritten else None
    wanted = writers.policy.summary_after + writers.policy.summary_batch
    # Only the oldest chunk can be one that was condensed of both old and new ones.
    oldest = await tx.pasts.chunks(writers.conversation, generation, states=(ChunkState.DONE,), limit=1)
    torn = [chunk for chunk in oldest if chunk.first_row <= through]
    new = await tx.pasts.chunks(writers.conversation, generation, states=(ChunkState.DONE,), after_row=through, limit=wanted)
    fresh = [each for chunk in (*torn, *new) for each in await _originals(tx, chunk, through)]
    return old, [chunk for chunk in fresh if end is None or chunk.last_row < end][:wanted]


async def _originals(tx: Transaction, chunk: Chunk, through: int) -> Sequence[Chunk]:
    """Return a chunk, or those that it was condensed of, as far as they end after a message."""
    waiting, found = [chunk], []
    while waiting:
        each = waiting.pop()
        if each.last_row <= through:
            continue
        if each.depth:
            waiting += await tx.pasts.condensed(each.conversation, each.id)
        else:
            found.append(each)
    return sorted(found, key=lambda each: each.first_row)


async def _count_failure(writers: Writers) -> None:
    async with writers.store.write() as tx:
        failures = (await tx.pasts.state(writers.conversation)).summary_failures + 1
        await tx.pasts.note(writers.conversation, summary_failures=failures)
    log.warning("summary_not_written", platform=writers.conversation.platform, failures=failures)
