"""What a model forgets: the words that told it stay where they were said, but nothing brings them back any more."""

from collections.abc import Sequence

from bot.domain.chat import ConversationKey
from bot.domain.memory import Memory
from bot.domain.message import StoredMessage
from bot.domain.past import CorpusKey, CorpusKind
from bot.domain.terms import terms
from bot.memory.erasing.echoes import repeats
from bot.memory.erasing.facts import own_words
from bot.memory.erasing.rows import take_documents
from bot.ports.store import Transaction

MOST_LINES = 100
_PAGE = 500


async def told_in(tx: Transaction, memory: Memory) -> Sequence[StoredMessage]:
    """Return the messages that are here by which its author told a memory, now or in an earlier form."""
    journal = await tx.memories.journal(memory.scope, number=memory.number, limit=MOST_LINES)
    rows = {*memory.source_message_ids, *(row for line in journal if line.before != line.after for row in line.source_message_ids)}
    found = [await tx.messages.get(memory.scope.audience, row) for row in sorted(rows)]
    return [said for said in found if said is not None and said.author.id == memory.author.id and not said.author.is_bot]


async def leave_unfound(tx: Transaction, memory: Memory) -> bool:
    """Let search find nothing that tells a memory, before that goes; say whether there are such messages, which all stay."""
    told = await told_in(tx, memory)
    for conversation in dict.fromkeys(said.conversation for said in told):
        sources = [said for said in told if said.conversation == conversation]
        again = await repeats(tx, conversation, memory, sources)
        await take_documents(tx, conversation, [said.id for said in (*sources, *again)])
        await _take_structured(tx, conversation, memory, [said.id for said in sources])
    return bool(told)


async def _take_structured(tx: Transaction, conversation: ConversationKey, memory: Memory, rows: Sequence[int]) -> None:
    """Delete the structured memories that took a source in and share a word with the memory."""
    words = own_words(memory)
    generation, after = (await tx.pasts.state(conversation)).generation, 0
    while page := await tx.pasts.structured_page(conversation, generation, after=after, limit=_PAGE):
        after = page[-1].id
        near = [each for each in page if any(each.first_row <= row <= each.last_row for row in rows)]
        telling = [each.id for each in near if words & terms(each.text)]
        if telling:
            await tx.corpora.remove(CorpusKey(conversation, CorpusKind.STRUCTURED), telling)
            await tx.erasures.take_structured(conversation, telling)
