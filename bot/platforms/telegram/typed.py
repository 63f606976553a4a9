"""Commands as people type them to Telegram bots: `/memory list`, `/memory_list`, `/memory@baku_bot list`. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from telegram import Message, MessageEntity, User

from bot.domain.chat import ConversationKind
from bot.domain.command import Command
from bot.platforms.telegram.convert import kind_of, words_of


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
        """The first word."""
        return self.line.partition(" ")[0].casefold()


def typed_command(message: Message, me: User, commands: Sequence[Command]) -> TypedCommand | None:
    """Return the command that a message begins with, or None. A forwarded one is none: somebody else gave it."""
    first = next(iter(message.entities), None)
    if not message.text or first is None or first.type != MessageEntity.BOT_COMMAND or first.offset != 0:
        return None
    if message.forward_origin is not None:
        return None
    word = words_of(message.text, first)
    name, _, bot = word.removeprefix("/").partition("@")
    line = f"{name} {message.text[len(word) :].strip()}".strip()
    if bot:
        return TypedCommand(line, Addressee.US if bot.casefold() == (me.username or "").casefold() else Addressee.ANOTHER)
    in_private = kind_of(message.chat) is ConversationKind.DIRECT
    return TypedCommand(line, Addressee.US if in_private or _is_known(name.casefold(), commands) else Addressee.ANYBODY)


def _is_known(name: str, commands: Sequence[Command]) -> bool:
    return any(name in {command.path[0], "_".join(command.path)} for command in commands)
