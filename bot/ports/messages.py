"""What was said, and what is to be said."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from bot.domain.chat import Audience, ConversationKey
from bot.domain.memory import RecallNote
from bot.domain.message import Attachment, IncomingMessage, MessageState, OutboxEntry, ReplyTarget, StoredMessage
from bot.domain.past import PastNote


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
        """Return the last message that a person wrote in each conversation of a platform, the newest first.

        Where nobody has written for a hundred thousand messages of other places, there may be none.
        """
        ...

    async def waiting(self, conversation: ConversationKey) -> Sequence[StoredMessage]:
        """Return the messages that wait for an answer, oldest first."""
        ...

    async def waiting_conversations(self, *, limit: int | None = None) -> Sequence[ConversationKey]:
        """Return the conversations with waiting messages, at most `limit` of them, the longest waiting first."""
        ...

    async def set_state(self, rows: Sequence[int], state: MessageState) -> None:
        """Move messages to a state."""
        ...

    async def settle(self, rows: Sequence[int]) -> bool:
        """Move messages that wait for an answer to DONE; False when not all of them waited: then roll the transaction back."""
        ...

    async def files(self, rows: Collection[int]) -> Mapping[int, Sequence[Attachment]]:
        """Return the files of messages that are still to be looked at, by row, without what they say."""
        ...

    async def tell_files(self, row: int, text: str, left: Sequence[Attachment]) -> None:
        """Replace a message's text by one that tells what its files say; `left` are those that are still to be looked at."""
        ...

    async def count_attempt(self, rows: Sequence[int], *, weight: int = 1) -> None:
        """Add to the attempts of messages that a turn is about to answer, or has failed to."""
        ...

    async def reopen(self, rows: Sequence[int]) -> None:
        """Let messages wait for an answer again, as if nobody had tried to give one."""
        ...

    async def note_recalled(self, row: int, notes: Sequence[RecallNote], past: Sequence[PastNote] = ()) -> None:
        """Keep which memories stood in the prompt of a reply, and what of the conversation's past; the last 50 of a conversation stay."""
        ...

    async def recalled(self, conversation: ConversationKey, row: int | None = None) -> Sequence[RecallNote]:
        """Return the notes of a reply, in number order; without a row, of the conversation's last one that has some."""
        ...

    async def recalled_past(self, conversation: ConversationKey, row: int | None = None) -> Sequence[PastNote]:
        """Return what of the past stood in the prompt of that reply, in the order it was kept."""
        ...

    async def set_platform_id(self, row: int, message_id: str) -> None:
        """Give a sent reply the id the platform gave it; an id that is known already changes nothing."""
        ...

    async def keep_part(self, row: int, number: int, message_id: str) -> None:
        """Keep the platform's id of a further message that a long reply fills, the second one by number 1; a known id changes nothing."""
        ...

    async def parts_of(self, rows: Collection[int]) -> Mapping[int, Sequence[str]]:
        """Return the ids of those further messages in order, by the reply's row; replies of one message are left out."""
        ...

    async def change_text(self, conversation: ConversationKey, message_id: str, text: str) -> bool:
        """Replace a message's text; False when it is unknown."""
        ...


class Outbox(Protocol):
    """Replies that are decided and must reach people."""

    async def put(self, target: ReplyTarget, text: str, message_row: int, *, draft_id: str = "", as_file: bool = False) -> OutboxEntry:
        """Store a reply to be sent, under an id that is never used again: platforms drop doubles by it.

        With a `draft_id`, it takes the place of the message that showed its draft, which is no draft any more. `as_file` has it
        sent as a file with its beginning above it.
        """
        ...

    async def unsent(self, conversation: ConversationKey) -> Sequence[OutboxEntry]:
        """Return the conversation's unsent replies, oldest first, each with the byline of the persona whose line it is."""
        ...

    async def unsent_conversations(self, *, limit: int | None = None) -> Sequence[ConversationKey]:
        """Return the conversations with unsent replies, at most `limit` of them, oldest reply first."""
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
