"""Commands, defined once and offered by each platform in its own way."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import Person


class OptionKind(StrEnum):
    """What an option takes."""

    TEXT = "text"
    NUMBER = "number"


class WhoMay(StrEnum):
    """Who may run a command."""

    EVERYONE = "everyone"
    ADMINS = "admins"
    """Who may manage the server, chat admins, and anybody in their own direct chat."""


@dataclass(frozen=True, slots=True)
class CommandCall:
    """One use of a command. Who asks, where, and with what rights comes from the platform event."""

    path: tuple[str, ...]
    """`("memory", "list")`."""
    options: Mapping[str, str | int]
    asker: Person
    conversation: ConversationKey
    kind: ConversationKind
    asker_is_admin: bool = False
    confirmed: bool = False
    """The asker pressed the button of a Confirmation."""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question before something that cannot be taken back; pressing the button runs `line` again, confirmed."""

    label: str
    line: str
    """The command as typed, without the slash: `memory forget 3`. At most 40 bytes, so that a button can carry it."""


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """A file that comes with an answer."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command says: Markdown. Private answers are for the asker's eyes only."""

    text: str
    private: bool = False
    confirmation: Confirmation | None = None
    file: AnswerFile | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A suggestion while an option is typed."""

    label: str
    value: str


RunCommand = Callable[[CommandCall], Awaitable[Answer]]
SuggestChoices = Callable[[CommandCall, str], Awaitable[Sequence[Choice]]]


@dataclass(frozen=True, slots=True)
class Option:
    """A named value that a command takes. The last text option takes the rest of a typed line."""

    name: str
    summary: str
    kind: OptionKind = OptionKind.TEXT
    required: bool = True
    suggest: SuggestChoices | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A command of one or two words, such as `help` or `memory list`."""

    path: tuple[str, ...]
    summary: str
    run: RunCommand
    options: tuple[Option, ...] = ()
    who: WhoMay = WhoMay.EVERYONE
    private: bool = False
    """Its answers are for the asker alone; a platform must know before it acknowledges."""
    alone: bool = False
    """Runs when the first of its words is typed alone: `/privacy` stands for `/privacy show`."""
    slow: bool = False
    """May take longer than a platform waits: acknowledge first, answer later."""

    @property
    def name(self) -> str:
        """Return the command as people type it, without the slash."""
        return " ".join(self.path)
