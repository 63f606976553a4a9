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
Given = str | int | discord.Attachment
Callback = Callable[..., Coroutine[Any, Any, None]]
Completer = Callable[[Asked, str], Coroutine[Any, Any, list[app_commands.Choice[Any]]]]

MAX_SUMMARY = 100
MAX_CHOICE = 100
MAX_CHOICES = 25

log = structlog.get_logger(__name__)


class SlashDesk(Protocol):
    """Who answers the commands."""

    async def run(self, asked: Asked, command: Command, options: Mapping[str, Given]) -> None:
        """Answer one use of a command."""
        ...

    async def run_about(self, asked: Asked, command: Command, message: discord.Message) -> None:
        """Answer one use of a command in the menu of a message."""
        ...

    async def suggest(self, asked: Asked, command: Command, option: Option, typed: str) -> Sequence[Choice]:
        """Return choices for an option that is being typed."""
        ...


def add_commands(tree: app_commands.CommandTree[discord.Client], commands: Iterable[Command], desk: SlashDesk) -> None:
    """Offer the commands; one that Discord would refuse is left out with a warning, so that it takes no other with it."""
    commands = list(commands)
    for command in commands:
        if command.menu:
            tree.add_command(_menu(command, desk))
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


def _menu(command: Command, desk: SlashDesk) -> app_commands.ContextMenu:
    async def callback(asked: Asked, message: discord.Message) -> None:
        await desk.run_about(asked, command, message)

    # discord.py reads the kind of menu from these, which are no texts: this file has no postponed annotations.
    callback.__annotations__ = {"asked": discord.Interaction, "message": discord.Message}
    made = app_commands.ContextMenu(name=command.menu, callback=callback)
    made.default_permissions = _needed([command])
    return made


def _command(command: Command, desk: SlashDesk) -> SlashCommand:
    made: SlashCommand = app_commands.Command(
        name=command.path[-1], description=one_line(command.summary, MAX_SUMMARY), callback=_callback(command, desk)
    )
    for option in command.options:
        if option.suggest is not None:
            made.autocomplete(option.name)(_completer(command, option, desk))
    return made


def _callback(command: Command, desk: SlashDesk) -> Callback:
    async def callback(asked: Asked, **given: Given | None) -> None:
        await desk.run(asked, command, {name: value for name, value in given.items() if value is not None})

    in_order = sorted(command.options, key=lambda option: not _must_be_typed(option))  # Discord wants those first
    # discord.py reads a command's options from its callback's signature.
    callback.__signature__ = inspect.Signature([_ASKED, *map(_parameter, in_order)])  # type: ignore[attr-defined]  # functions take attributes
    described = {option.name: one_line(option.summary, MAX_SUMMARY) for option in command.options}
    return app_commands.describe(**described)(callback) if described else callback


_ASKED = inspect.Parameter("asked", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)


def _parameter(option: Option) -> inspect.Parameter:
    kind = discord.Attachment if option.kind is OptionKind.FILE else _type_of(option.kind)
    default = inspect.Parameter.empty if _must_be_typed(option) else None
    annotation = kind if _must_be_typed(option) else kind | None
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _must_be_typed(option: Option) -> bool:
    """Say whether Discord is to ask for it at once: a long text is asked for in a form."""
    return option.required and not option.is_long


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
