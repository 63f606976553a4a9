"""Chat platforms."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, runtime_checkable

from bot.domain.chat import ConversationKey
from bot.domain.command import Answer, AnswerFile, Choice, Command, CommandCall
from bot.domain.message import Attachment, IncomingMessage, MessageEdit, Part, ReplyTarget, StoredMessage
from bot.domain.persona import Avatar

ShowDraft = Callable[[str], Awaitable[None]]
NotePosted = Callable[[str], Awaitable[None]]
"""Takes the platform's id of a message that shows a draft, as soon as it is there."""
GetPicture = Callable[[], Awaitable[Avatar | None]]
"""Returns the picture of the persona that speaks, if it has one; it comes from the store each time."""


class CommandRunner(Protocol):
    """Runs commands and helps to type them."""

    @property
    def commands(self) -> Sequence[Command]:
        """All commands, to be offered in the platform's own way."""
        ...

    async def run(self, call: CommandCall) -> Answer:
        """Return what the command says. Never raises for what a user did wrong: the answer says it."""
        ...

    async def suggest(self, call: CommandCall, option: str, typed: str) -> Sequence[Choice]:
        """Return at most 25 choices for an option that is being typed."""
        ...

    async def prefill(self, call: CommandCall, option: str) -> str:
        """Return what stands in the form of an option before anybody has written there; nothing for who may not see it."""
        ...


class Inbox(Protocol):
    """What an adapter hands its events to."""

    @property
    def commands(self) -> Sequence[Command]:
        """All commands, to be offered in the platform's own way."""
        ...

    async def receive(self, message: IncomingMessage) -> None:
        """Take a message. It is safely stored when this returns; a repeat of a known message does nothing."""
        ...

    async def last_heard(self, platform: str, *, limit: int) -> Sequence[StoredMessage]:
        """Return people's last stored message of each conversation of a platform, the newest first: where to catch up after a stop."""
        ...

    async def edit(self, edit: MessageEdit) -> None:
        """Take the news that a message was changed. Gives no second answer."""
        ...

    async def delete(self, conversation: ConversationKey, message_ids: Sequence[str]) -> None:
        """Take the news that messages were deleted: they are erased, and what rests on them alone."""
        ...

    async def left(self, platform: str, space_id: str) -> None:
        """Take the news that the bot is no longer in a server or group: what is kept of it goes after some time."""
        ...

    async def joined(self, platform: str, *space_ids: str) -> None:
        """Take the news that the bot is in servers or groups; many at once cost one look."""
        ...

    async def moved(self, platform: str, old_id: str, new_id: str) -> None:
        """Take the news that a group goes on under another id, as often as it comes: all that is kept of it follows."""
        ...

    async def run_command(self, call: CommandCall) -> Answer:
        """Return what the command says. Never raises for what a user did wrong: the answer says it."""
        ...

    async def suggest(self, call: CommandCall, option: str, typed: str) -> Sequence[Choice]:
        """Return at most 25 choices for an option that is being typed."""
        ...

    async def prefill(self, call: CommandCall, option: str) -> str:
        """Return what stands in the form of an option before anybody has written there; nothing for who may not see it."""
        ...


@runtime_checkable
class PublicPlaces(Protocol):
    """What a platform may know beside: which places everybody in their server or group can read. One that does not has none."""

    async def is_public(self, conversation: ConversationKey) -> bool:
        """Say whether it is so just now, by what the platform has told; False in doubt, and after any change that nobody was told of."""
        ...


@runtime_checkable
class Connected(Protocol):
    """What a platform may know beside: whether it is connected. One that does not counts as waiting."""

    @property
    def is_connected(self) -> bool:
        """Say whether it is so just now."""
        ...


@runtime_checkable
class SelfCheck(Protocol):
    """What a platform may know beside: which rights the bot lacks. One whose bots need none does not have it."""

    async def missing_rights(self, conversation: ConversationKey) -> Sequence[str]:
        """Return what the bot may not do there just now, in the platform's own words, such as "Send Messages in Threads".

        What it can do without comes last and says "(optional)". Empty when nothing is missing, and while that is not known.
        """
        ...


@runtime_checkable
class FileSource(Protocol):
    """What a platform may offer beside: the files that came with its messages."""

    async def fetch(self, attachment: Attachment, *, limit: int) -> bytes:
        """Return the bytes of a file of this platform, at most `limit`. Raises FileUnavailable."""
        ...


