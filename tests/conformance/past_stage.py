"""A conversation whose past can be found, for the readers."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.domain.chat import ConversationKey
from bot.domain.message import MessageState, StoredMessage
from bot.domain.past import CorpusKey
from bot.jobs.past import PastJob
from bot.memory.past.index import document_of
from bot.ports.store import Store
from bot.testing.bot import Bot
from bot.testing.clock import START
from bot.testing.factories import DIRECT, incoming
from bot.testing.tokens import WordTokens

SESSION = timedelta(hours=5)


class WordsAndAThird:
    """A TokenCounter that takes a word for 1.3 tokens."""

    def count(self, text: str) -> int:
        """Return the words, times 1.3."""
        return round(len(text.split()) * 1.3)


async def told(store: Store, *texts: str, at: datetime = START, conversation: ConversationKey = DIRECT) -> Sequence[StoredMessage]:
    """Let Ada say something, each in a session of its own, and let search find it."""
    rows = []
    async with store.write() as tx:
        for number, text in enumerate(texts):
            sent = at + number * SESSION
            message = incoming(text, message_id=f"{sent.isoformat()} {text[:20]}", conversation=conversation, sent_at=sent)
            row = await tx.messages.record(message, MessageState.HEARD)
            assert row is not None
            rows.append(row)
        await tx.corpora.add(CorpusKey(conversation), [document_of(row) for row in rows])
    return rows


async def index(bot: Bot, conversation: ConversationKey = DIRECT) -> None:
    """Let search find all that was said in a bot's conversation, as the background does after a reply."""
    await PastJob(bot.store, bot.clock, WordTokens(), bot.personas, None, lambda _: None, pause=0.0)(conversation)
