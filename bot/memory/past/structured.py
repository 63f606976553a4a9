"""Structured memories: what a model takes out of a chunk so that it can be looked for."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

from bot.domain.message import StoredMessage
from bot.domain.past import Chunk, ChunkState, StructuredMemory
from bot.domain.terms import terms
from bot.domain.text import one_line, text_key
from bot.errors import ModelError
from bot.memory.asking import unfenced
from bot.memory.past.index import add_structured
from bot.memory.past.learning import Learnt, keep_proposed, proposed
from bot.memory.past.lines import line_of, lines_of
from bot.memory.past.prompts import STRUCTURED_MOST, structured_prompt
from bot.memory.past.writers import PAGE, TRIES, Told, Writers, untold

LONGEST_TITLE, LONGEST_SUMMARY, LONGEST_NAME = 100, 800, 80
"""Characters."""
MOST_NAMES = 16
"""Entities, and key phrases, of one memory."""

log = structlog.get_logger(__name__)


class Record(BaseModel):
    """What a model may say of one memory. More keys do no harm."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    title: str = ""
    summary: str
    entities: list[str]
    key_phrases: list[str] = []


async def write_structured(writers: Writers, *, told: Told = untold) -> int:
    """Make structured memories of each chunk that was not read yet; return how many chunks were read.

    Raises ModelError when the model gives no answer. A chunk whose answer cannot be read is tried again at the next call, and given
    up after some failures.
    """
    if writers.model is None:
        return 0
    read, after = 0, 0
    while chunk := await _next_unread(writers, after):
        read += await _read(writers, chunk)
        after = chunk.first_row
        await told()
    return read


def is_open(chunk: Chunk) -> bool:
    """Say whether structured memories are still to be made of a chunk."""
    return chunk.state is ChunkState.DONE and not chunk.depth and not chunk.is_read and chunk.read_failures < TRIES


def records_in(answer: str) -> tuple[Sequence[Record], int] | None:
    """Return the records of an answer, and how many others were unfit; None when it is no JSON object or array."""
    try:
        found: object = json.loads(unfenced(answer))
    except ValueError:
        return None
    if isinstance(found, dict):
        found = [found]
    if not isinstance(found, list):
        return None
    records = [record for each in found if (record := _record(each)) is not None]
    return records, len(found) - len(records)


def memories_of(writers: Writers, chunk: Chunk, records: Iterable[Record], said: Sequence[StoredMessage]) -> list[StructuredMemory]:
    """Return records as memories, without the names and phrases that the messages do not have."""
    words = frozenset[str]().union(*(terms(line_of(message)) for message in said))
    whole = text_key("\n".join(line_of(message) for message in said))
    memories = []
    for record in list(records)[:STRUCTURED_MOST]:
        summary = one_line(writers.fit(record.summary), LONGEST_SUMMARY)
        memories.append(
            StructuredMemory(
                id=0,
                conversation=writers.conversation,
                generation=chunk.generation,
                title=one_line(writers.fit(record.title) or summary, LONGEST_TITLE),
                summary=summary,
                entities=_grounded(map(writers.fit, record.entities), words, whole),
                key_phrases=_grounded(map(writers.fit, record.key_phrases), words, whole),
                first_row=chunk.first_row,
                last_row=chunk.last_row,
                at=chunk.ended_at,
            )
        )
    return [memory for memory in memories if memory.summary]


async def unread_chunks(writers: Writers) -> int:
    """Return how many chunks structured memories are still to be made of."""
    count, after = 0, 0
    while chunk := await _next_unread(writers, after):
        count, after = count + 1, chunk.first_row
    return count


async def _next_unread(writers: Writers, after: int) -> Chunk | None:
    while page := await _done_chunks(writers, after):
        unread = next(filter(is_open, page), None)
        if unread is not None:
            return unread
        after = page[-1].first_row
    return None


async def _done_chunks(writers: Writers, after: int) -> Sequence[Chunk]:
    async with writers.store.read() as tx:
        generation = await writers.generation(tx)
        return await tx.pasts.chunks(writers.conversation, generation, states=(ChunkState.DONE,), after_row=after, limit=PAGE)


async def _read(writers: Writers, chunk: Chunk) -> bool:
    async with writers.store.read() as tx:
        said = await writers.said(tx, chunk.first_row, chunk.last_row)
    lines = lines_of(said, most_tokens=writers.policy.chunk_tokens, tokens=writers.tokens)
    try:
        answer = await writers.ask(structured_prompt(writers.persona, chunk, lines))
    except ModelError:
        if writers.building is None:
            await _failed(writers, chunk)
        raise
    async with writers.store.write() as tx:
        await writers.note_usage(tx, answer)
    found = records_in(answer.text)
    if found is None:
        await _failed(writers, chunk)
        return False
    records, unfit = found
    if unfit:
        log.warning("structured_left_out", platform=writers.conversation.platform, chunk=chunk.id, records=unfit)
    memories = memories_of(writers, chunk, records, said)
    try:
        learnt = await proposed(writers, chunk, said)
    except ModelError:
        await _keep(writers, chunk, memories, ())
        raise
    await _keep(writers, chunk, memories, learnt)
    return True


async def _keep(writers: Writers, chunk: Chunk, memories: Sequence[StructuredMemory], learnt: Sequence[Learnt]) -> None:
    async with writers.store.write() as tx:
        at_its_place = await tx.pasts.chunks(writers.conversation, chunk.generation, after_row=chunk.first_row - 1, limit=1)
        if [(each.id, each.is_read) for each in at_its_place] != [(chunk.id, False)]:
            return
        await tx.pasts.put(replace(at_its_place[0], is_read=True))
        await keep_proposed(tx, writers, learnt)
        kept = await tx.pasts.add_structured(memories)
        if writers.building is None:
            await add_structured(tx, writers.conversation, kept)


async def _failed(writers: Writers, chunk: Chunk) -> None:
    failures = chunk.read_failures + 1
    async with writers.store.write() as tx:
        await tx.pasts.put(replace(chunk, read_failures=failures))
    event = "chunk_reading_given_up" if failures >= TRIES else "chunk_not_read"
    log.warning(event, platform=writers.conversation.platform, chunk=chunk.id, failures=failures)


def _record(value: object) -> Record | None:
    try:
        return Record.model_validate(value)
    except ValidationError:
        return None


def _grounded(names: Iterable[str], words: frozenset[str], whole: str) -> tuple[str, ...]:
    """Return the names that share a word with the messages, each once."""
    short = {text_key(name): one_line(name, LONGEST_NAME) for name in reversed(list(names)) if name.strip()}
    fit = [name for key, name in short.items() if terms(name) & words or (not terms(name) and key in whole)]
    return tuple(reversed(fit))[:MOST_NAMES]
