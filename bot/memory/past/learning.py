"""Reading messages for names and what holds between them, in the order in which they were said."""

from collections.abc import Awaitable, Callable, Sequence

from bot.domain.chat import Audience
from bot.domain.message import StoredMessage
from bot.memory.past.writers import Writers
from bot.ports.store import Transaction

LEARNT_AT_ONCE = 20
"""Messages that are read and stored together."""

Store = Callable[[Transaction], Awaitable[None]]
Learn = Callable[[Writers, Audience, Sequence[StoredMessage]], Awaitable[Store]]
"""Reads messages, outside of any transaction, and returns what stores what they say. May raise ModelError; then nothing is stored."""


async def learn_from(writers: Writers, audience: Audience, learn: Learn) -> int:
    """Read all messages that were not read for names and relations; return how many there were. Raises ModelError as `learn` does."""
    read = 0
    while True:
        async with writers.store.read() as tx:
            after = (await tx.pasts.state(writers.conversation)).related_row
            page = await tx.messages.page(writers.conversation, after=after, limit=LEARNT_AT_ONCE)
        if not page:
            return read
        store = await learn(writers, audience, page)
        async with writers.store.write() as tx:
            await store(tx)
            await tx.pasts.note(writers.conversation, related_row=page[-1].id)
        read += len(page)
