"""Which memories go with messages: those that rest on nothing else."""

from collections.abc import Collection, Sequence
from datetime import datetime

from bot.domain.chat import Audience
from bot.domain.erasing import Counts, added
from bot.domain.memory import Memory
from bot.domain.message import StoredMessage
from bot.domain.terms import terms
from bot.memory.shares import take_copies
from bot.ports.erasing import Resting
from bot.ports.store import Transaction


async def take_facts(
    tx: Transaction, audiences: Collection[Audience], messages: Sequence[StoredMessage], *, only: Memory | None = None, at: datetime
) -> Counts:
    """Delete the memories that rest on these messages alone, and return what went; the others no longer rest on them.

    The messages are still there. A memory goes as well when it has a word from them that nothing else gave it. With `only`, which is
    being forgotten, no other goes that does not say all of it: the words of others in the same message are gone, but not what was
    made of them.
    """
    counts: Counts = {}
    rows = {message.id for message in messages}
    for audience in audiences:
        for resting in await tx.erasures.resting(audience, rows):
            if await _goes(tx, resting, messages, only):
                copies = await take_copies(tx, resting.scope, resting.number, resting.id, at)
                taken = added(copies, await tx.erasures.take_memory(resting.scope, resting.number, resting.id, at))
            else:
                taken = await tx.erasures.trim(resting, rows)
            counts = added(counts, taken)
    return counts


def says_all(text: str, memory: Memory) -> bool:
    """Say whether a text says all that a memory says, whoever is named."""
    wanted = own_words(memory)
    return bool(wanted) and wanted <= terms(text)


def own_words(memory: Memory) -> frozenset[str]:
    """Return the words of a memory without the names of whom it is about and who said it."""
    named = terms(" ".join([memory.author.display_name, memory.subject.display_name if memory.subject else ""]))
    return terms(memory.text) - named or terms(memory.text)


async def _goes(tx: Transaction, resting: Resting, messages: Sequence[StoredMessage], only: Memory | None) -> bool:
    if resting.memory is None:
        return only is None or any(says_all(text, only) for text in resting.texts)
    if only is not None:
        return resting.id == only.id or says_all(resting.memory.text, only)
    going = {message.id for message in messages}
    left = resting.rows - going
    if not left and resting.memory.source_message_ids:
        return True
    taken = frozenset[str]().union(*(terms(message.text) for message in messages if message.id in resting.rows))
    others = [said.text for row in left if (said := await tx.messages.get(resting.scope.audience, row)) is not None]
    given = frozenset[str]().union(*map(terms, (*others, *resting.before)))
    return bool(terms(resting.memory.text) & taken - given)
