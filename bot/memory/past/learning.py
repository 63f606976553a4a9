"""Reading messages for names and what holds between them: by rules at once, and once a chunk by the model that there is.

Only what their authors say themselves is read: what they forward or attach is not their word.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.domain.chat import Audience
from bot.domain.message import StoredMessage
from bot.domain.past import Chunk, Relation
from bot.domain.text import text_key
from bot.memory.gate.own_words import own_words
from bot.memory.graph import learn, relations_of
from bot.memory.past.lines import lines_of
from bot.memory.past.prompts import claims_prompt
from bot.memory.past.writers import Writers
from bot.memory.triples import grounded, parsed_triples, triples_prompt
from bot.ports.extractor import Extractor
from bot.ports.store import Transaction

LEARNT_AT_ONCE = 8
"""Messages that are read and stored together: few, as a chat may wait for the end of the transaction."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a message says of names."""

    message: StoredMessage
    relations: Sequence[Relation]


async def unrelated(tx: Transaction, writers: Writers) -> Sequence[StoredMessage]:
    """Return the next messages that were not read for names and relations."""
    after = (await tx.pasts.state(writers.conversation)).related_row
    return await tx.messages.page(writers.conversation, after=after, limit=LEARNT_AT_ONCE)


async def learn_by_rules(
    writers: Writers,
    audience: Audience,
    extractor: Extractor,
    first: Sequence[StoredMessage] | None = None,
    *,
    checked_row: int | None = None,
) -> int:
    """Read all messages that were not read for names and relations, in their order; return how many there were.

    The first of them may have been read from the store already. The row of a check for chunks is noted with what is learned of them.
    """
    read = 0
    while True:
        if first is None:
            async with writers.store.read() as tx:
                first = await unrelated(tx, writers)
        page, first = first, None
        if page:
            await _learn_page(writers, audience, extractor, page, checked_row=checked_row)
        read += len(page)
        if len(page) < LEARNT_AT_ONCE:
            return read


async def _learn_page(
    writers: Writers, audience: Audience, extractor: Extractor, page: Sequence[StoredMessage], *, checked_row: int | None
) -> None:
    people = [message for message in page if message.is_human]
    readings = await extractor.read([own_words(message.text) for message in people])
    async with writers.store.write() as tx:
        for message, reading in zip(people, readings, strict=True):
            await learn(tx, audience, message, reading.mentions, relations_of(reading.claims, message))
        await tx.pasts.note(writers.conversation, related_row=page[-1].id, checked_row=checked_row)


async def proposed(writers: Writers, chunk: Chunk, said: Iterable[StoredMessage]) -> Sequence[Learnt]:
    """Return what the model finds in a chunk's messages, as far as they say so; nothing where it is not known who may see it.

    Raises ModelError when the model gives no answer.
    """
    own = [(message, own_words(message.text)) for message in said if message.is_human]
    people = [replace(message, text=words) for message, words in own if words]
    if writers.audience is None or writers.building is not None or not people:
        return ()
    lines = lines_of(people, most_tokens=writers.policy.chunk_tokens, tokens=writers.tokens)
    answer = await writers.ask(claims_prompt(writers.persona, chunk, lines, triples_prompt()))
    async with writers.store.write() as tx:
        await writers.note_usage(tx, answer)
    claims = parsed_triples(answer.text)
    found = []
    for message in people:
        text = text_key(message.text)
        near = [claim for claim in claims if text_key(claim.object) in text]
        found.append(Learnt(message, grounded(near, message) if near else ()))
    return [each for each in found if each.relations]


async def keep_proposed(tx: Transaction, writers: Writers, learnt: Iterable[Learnt]) -> None:
    """Store what a model has found."""
    if writers.audience is not None:
        for each in learnt:
            await learn(tx, writers.audience, each.message, (), each.relations)
