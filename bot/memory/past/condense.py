"""Condensing: the summaries of the oldest chunks become one, so that not all of them stand there for ever."""

from collections.abc import Sequence
from dataclasses import replace

import structlog

from bot.domain.past import Chunk, ChunkState
from bot.memory.past.prompts import condense_prompt
from bot.memory.past.structured import is_open
from bot.memory.past.writers import Writers

log = structlog.get_logger(__name__)


async def condense(writers: Writers, *, after_reading: bool = False) -> bool:
    """Put one chunk in the place of the oldest ones when there are too many; the others are kept behind it. Say whether that was done.

    With `after_reading` it waits until structured memories were made of them. An empty answer changes nothing. Raises ModelError
    when the model gives no answer.
    """
    policy = writers.policy
    if writers.model is None or policy.condense < 2:
        return False
    async with writers.store.read() as tx:
        generation = await writers.generation(tx)
        count = await tx.pasts.count(writers.conversation, generation, states=(ChunkState.DONE,))
        due = count >= policy.condense + policy.condense_buffer
        oldest = await tx.pasts.chunks(writers.conversation, generation, states=(ChunkState.DONE,), limit=policy.condense) if due else ()
        unwritten = await tx.pasts.chunks(writers.conversation, generation, states=(ChunkState.PLANNED,), limit=1)
    waits_for_summary = bool(oldest and unwritten) and unwritten[0].first_row < oldest[-1].first_row
    if not oldest or waits_for_summary or (after_reading and any(map(is_open, oldest))):
        return False
    answer = await writers.ask(condense_prompt(writers.persona, oldest))
    text = writers.fit(answer.text)
    async with writers.store.write() as tx:
        await writers.note_usage(tx, answer)
        if text:
            (one,) = await tx.pasts.plan(writers.conversation, [_one(oldest, text)])
            for each in oldest:
                await tx.pasts.put(replace(each, condensed_into=one.id))
    log.info("condensed" if text else "not_condensed", platform=writers.conversation.platform, chunks=len(oldest))
    return bool(text)


def _one(chunks: Sequence[Chunk], text: str) -> Chunk:
    first, last = chunks[0], chunks[-1]
    return replace(
        first,
        id=0,
        last_row=last.last_row,
        messages=sum(each.messages for each in chunks),
        ended_at=last.ended_at,
        summary=text,
        state=ChunkState.DONE,
        failures=0,
        depth=max(each.depth for each in chunks) + 1,
        is_read=True,
        read_failures=0,
    )
