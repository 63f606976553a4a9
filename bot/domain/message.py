"""What people and the persona say, on its way in and on its way out."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from bot.domain.chat import ConversationKey, ConversationKind


@dataclass(frozen=True, slots=True)
class Person:
    """Who wrote. Known by `id` alone; the display name is only shown, and anybody may bear it."""

    id: str
    display_name: str
    is_bot: bool = False
    is_service: bool = False
    """Stands for nobody in particular: an anonymous admin, a channel writing as itself."""
    roles: frozenset[str] | None = field(default=None, compare=False)
    """The ids of their roles at the moment of the event, in a server that has roles; None where the platform does not tell."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message."""

    name: str
    media_type: str
    size_bytes: int
    url: str
    text: str = ""
    """What a text file says, as far as the adapter read it."""
    duration_seconds: float = 0.0
    """How long a voice message or other recording lasts; 0 where it is none, or the platform does not tell."""
    is_voice: bool = False
    """Somebody spoke it as a message."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The message that this one replies to, as the platform shows it."""

    message_id: str
    author: Person
    text: str
    forwarded_from: Person | None = field(default=None, compare=False)
    """Whose words its author passed on, where the platform tells; known on the way in alone."""


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """One message as a platform adapter understood it. Identity and place come from the event, never from text."""

    conversation: ConversationKey
    kind: ConversationKind
    message_id: str
    author: Person
    text: str
    sent_at: datetime
    addressed_to_bot: bool
    """A direct chat, a mention of the bot, or a reply to it."""
    quote: Quote | None = None
    attachments: tuple[Attachment, ...] = ()
    mentioned: tuple[Person, ...] = ()
    """The people named in the text by mention, the bot left out."""
    is_public: bool = False
    """Everybody in the server or group can read it, as the platform told when it was said. False in doubt."""
    forwarded_from: Person | None = None
    """Whose words the author passes on; None also where the platform does not tell whose they are."""
    only_heard: bool = False
    """It is noted and never answered, whatever it says: it was said too long ago, or began a thread that came later."""
    category_id: str = ""
    """The category that the channel is in, on platforms that have them; of a thread, its channel's."""


@dataclass(frozen=True, slots=True)
class MessageEdit:
    """Somebody changed what they had said."""

    conversation: ConversationKey
    message_id: str
    text: str
    mentioned: tuple[Person, ...] = ()
    """The people whom the new text names by mention, the bot left out."""
    forwarded_from: Person | None = None
    """Whose words it passes on, as in IncomingMessage."""
    attachments: tuple[Attachment, ...] = ()
    """The files that it has now."""
    says_the_same: bool = False
    """Its author changed nothing: a link got its preview, a poll has ended. What was learned of it stays."""


class Role(StrEnum):
    """Whose line it is in a conversation with a model."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class MessageState(StrEnum):
    """Where a stored message stands."""

    HEARD = "heard"
    """History only; nobody asked the bot."""
    WAITING = "waiting"
    """Addressed to the bot and not answered yet."""
    DONE = "done"
    """Answered, answered with silence, or said by the persona."""
    FAILED = "failed"
    """A notice of trouble, or a reply that the platform refused: no part of the history."""


SPEAK_UP = "[. . .]"
"""What stands in place of words where a persona may speak of its own accord."""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message in the store. `id` rises with the order of arrival."""

    id: int
    conversation: ConversationKey
    kind: ConversationKind
    message_id: str
    """The platform's id; empty for a reply that is not sent yet."""
    role: Role
    author: Person
    text: str
    sent_at: datetime
    state: MessageState
    addressed_to_bot: bool = False
    quote: Quote | None = None
    attempts: int = 0
    """How many turns have tried to answer it."""
    persona_id: str = ""
    """Who spoke, in a persona's own line."""
    history_start: int = 0
    """In a persona's own line: the row with which the history of its prompt began; 0 where there was none."""
    is_public: bool = False
    """Everybody in the server or group could read it when it was said."""

    @property
    def is_human(self) -> bool:
        """Say whether a person said it, neither a persona nor another bot."""
        return self.role is Role.USER and not self.author.is_bot

    @property
    def asks_to_go_on(self) -> bool:
        """Say whether nobody wrote it: a command put it in the asker's name, and it goes with the answer. What is written has an id."""
        return self.role is Role.USER and not self.message_id

    @property
    def asks_to_speak_up(self) -> bool:
        """Say whether nobody asked anything: the persona may say something of its own accord."""
        return self.asks_to_go_on and self.text == SPEAK_UP


class StyleKind(StrEnum):
    """How a stretch of text is shown."""

    BOLD = "bold"
    ITALIC = "italic"
    UNDERLINE = "underline"
    STRIKE = "strike"
    SPOILER = "spoiler"
    CODE = "code"
    CODE_BLOCK = "code_block"
    QUOTE = "quote"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Span:
    """A styled stretch of a part's text; offset and length count UTF-16 units. `detail` is a link's address or a code block's language."""

    kind: StyleKind
    offset: int
    length: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """What fits in one platform message. Platforms with markup of their own leave `spans` empty."""

    text: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Byline:
    """Whose line an answer is: a persona, by its id and by the name that people see."""

    persona_id: str
    name: str


@dataclass(frozen=True, slots=True)
class ReplyTarget:
    """Where an answer goes. `reply_to` is the platform's id of the answered message, empty when there is none."""

    conversation: ConversationKey
    kind: ConversationKind
    reply_to: str = ""
    byline: Byline | None = None
    """Who speaks, where several personas share the place and people are to see which one it is."""


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A reply that is decided and stored, and perhaps partly sent."""

    id: int
    target: ReplyTarget
    text: str
    parts_sent: int
    message_row: int
    """The id of the StoredMessage that is this reply."""
    draft_id: str = ""
    """The platform's id of the message that showed it while it was written, if one did."""
    as_file: bool = False
    """It goes as a file with its beginning above it, where the platform has files."""
    byline: Byline | None = field(default=None, compare=False)
    """Who says it, as it was when it was decided; known when it is read."""

    @property
    def follow_up(self) -> ReplyTarget:
        """Return where the parts after the first go: the same place, in reply to nothing."""
        return replace(self.target, reply_to="")
