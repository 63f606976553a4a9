"""Commands, defined once and offered by each platform in its own way."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import Person, Quote

LONGEST_LINE = 40
"""Bytes of a command that a button carries on every platform."""
MOST_BUTTONS = 20
"""Buttons below one answer, beside that of its confirmation."""
MOST_UPLOADED = 16 * 1024**2
"""Bytes of a file that comes with a command."""


class OptionKind(StrEnum):
    """What an option takes."""

    TEXT = "text"
    NUMBER = "number"
    FILE = "file"
    """A file that the asker sends along; it comes as the call's `file`."""


class WhoMay(StrEnum):
    """Who may run a command."""

    EVERYONE = "everyone"
    ADMINS = "admins"
    """Who may manage the server, chat admins, and anybody in their own direct chat."""


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that came with a command; nothing of it has been looked at yet."""

    name: str
    media_type: str
    content: bytes


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
    """BCP 47, as the platform tells it of the asker."""
    about: Quote | None = None
    """The message that it is about: the one whose menu was opened, or that the typed command replies to."""
    category_id: str = ""
    """The category that the channel is in, on platforms that have them."""
    file: UploadedFile | None = None


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question before something that cannot be taken back; pressing the button runs `line` again, confirmed."""

    label: str
    line: str
    """The command as typed, without the slash: `memory forget 3`. At most 40 bytes, so that a button can carry it."""
    is_harmless: bool = False
    """It takes nothing away: a platform that colours its buttons does not warn."""


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press below an answer: it runs `line`, and what that says takes the answer's place. Only the asker may press it."""

    label: str
    line: str
    """The command as typed, without the slash: `memory list 21`. At most LONGEST_LINE bytes."""
    chosen: bool = False
    """Shows what is set just now."""
    turns: bool = False
    """Leads elsewhere, such as back or on, rather than choosing something: it stands in another row than those that choose."""


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
    buttons: tuple[Button, ...] = ()
    """At most 20: pages to turn, choices to make."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A suggestion while an option is typed."""

    label: str
    value: str


RunCommand = Callable[[CommandCall], Awaitable[Answer]]
SuggestChoices = Callable[[CommandCall, str], Awaitable[Sequence[Choice]]]
PrefillText = Callable[[CommandCall], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Option:
    """A named value that a command takes. The last text option takes the rest of a typed line."""

    name: str
    summary: str
    kind: OptionKind = OptionKind.TEXT
    required: bool = True
    suggest: SuggestChoices | None = None
    is_long: bool = False
    """A text of several lines. When it is not typed, a platform that has forms asks for it in one, others ask for it in a message."""
    prefill: PrefillText | None = None
    """What stands in the form before anybody has written there; takes no longer than a look into the store."""
    question: str = ""
    """How it is asked for where there are no forms; by its summary when empty."""
    by_name: bool = False
    """It is typed with its name, before or behind all else: `persona:rose`."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of one or two words, such as `help` or `memory list`."""

    path: tuple[str, ...]
    summary: str
    run: RunCommand
    options: tuple[Option, ...] = ()
    who: WhoMay = WhoMay.EVERYONE
    admins_may_more: bool = False
    """Everybody may run it, and it does more for admins: a platform that has to ask who is one asks for it too."""
    private: bool = False
    """Its answers are for the asker alone; a platform must know before it acknowledges."""
    alone: bool = False
    """Runs when the first of its words is typed alone: `/privacy` stands for `/privacy show`."""
    slow: bool = False
    """May take longer than a platform waits: acknowledge first, answer later."""
    menu: str = ""
    """Its name in the menu of a message, such as `Remember this`, for commands that are about one; at most 32 characters."""

    @property
    def name(self) -> str:
        """Return the command as people type it, without the slash."""
        return " ".join(self.path)


def button_rows(buttons: Iterable[Button], width: int) -> list[list[Button]]:
    """Return buttons in rows of at most `width`; those that turn and those that choose share none."""
    rows: list[list[Button]] = []
    for button in buttons:
        if not rows or len(rows[-1]) == width or rows[-1][-1].turns is not button.turns:
            rows.append([])
        rows[-1].append(button)
    return rows


def is_admin(call: CommandCall) -> bool:
    """Say whether whoever calls may do what admins may there. Nobody in particular never may: anybody could hide behind it."""
    return not call.asker.is_service and (call.asker_is_admin or call.kind is ConversationKind.DIRECT)


def may_run(command: Command, call: CommandCall) -> bool:
    """Say whether the command is for whoever calls; the lists of a server stand beside that."""
    return command.who is not WhoMay.ADMINS or is_admin(call)
