"""Messages that go, with their memories and all that search knows of them."""

from collections.abc import Collection, Sequence
from datetime import datetime

from bot.domain.chat import Audience, ConversationKey
from bot.domain.erasing import Counts, Kept, added
from bot.domain.memory import Memory
from bot.domain.message import StoredMessage
from bot.domain.past import CorpusKey, CorpusKind
from bot.memory.erasing.facts import take_facts
from bot.memory.past.index import document_of
from bot.ports.erasing import Taken
from bot.ports.store import Transaction


async def take_rows(
    tx: Transaction,
    conversation: ConversationKey,
    messages: Sequence[StoredMessage],
    audiences: Collection[Audience],
    *,
    person_id: str = "",
    only: Memory | None = None,
    at: datetime,
) -> Counts:
    """Delete messages of a conversation and what rests on them, with a person also what quotes them; return what went."""
    answers = await tx.erasures.answers(conversation, [message.message_id for message in messages])
    going = list({message.id: message for message in (*messages, *answers)}.values())
    facts = await take_facts(tx, audiences, going, only=only, at=at) if going else {}
    documents = await take_documents(tx, conversation, [message.id for message in going])
    taken = await tx.erasures.take_messages(conversation, going, audiences=audiences, person_id=person_id, at=at)
    await take_structured(tx, taken)
    return added(facts, taken.counts, {Kept.DOCUMENTS: documents})


async def take_structured(tx: Transaction, taken: Taken) -> None:
    """Let search no longer find structured memories that are gone."""
    for conversation, ids in taken.structured.items():
        if ids:
            await tx.corpora.remove(CorpusKey(conversation, CorpusKind.STRUCTURED), ids)


async def take_documents(tx: Transaction, conversation: ConversationKey, rows: Sequence[int]) -> int:
    """Take messages out of search and return how many were there.

    The vector of a message that follows one of them is made of both: it comes anew.
    """
    if not rows:
        return 0
    key = CorpusKey(conversation)
    known = (await tx.corpora.documents(key)).ids
    followers: dict[int, StoredMessage] = {}
    gone = set(rows)
    for row in rows:
        after = known[known > row]
        following = next((int(each) for each in after[: len(rows) + 1] if int(each) not in gone), 0)
        if following and following not in followers:
            followers |= {each.id: each for each in await tx.messages.several(conversation, [following])}
    removed = await tx.corpora.remove(key, rows)
    if followers:
        await tx.corpora.add(key, [document_of(each) for each in followers.values()])
    return removed
