"""The core's commands as Discord's slash commands."""

import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol

import discord
import structlog
from discord import app_commands

from bot.domain.command import Choice, Command, Option, OptionKind, WhoMay
from bot.domain.text import one_line
from bot.platforms.discord.calls import Asked

SlashCommand = app_commands.Command[Any, ..., None]
Callback = Callable[..., Coroutine[Any, Any, None]]
Completer = Callable[[Asked, str], Coroutine[Any, Any, list[app_commands.Choice[Any]]]]

MAX_SUMMARY = 100
MAX_CHOICE = 100
MAX_CHOICES = 25

log = structlog.get_logger(__name__)


class SlashDesk(Protocol):
    """Who answers the commands."""

    async def run(self, asked: Asked, command: Command, options: Mapping[str, str | int]) -> None:
        """Answer one use of a command."""
        ...

    async def suggest(self, asked: Asked, command: Command, option: Option, typed: str) -> Sequence[Choice]:
        """Return choices for an option that is being typed."""
        ...


def add_commands(tree: app_commands.CommandTree[discord.Client], commands: Iterable[Command], desk: SlashDesk) -> None:
    """Offer the commands; one that Discord would refuse is left out with a warning, so that it takes no other with it."""
    by_first_word = groupby(sorted(commands, key=lambda command: command.path), key=lambda command: command.path[0])
    for word, family in by_first_word:
        try:
            tree.add_command(_offer(word, tuple(family), desk))
        except (app_commands.AppCommandError, ValueError, TypeError) as problem:
            log.warning("discord_command_not_offered", command=word, problem=str(problem))


def _offer(word: str, family: Sequence[Command], desk: SlashDesk) -> SlashCommand | app_commands.Group:
    if family[0].path == (word,):
        if len(family) > 1:
            raise ValueError(f"/{word} is both a command and a group of commands.")
        alone = _command(family[0], desk)
        alone.default_permissions = _needed(family)
        return alone
    summary = f"{word.capitalize()}: {', '.join(command.path[1] for command in family)}"
    group = app_commands.Group(name=word, description=one_line(summary, MAX_SUMMARY), default_permissions=_needed(family))
    for command in family:
        group.add_command(_command(command, desk))
    return group


def _needed(family: Iterable[Command]) -> discord.Permissions | None:
    """Return the rights without which Discord does not even show the commands; direct chats show them to everybody."""
    return discord.Permissions(manage_guild=True) if all(command.who is WhoMay.ADMINS for command in family) else None


def _command(command: Command, desk: SlashDesk) -> SlashCommand:
    made: SlashCommand = app_commands.Command(
        name=command.path[-1], description=one_line(command.summary, MAX_SUMMARY), callback=_callback(command, desk)
    )
    for option in command.options:
        if option.suggest is not None:
            made.autocomplete(option.name)(_completer(command, option, desk))
    return made


def _callback(command: Command, desk: SlashDesk) -> Callback:
    async def callback(asked: Asked, **given: str | int | None) -> None:
        await desk.run(asked, command, {name: value for name, value in given.items() if value is not None})

    # discord.py reads a command's options from its callback's signature.
    callback.__signature__ = inspect.Signature([_ASKED, *map(_parameter, command.options)])  # type: ignore[attr-defined]  # functions take attributes
    described = {option.name: one_line(option.summary, MAX_SUMMARY) for option in command.options}
    return app_commands.describe(**described)(callback) if described else callback


_ASKED = inspect.Parameter("asked", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)


def _parameter(option: Option) -> inspect.Parameter:
    kind = _type_of(option.kind)
    default = inspect.Parameter.empty if option.required else None
    annotation = kind if option.required else kind | None
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _type_of(kind: OptionKind) -> type[str] | type[int]:
    match kind:
        case OptionKind.TEXT | OptionKind.FILE:
            return str
        case OptionKind.NUMBER:
            return int


def _completer(command: Command, option: Option, desk: SlashDesk) -> Completer:
    async def complete(asked: Asked, typed: str) -> list[app_commands.Choice[Any]]:
        choices = await desk.suggest(asked, command, option, str(typed))
        return [_choice(option, choice) for choice in choices[:MAX_CHOICES]]

    return complete


def _choice(option: Option, choice: Choice) -> app_commands.Choice[Any]:
    return app_commands.Choice(name=one_line(choice.label, MAX_CHOICE), value=_type_of(option.kind)(choice.value))
