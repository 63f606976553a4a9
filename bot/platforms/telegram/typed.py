"""Commands as people type them to Telegram bots: `/memory list`, `/memory_list`, `/memory@baku_bot list`. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from telegram import Message, MessageEntity, User

from bot.domain.chat import ConversationKind
from bot.domain.command import Command
from bot.platforms.telegram.convert import kind_of, words_of
from bot.wording.names import english_words

_SLASHES = frozenset("/／")


class Addressee(StrEnum):
    """Whom a command is for."""

    US = "us"
    ANOTHER = "another"
    ANYBODY = "anybody"
    """In a group, without a name, and none of ours: likely another bot's."""


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command that begins a message."""

    line: str
    """Without the slash and the bot's name."""
    addressee: Addressee

    @property
    def name(self) -> str:
        """Return the first word."""
        return self.line.partition(" ")[0].casefold()


def typed_command(message: Message, me: User, commands: Sequence[Command]) -> TypedCommand | None:
    """Return the command that a message begins with, or None. A forwarded one is none: somebody else gave it."""
    word, text = _first_word(message, commands), _text_of(message)
    if not word or message.forward_origin is not None:
        return None
    name, _, bot = word[1:].partition("@")
    line = f"{name} {text[len(word) :].strip()}".strip()
    if bot:
        return TypedCommand(line, Addressee.US if bot.casefold() == (me.username or "").casefold() else Addressee.ANOTHER)
    in_private = kind_of(message.chat) is ConversationKind.DIRECT
    return TypedCommand(line, Addressee.US if in_private or _is_known(name.casefold(), commands) else Addressee.ANYBODY)


def _first_word(message: Message, commands: Sequence[Command]) -> str:
    """Return the command's first word. Telegram marks none with letters other than a to z, such as `/記憶`: those must be known."""
    text, first = _text_of(message), next(iter(message.entities or message.caption_entities), None)
    if text and first is not None and first.type == MessageEntity.BOT_COMMAND and first.offset == 0:
        return words_of(text, first)
    word = next(iter(text.split(maxsplit=1)), "")
    name = word[1:].partition("@")[0]
    return word if word[:1] in _SLASHES and not name.isascii() and _is_known(name.casefold(), commands) else ""


def _text_of(message: Message) -> str:
    """Return a message's text, or what is written below its file: a command may come with one."""
    return message.text or message.caption or ""


def _is_known(name: str, commands: Sequence[Command]) -> bool:
    in_english = {"_".join(words) for words in product(*map(english_words, name.split("_", 1)))}
    return any(in_english & {command.path[0], "_".join(command.path)} for command in commands)