@runtime_checkable
class ListensAlone(Protocol):
    """What a platform may say beside: that its events go to one process alone. One that does not is listened to by each gateway."""

    @property
    def listens_alone(self) -> bool:
        """Say whether it would refuse a second process."""
        ...


@runtime_checkable
class SendsAlone(Protocol):
    """What a platform may offer beside: sending without taking events in. Workers serve only platforms that do."""

    @property
    def name(self) -> str:
        """The `platform` of its conversations."""
        ...

    async def run_sending(self, inbox: Inbox) -> None:
        """Log in, and be able to send until cancelled; the inbox hears what sending brings to light, and nothing else.

        Outages are waited out with back-off. Raises `LoginRefused` when the token is wrong. What only a connection for events
        would tell, such as who may read a channel, is not known then: it is denied.
        """
        ...


@runtime_checkable
class Reactions(Protocol):
    """What a platform may offer beside: emoji below somebody's message."""

    async def react(self, target: ReplyTarget, emoji: str) -> None:
        """Put a reaction of the bot's to the message that the target replies to. Failures are logged, never raised."""
        ...


@runtime_checkable
class FileDelivery(Protocol):
    """What a platform may offer beside: messages with a file."""

    async def send_file(self, target: ReplyTarget, file: AnswerFile, text: str, *, nonce: str = "") -> str:
        """Send a file below some Markdown, at most 900 characters of it, and return the platform's id of the message.

        It waits, raises, and takes its `nonce`, as `send` does.
        """
        ...


@runtime_checkable
class Bylines(Protocol):
    """What a platform may offer beside: it shows which of several personas speaks. Elsewhere its name stands in the answer."""

    async def shows_byline(self, target: ReplyTarget, picture: GetPicture) -> bool:
        """Say whether people see the target's byline there without its name in the text. Never raises: in doubt it is False.

        It is asked before each draft and each answer, and what it says holds for what is sent to that target next.
        """
        ...


@runtime_checkable
class Nicknames(Protocol):
    """What a platform may offer beside: another name for the bot in each server."""

    async def rename(self, conversation: ConversationKey, name: str) -> None:
        """Call the bot so in the conversation's server; an empty name gives its own back. Raises PlatformError, which says what to do."""
        ...


class Draft(Protocol):
    """An unfinished answer that people may see grow."""

    @property
    def message_id(self) -> str:
        """The platform's id of the message that shows it; empty while none does, and where it is shown in another way."""
        ...

    async def show(self, text: str) -> None:
        """Show the visible text so far; returns at once or soon. Failures are logged, never raised."""
        ...


class Platform(Protocol):
    """A chat platform: brings events in, carries answers out."""

    @property
    def name(self) -> str:
        """The `platform` of its conversations."""
        ...

    async def run(self, inbox: Inbox) -> None:
        """Connect, hand every event to the inbox, stay connected until cancelled, then close quickly.

        Outages are waited out with back-off. Raises `LoginRefused` when the token is wrong or a right is missing. The console
        returns when its input ends.
        """
        ...

    def parts(self, text: str) -> Sequence[Part]:
        """Return Markdown as messages the platform takes, in order; the same text always gives the same parts. Blank text gives none."""
        ...

    async def send(self, target: ReplyTarget, part: Part, *, nonce: str, draft_id: str = "") -> str:
        """Send one part and return the platform's id of it. Waits a few seconds for a connection that is being made.

        The first part of an answer carries `target.reply_to`; nobody but its author is notified. With the id of a message that
        shows a draft, that message becomes the part; where it is gone, the part is sent anew. A platform that can refuse doubles
        sends a `nonce` (at most 25 characters) once. Raises `DeliveryRefused`, or `DeliveryDelayed`, which says whether only this
        has to wait or all that would leave for the platform.
        """
        ...

    def composing(self, target: ReplyTarget, *, draft_id: str = "", posted: NotePosted | None = None) -> AbstractAsyncContextManager[Draft]:
        """Show that an answer is being written, as long as the context is open.

        What it yields shows the visible text so far: in the platform's own way if it has one, else, if `posted` is given, in a
        message that is edited at the platform's pace. `draft_id` is such a message of an earlier try, which is gone on with.
        Failures to show either are logged, never raised.
        """
        ...

    async def withdraw(self, target: ReplyTarget, draft_id: str) -> None:
        """Take away a message that showed a draft of which nothing came. Failures are logged, never raised."""
        ...
