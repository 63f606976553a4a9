"""Keeping everything: one store, transactions, and a repository for each noun."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from bot.domain.chat import Audience, BindingTarget, ConversationKey, MemoryScope
from bot.domain.entity import EntityMention
from bot.domain.memory import JournalEntry, Memory
from bot.domain.message import IncomingMessage, MessageState, OutboxEntry, ReplyTarget, StoredMessage
from bot.domain.model import Usage


class Messages(Protocol):
    """What was said, in order of arrival."""

    async def record(self, message: IncomingMessage, state: MessageState) -> StoredMessage | None:
        """Store a message and return it, or None when (platform, conversation, message id) is already known."""
        ...

    async def record_reply(self, target: ReplyTarget, persona_id: str, name: str, text: str, at: datetime) -> StoredMessage:
        """Store a persona's own line, DONE, with an empty message id, its author a bot with the persona's id and name."""
        ...

    async def get(self, row: int) -> StoredMessage | None:
        """Return the message of that row id."""
        ...

    async def history(self, conversation: ConversationKey, *, before: int, limit: int) -> Sequence[StoredMessage]:
        """Return the last `limit` messages with ids below `before`, oldest first, FAILED ones left out."""
        ...

    async def last_heard(self, platform: str, *, limit: int) -> Sequence[StoredMessage]:
        """Return the last message that a person wrote in each conversation of a platform, the newest first."""
        ...

    async def waiting(self, conversation: ConversationKey) -> Sequence[StoredMessage]:
        """Return the messages that wait for an answer, oldest first."""
        ...

    async def waiting_conversations(self) -> Sequence[ConversationKey]:
        """Return the conversations with waiting messages, the longest waiting first."""
        ...

    async def set_state(self, rows: Sequence[int], state: MessageState) -> None:
        """Move messages to a state."""
        ...

    async def count_attempt(self, rows: Sequence[int]) -> None:
        """Add one to the attempts of messages that a turn is about to answer."""
        ...

    async def set_platform_id(self, row: int, message_id: str) -> None:
        """Give a sent reply the id the platform gave it; an id that is known already changes nothing."""
        ...

    async def change_text(self, conversation: ConversationKey, message_id: str, text: str) -> bool:
        """Replace a message's text; False when it is unknown."""
        ...


class Memories(Protocol):
    """What personas remember. Every call names the scope; nothing is ever found across scopes."""

    async def reserve_number(self, scope: MemoryScope) -> int:
        """Return the scope's next number, 1 first.

        Once the transaction is kept, that number is never returned again, not even after a crash or a deletion.
        """
        ...

    async def add(self, memory: Memory) -> None:
        """Store a memory under its reserved number."""
        ...

    async def revise(self, scope: MemoryScope, number: int, text: str, at: datetime) -> bool:
        """Replace text and updated time; False when there is no such number."""
        ...

    async def remove(self, scope: MemoryScope, number: int) -> bool:
        """Delete the row and all that makes it findable; False when there is no such number."""
        ...

    async def get(self, scope: MemoryScope, number: int) -> Memory | None:
        """Return the memory of that number."""
        ...

    async def count(self, scope: MemoryScope) -> int:
        """Return how many memories the scope has."""
        ...

    async def page(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return up to `limit` memories with numbers above `after`, in number order."""
        ...

    async def latest(self, scope: MemoryScope, *, limit: int) -> Sequence[Memory]:
        """Return up to `limit` memories, the last changed first, ties by higher number first."""
        ...

    async def about(self, scope: MemoryScope, person_id: str, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return memories whose subject or author is that person, in number order."""
        ...

    async def search(self, scope: MemoryScope, words: str, *, limit: int) -> Sequence[tuple[Memory, float]]:
        """Return memories that share words with `words`, best first, each with a score above 0 and at most 1.

        Rare words weigh more, and words that say nothing ("what are you") weigh nothing. Case, punctuation and width do not
        matter; texts without blanks (Japanese, Chinese) match by pairs of characters. The reply path calls it: it reads an
        index, never all rows.
        """
        ...

    async def copy_persona(self, from_id: str, to_id: str) -> int:
        """Copy all memories of a persona, times and numbers kept, to one that has none; return how many.

        Copies get new ids. Raises ValueError when the other persona has memories.
        """
        ...

    async def remove_persona(self, persona_id: str) -> int:
        """Delete all memories of a persona and their journal; return how many memories."""
        ...

    async def write_journal(self, entries: Iterable[JournalEntry]) -> None:
        """Add entries to the journal."""
        ...

    async def journal(self, scope: MemoryScope, *, limit: int) -> Sequence[JournalEntry]:
        """Return the last entries, newest first."""
        ...


class Outbox(Protocol):
    """Replies that are decided and must reach people."""

    async def put(self, target: ReplyTarget, text: str, message_row: int) -> OutboxEntry:
        """Store a reply to be sent, under an id that is never used again: platforms drop doubles by it."""
        ...

    async def unsent(self, conversation: ConversationKey) -> Sequence[OutboxEntry]:
        """Return the conversation's unsent replies, oldest first."""
        ...

    async def unsent_conversations(self) -> Sequence[ConversationKey]:
        """Return the conversations with unsent replies, oldest reply first."""
        ...

    async def mark_part_sent(self, entry_id: int, parts_sent: int) -> None:
        """Note that this many parts have been sent."""
        ...

    async def remove(self, entry_id: int) -> None:
        """Drop a reply that is sent or can never be."""
        ...


class Bindings(Protocol):
    """Which persona speaks where. A binding belongs to its place and outlives every conversation."""

    async def bind(self, target: BindingTarget, persona_id: str) -> None:
        """Bind a persona to a place, replacing the one before."""
        ...

    async def find(self, targets: Sequence[BindingTarget]) -> str | None:
        """Return the persona bound to the first of the targets that has one."""
        ...


class Entities(Protocol):
    """Names dropped in messages, walled by audience."""

    async def add(self, audience: Audience, message_row: int, mentions: Sequence[EntityMention]) -> None:
        """Store mentions with the message they stood in; a repeat of (message, name) does nothing."""
        ...

    async def mentions(self, audience: Audience, name: str, *, limit: int) -> Sequence[tuple[int, EntityMention]]:
        """Return the last mentions of a name, whatever its case, each with its message row, newest first."""
        ...


class UsageLog(Protocol):
    """Tokens spent."""

    async def add(self, conversation: ConversationKey, persona_id: str, usage: Usage, at: datetime) -> None:
        """Note what one generation cost."""
        ...

    async def totals(self, conversation: ConversationKey) -> Usage:
        """Return the conversation's sums, with an empty model name."""
        ...


class Transaction(Protocol):
    """One transaction over all repositories: all of it is stored or none."""

    @property
    def messages(self) -> Messages: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def bindings(self) -> Bindings: ...
    @property
    def entities(self) -> Entities: ...
    @property
    def usage(self) -> UsageLog: ...


class Store(Protocol):
    """The database. Safe for many tasks and many processes at once."""

    async def open(self) -> None:
        """Connect and check. Raises `StoreDamaged` or `SchemaMismatch`, and changes nothing then."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...

    def read(self) -> AbstractAsyncContextManager[Transaction]:
        """Give a consistent view; writing in it raises `StoreError`."""
        ...

    def write(self) -> AbstractAsyncContextManager[Transaction]:
        """Commit at the end, roll back when the body raises. Keep it short: no model, no platform inside."""
        ...
