"""What commands say. Every text that refuses something names the next step."""

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo

from bot.commands.escape import shown
from bot.domain.command import Command, Option, OptionKind, WhoMay
from bot.domain.text import one_line
from bot.wording.catalogues import ENGLISH
from bot.wording.lists import listed
from bot.wording.say import language, say, translated

_LONGEST_ECHO = 60
"""Characters of a typed text that are repeated back."""


def usage(command: Command) -> str:
    """Return how a command is typed: `/memory list [after]`. What is seldom added by its name is left to its own help."""
    typed = (option for option in command.options if not option.by_name)
    options = (f"<{option.name}>" if option.required else f"[{option.name}]" for option in typed)
    return "`" + " ".join([f"/{command.name}", *options]) + "`"


# Typing commands


def unknown_command(typed: str, near: str) -> str:
    """Refuse a command that is not there."""
    if near:
        return say("There is no command “/{typed}”. Did you mean `/{near}`?", typed=echo(typed), near=near)
    return say("There is no command “/{typed}”. `/help` shows all commands.", typed=echo(typed))


def choose_one(commands: Iterable[Command]) -> str:
    """Answer a bare group where there is no help."""
    return say("Choose one of {commands}.", commands=listed(f"`/{command.name}`" for command in commands))


def missing_option(command: Command, option: Option) -> str:
    """Refuse a command without something it needs."""
    summary = translated(option.summary)
    values = {
        "name": command.name,
        "what": summary[:1].lower() + summary[1:] if language() == ENGLISH else summary,
        "usage": usage(command),
    }
    if option.kind is OptionKind.NUMBER:
        return say("`/{name}` needs one more number: {what}. Type it as {usage}.", **values)
    return say("`/{name}` needs one more text: {what}. Type it as {usage}.", **values)


def no_number(command: Command, option: Option, typed: str) -> str:
    """Refuse a value that should be a number."""
    return say(
        "“{typed}” is no number. Type it as {usage}; `{option}` is a number such as 3.",
        typed=echo(typed),
        usage=usage(command),
        option=option.name,
    )


def too_much(command: Command, typed: str) -> str:
    """Refuse words that the command has no use for."""
    return say("`/{name}` has no use for “{typed}”. Type it as {usage}.", name=command.name, typed=echo(typed), usage=usage(command))


def admins_only(command: Command) -> str:
    """Refuse a command for admins."""
    return say("Only admins may use `/{name}` here: people who may manage the server or the chat. Ask one of them.", name=command.name)


def service_is_no_admin() -> str:
    """Refuse an admin's command to somebody who writes as nobody in particular."""
    return say("You are writing anonymously or as a channel, so I cannot tell who you are. Write as yourself and try again.")


def store_trouble() -> str:
    """Answer when the database does not."""
    return say("I cannot reach my memory just now, and nothing was changed. Try again in a moment.")


# Help


def help_overview(rows: Iterable[str]) -> str:
    """Name all commands by theme."""
    how = say(
        "To talk, just write to me. Each theme below says what its commands do; `/help` with the name of a command says more about it."
    )
    return f"**{say('Commands')}**\n\n" + "\n".join(rows) + f"\n\n{how}"


def theme_row(label: str, commands: Iterable[Command]) -> str:
    """Name the commands of one theme, those of a group together."""
    groups: dict[str, list[str]] = {}
    for command in commands:
        groups.setdefault(command.path[0], []).extend(command.path[1:])
    named = (f"`/{word}` {' · '.join(seconds)}".rstrip() for word, seconds in groups.items())
    return f"- **{label}**: " + ", ".join(named)


def help_theme(heading: str, rows: Iterable[str]) -> str:
    """List the commands of one theme."""
    more = say("`/help` with the name of a command says more about it.")
    return f"{heading}\n\n" + "\n".join(rows) + f"\n\n{more}"


def help_row(command: Command) -> str:
    """Show one command in a list."""
    return f"- {usage(command)} — {_summary(command)}"


def help_page(commands: Iterable[Command], *, group: str) -> str:
    """List the commands of one group with their summaries."""
    return f"**/{group}**\n\n" + "\n".join(map(help_row, commands))


def help_on(command: Command, examples: Sequence[str]) -> str:
    """Explain one command and its options, and show how it is used."""
    lines = [f"- `{option.name}` — {_option_summary(option)}" for option in command.options]
    shown_examples = "\n".join(f"- `/{line}`" for line in examples)
    example = f"{say('For example:')}\n{shown_examples}" if examples else ""
    return "\n\n".join(part for part in (usage(command), _summary(command), "\n".join(lines), example) if part)


def _summary(command: Command) -> str:
    summary = translated(command.summary)
    return say("{summary} (admins)", summary=summary) if command.who is WhoMay.ADMINS else summary


def _option_summary(option: Option) -> str:
    summary = translated(option.summary)
    return summary if option.required else say("{summary} (may be left out)", summary=summary)


def echo(typed: str) -> str:
    """Return what somebody typed, short enough to be repeated back."""
    return shown(one_line(typed, _LONGEST_ECHO))


def local_moment(at: datetime, zone: tzinfo) -> str:
    """Return a moment as clocks show it there."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M}"
