"""Keeping everything: one store, transactions, and a repository for each noun."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import date, datetime
from typing import Protocol
from uuid import UUID

from bot.domain.chat import Audience, BindingTarget, ConversationKey, MemoryScope
from bot.domain.job import JobRecord
from bot.domain.memory import Fold, HandleGroup, JournalEntry, Level, Memory, RecallNote
from bot.domain.message import IncomingMessage, MessageState, OutboxEntry, ReplyTarget, StoredMessage
from bot.domain.model import Usage
from bot.domain.past import PastNote
from bot.ports.corpus import Corpora
from bot.ports.erasing import Erasures
from bot.ports.graph import Entities, Relations
from bot.ports.past import Leases, Pasts
from bot.ports.pending import PendingMemories
from bot.ports.people import Expiry, People
from bot.ports.personas import Places, SpacePersonas


class Messages(Protocol):
    """What was said, in order of arrival."""

    async def record(self, message: IncomingMessage, state: MessageState) -> StoredMessage | None:
        """Store a message and return it, or None when (platform, conversation, message id) is already known, or was erased.

        It is stored without its quote when the quoted message was erased, or its author was and the message is not here.
        """
        ...

    async def record_reply(
        self, target: ReplyTarget, persona_id: str, name: str, text: str, *, at: datetime, history_start: int = 0
    ) -> StoredMessage:
        """Store a persona's own line, DONE, with an empty message id, its author a bot with the persona's id and name."""
        ...

    async def get(self, audience: Audience, row: int) -> StoredMessage | None:
        """Return the message of that row, if a person said it within that audience; None for any other."""
        ...

    async def history(
        self, conversation: ConversationKey, *, before: int | None = None, after: int = 0, limit: int
    ) -> Sequence[StoredMessage]:
        """Return the last `limit` messages between `after` and `before`, both left out, oldest first, without FAILED ones."""
        ...

    async def page(self, conversation: ConversationKey, *, after: int = 0, limit: int) -> Sequence[StoredMessage]:
        """Return the first `limit` messages with ids above `after`, oldest first, FAILED ones left out."""
        ...

    async def several(self, conversation: ConversationKey, rows: Collection[int]) -> Sequence[StoredMessage]:
        """Return those messages of the rows that were said there, oldest first, FAILED ones left out."""
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

    async def note_recalled(self, row: int, notes: Sequence[RecallNote], past: Sequence[PastNote] = ()) -> None:
        """Keep which memories stood in the prompt of a reply, and what of the conversation's past."""
        ...

    async def last_recalled(self, conversation: ConversationKey) -> Sequence[RecallNote]:
        """Return the notes of the conversation's last reply that has some, in number order."""
        ...

    async def last_recalled_past(self, conversation: ConversationKey) -> Sequence[PastNote]:
        """Return what of the past stood in the prompt of the conversation's last reply that has notes, in the order it was kept."""
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
        """Return the scope's next number, 1 first. One whose transaction was kept is never returned again."""
        ...

    async def add(self, memory: Memory) -> None:
        """Store a memory under its reserved number."""
        ...

    async def put(self, memory: Memory) -> bool:
        """Store the new state of a memory, whatever of it has changed; False when there is no such number."""
        ...

    async def move(self, scope: MemoryScope, numbers: Sequence[int], level: Level, *, used_at: datetime | None = None) -> None:
        """Put memories at a level, and note when they were used if that is given; all else stays as it is."""
        ...

    async def remove(self, scope: MemoryScope, number: int) -> bool:
        """Delete the row and all that makes it findable; False when there is no such number."""
        ...

    async def get(self, scope: MemoryScope, number: int) -> Memory | None:
        """Return the memory of that number."""
        ...

    async def several(self, scope: MemoryScope, numbers: Sequence[int]) -> Sequence[Memory]:
        """Return those memories of the numbers that are there, in number order."""
        ...

    async def by_handle(self, scope: MemoryScope, handle: str) -> Memory | None:
        """Return the one memory whose id begins with these 8 hex digits; None for any other text, and when two share them."""
        ...

    async def same_text(self, scope: MemoryScope, text: str) -> Memory | None:
        """Return a memory that holds and whose text differs from this in case, width, blanks and closing punctuation at most."""
        ...

    async def count(self, scope: MemoryScope, *, levels: Collection[Level] = tuple(Level)) -> int:
        """Return how many memories the scope has at these levels."""
        ...

    async def page(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return up to `limit` memories with numbers above `after`, in number order."""
        ...

    async def at_level(self, scope: MemoryScope, level: Level, *, fading: float, limit: int) -> Sequence[Memory]:
        """Return up to `limit` memories of a level that hold: pinned ones first, then the strongest by fading at that rate a day.

        Equally strong ones come the newer number first.
        """
        ...

    async def faded_below(
        self, scope: MemoryScope, level: Level, threshold: float, *, fading: float, now: datetime, after: int = 0, limit: int
    ) -> Sequence[Memory]:
        """Return memories of a level of which fading at that rate a day leaves less than `threshold`, in number order, none pinned.

        What is left is what `faded_importance` says, to the last bit. Those that no longer hold fade as all others.
        """
        ...

    async def used(self, scope: MemoryScope, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return memories with uses above 0 and numbers above `after`, in number order."""
        ...

    async def deep_groups(self, scope: MemoryScope, *, fading: float, handles: int, limit: int = 30) -> Sequence[HandleGroup]:
        """Return up to `limit` groups of the deep memories that hold, the largest first, each with the handles of its strongest few."""
        ...

    async def about(self, scope: MemoryScope, person_id: str, *, after: int = 0, limit: int) -> Sequence[Memory]:
        """Return memories whose subject or author is that person, in number order."""
        ...

    async def told_by(self, scope: MemoryScope, person_id: str, *, since: datetime, limit: int) -> Sequence[Memory]:
        """Return the last `limit` memories that this person told since then, newest first."""
        ...

    async def count_told_by(self, scope: MemoryScope, person_id: str, *, since: datetime) -> int:
        """Return how many memories this person told since then."""
        ...

    async def search(
        self, scope: MemoryScope, words: str, *, limit: int, levels: Collection[Level] = tuple(Level)
    ) -> Sequence[tuple[Memory, float]]:
        """Return memories of these levels that hold and share words with `words`, best first, each with a score in 0..1, 0 left out.

        Rare words weigh more, as they are rare in the scope; case, punctuation and width do not matter; texts without blanks (Japanese,
        Chinese) match by pairs of characters. The reply path calls it: it reads an index, never all rows. So of the very many memories
        that share nothing but frequent words, only the newest are looked at.
        """
        ...

    async def fold(self, scope: MemoryScope) -> Fold | None:
        """Return the working block as it was last laid down; None when it has to be laid down anew."""
        ...

    async def set_fold(self, scope: MemoryScope, fold: Fold | None) -> None:
        """Keep the working block, or with None ask for a new one."""
        ...

    async def scopes(self, *, persona_id: str, after: str = "", limit: int) -> Sequence[MemoryScope]:
        """Return a persona's scopes that have memories, in the order of their audiences' texts, those after `after`."""
        ...

    async def copy_persona(self, from_id: str, to_id: str) -> int:
        """Copy all memories of a persona, all but the ids kept; return how many. Raises ValueError when the other has some."""
        ...

    async def remove_persona(self, persona_id: str) -> int:
        """Delete all memories of a persona, their journal, and what jobs noted about its scopes; return how many memories."""
        ...

    async def write_journal(self, entries: Iterable[JournalEntry]) -> None:
        """Add entries to the journal."""
        ...

    async def journal(self, scope: MemoryScope, *, number: int | None = None, limit: int) -> Sequence[JournalEntry]:
        """Return the last entries of the scope, or of one number in it, newest first."""
        ...

    async def journal_of_run(self, scope: MemoryScope, run: str) -> Sequence[JournalEntry]:
        """Return all entries of a run about a scope, in the order they were written."""
        ...

    async def blank_journal(self, memory_id: UUID) -> None:
        """Take every text of a memory out of its journal entries; that it was changed, when and by whom stays."""
        ...


class Nights(Protocol):
    """Jobs that run once a local day in a whole cluster, and what they did."""

    async def claim(self, job: str, subject: str, day: date, at: datetime) -> bool:
        """Return True to exactly one caller for each (job, subject, day)."""
        ...

    async def last_day(self, job: str, subject: str) -> date | None:
        """Return the latest day that was claimed; None when none was."""
        ...

    async def release(self, job: str, subject: str, day: date) -> None:
        """Take a claim back, as if nobody had made it."""
        ...

    async def finish(self, record: JobRecord) -> None:
        """Note how a run ended; a second note of the same run replaces the first."""
        ...

    async def last(self, job: str, subject: str) -> JobRecord | None:
        """Return the latest finished run that was neither skipped nor refused."""
        ...

    async def get(self, run: str) -> JobRecord | None:
        """Return one run."""
        ...

    async def history(self, *, job: str = "", subject: str = "", limit: int) -> Sequence[JobRecord]:
        """Return the last runs, newest first; empty texts stand for all."""
        ...


class SpaceSettings(Protocol):
    """What admins have set for a server, a group or a direct chat."""

    async def all(self, platform: str, space_id: str) -> Mapping[str, str]:
        """Return the settings by name."""
        ...

    async def everywhere(self, names: Collection[str]) -> Mapping[tuple[str, str], Mapping[str, str]]:
        """Return the settings of these names, by platform and space; spaces without any are left out."""
        ...

    async def set(self, platform: str, space_id: str, name: str, value: str) -> None:
        """Keep a setting; an empty value removes it."""
        ...


class Outbox(Protocol):
    """Replies that are decided and must reach people."""

    async def put(self, target: ReplyTarget, text: str, message_row: int, *, draft_id: str = "") -> OutboxEntry:
        """Store a reply to be sent, under an id that is never used again: platforms drop doubles by it.

        With a `draft_id`, it takes the place of the message that showed its draft, which is no draft any more.
        """
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

    async def draft(self, conversation: ConversationKey) -> str:
        """Return the platform's id of the message that shows an unfinished answer there; empty when none does."""
        ...

    async def drafted_conversations(self) -> Sequence[ConversationKey]:
        """Return the conversations in which a message shows an unfinished answer."""
        ...

    async def set_draft(self, conversation: ConversationKey, message_id: str) -> None:
        """Keep which message shows an unfinished answer, so that a crash leaves none behind; an empty id says that none does."""
        ...


class Bindings(Protocol):
    """Which persona speaks where. A binding belongs to its place and outlives every conversation."""

    async def bind(self, target: BindingTarget, persona_id: str) -> None:
        """Bind a persona to a place, replacing the one before."""
        ...

    async def find(self, targets: Sequence[BindingTarget]) -> str | None:
        """Return the persona bound to the first of the targets that has one."""
        ...

    async def around(self, conversation: ConversationKey) -> str | None:
        """Return the persona bound to the narrowest place around a conversation: its thread, channel, category or whole space."""
        ...

    async def free(self, target: BindingTarget) -> bool:
        """Take a place's binding away; False when there was none."""
        ...


class UsageLog(Protocol):
    """Tokens spent."""

    async def add(self, conversation: ConversationKey, persona_id: str, usage: Usage, at: datetime) -> None:
        """Note what one generation cost."""
        ...

    async def totals(self, conversation: ConversationKey) -> Usage:
        """Return the conversation's sums, with an empty model name."""
        ...

    async def spent(self, since: date, *, space: tuple[str, str] | None = None, persona_id: str = "") -> int:
        """Return the tokens, of prompts and replies together, spent from a day of UTC on.

        They are those of a space (platform and id), of a persona everywhere, or of a persona in that space. Raises ValueError for neither.
        """
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
    @property
    def nights(self) -> Nights: ...
    @property
    def settings(self) -> SpaceSettings: ...
    @property
    def relations(self) -> Relations: ...
    @property
    def pasts(self) -> Pasts: ...
    @property
    def corpora(self) -> Corpora: ...
    @property
    def leases(self) -> Leases: ...
    @property
    def people(self) -> People: ...
    @property
    def expiry(self) -> Expiry: ...
    @property
    def erasures(self) -> Erasures: ...
    @property
    def pending(self) -> PendingMemories: ...
    @property
    def personas(self) -> SpacePersonas: ...
    @property
    def places(self) -> Places: ...


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
        """Commit at the end, roll back when the body raises. Keep it short: no model, no platform inside.

        Of two that turn to the memories of one scope, the second waits there for the end of the first: neither undoes what the other did.
        """
        ...

    async def wipe(self) -> int | None:
        """Let nothing of what was deleted be left in the database's own files, or in memory.

        Return how many copies of the database, made before upgrades, were deleted; None when others kept it from being done: try again.
        """
        ...
