"""What commands say, in English. Every text that refuses something names the next step."""

from collections.abc import Iterable

from bot.commands.escape import shown
from bot.domain.command import Command, Option, OptionKind, WhoMay
from bot.domain.persona import Persona
from bot.domain.text import one_line

_LONGEST_ECHO = 60
"""Characters of a typed text that are repeated back."""


def usage(command: Command) -> str:
    """Return how a command is typed: `/memory list [after]`."""
    options = (f"<{option.name}>" if option.required else f"[{option.name}]" for option in command.options)
    return "`" + " ".join([f"/{command.name}", *options]) + "`"


# Typing commands


def unknown_command(typed: str, near: str) -> str:
    """Refuse a command that is not there."""
    hint = f" Did you mean `/{near}`?" if near else " `/help` shows all commands."
    return f"There is no command “/{echo(typed)}”.{hint}"


def choose_one(commands: Iterable[Command]) -> str:
    """Answer a bare group where there is no help."""
    return f"Choose one of {', '.join(f'`/{command.name}`' for command in commands)}."


def missing_option(command: Command, option: Option) -> str:
    """Refuse a command without something it needs."""
    what = "number" if option.kind is OptionKind.NUMBER else "text"
    return f"`/{command.name}` needs one more {what}: {option.summary[:1].lower()}{option.summary[1:]}. Type it as {usage(command)}."


def no_number(command: Command, option: Option, typed: str) -> str:
    """Refuse a value that should be a number."""
    return f"“{echo(typed)}” is no number. Type it as {usage(command)}; `{option.name}` is a number such as 3."


def too_much(command: Command, typed: str) -> str:
    """Refuse words that the command has no use for."""
    return f"`/{command.name}` has no use for “{echo(typed)}”. Type it as {usage(command)}."


def admins_only(command: Command) -> str:
    """Refuse a command for admins."""
    return f"Only admins may use `/{command.name}` here: people who may manage the server or the chat. Ask one of them."


def service_is_no_admin() -> str:
    """Refuse an admin's command to somebody who writes as nobody in particular."""
    return "You are writing anonymously or as a channel, so I cannot tell who you are. Write as yourself and try again."


def store_trouble() -> str:
    """Answer when the database does not."""
    return "I cannot reach my memory just now, and nothing was changed. Try again in a moment."


# Help


def help_page(commands: Iterable[Command], *, group: str = "") -> str:
    """List commands with their summaries."""
    lines = [f"- {usage(command)} — {command.summary}{_for_admins(command)}" for command in commands]
    more = "" if group else "\n\n`/help` with the name of a command says more about it."
    return f"**{f'/{group}' if group else 'Commands'}**\n\n" + "\n".join(lines) + more


def help_on(command: Command) -> str:
    """Explain one command and its options."""
    lines = [f"- `{option.name}` — {option.summary}{'' if option.required else ' (may be left out)'}" for option in command.options]
    return "\n\n".join(part for part in (usage(command), f"{command.summary}{_for_admins(command)}", "\n".join(lines)) if part)


def _for_admins(command: Command) -> str:
    return " (admins)" if command.who is WhoMay.ADMINS else ""


# Personas


def persona_line(persona: Persona, *, speaks_here: bool) -> str:
    """Show one persona in a list."""
    about = f" — {shown(persona.summary)}" if persona.summary else ""
    return f"- **{shown(persona.name)}** (`{persona.id}`){about}{' ← speaks here' if speaks_here else ''}"


def persona_list(lines: Iterable[str]) -> str:
    """List personas, with what can be done next."""
    how = "`/persona show` with a name tells more; admins choose one with `/persona set`."
    return "**Personas**\n\n" + "\n".join(lines) + f"\n\n{how}"


def unknown_persona(typed: str, near: str) -> str:
    """Refuse a persona that is not there."""
    hint = f"Did you mean `{near}`? " if near else ""
    return f"There is no persona “{echo(typed)}”. {hint}`/persona list` shows all."


def ambiguous_persona(typed: str, ids: Iterable[str]) -> str:
    """Refuse a name that several personas bear."""
    return f"Several personas are called “{echo(typed)}”. Say which one by its id: {', '.join(f'`{known}`' for known in ids)}."


def unknown_place(typed: str) -> str:
    """Refuse a place that is neither."""
    return f"“{echo(typed)}” is no place: `here` means this channel or thread, `server` the whole server or group."


def persona_page(persona: Persona) -> str:
    """Introduce a persona."""
    facts = [
        f"- Language: `{persona.language}`, time zone: `{persona.time_zone}`",
        f"- Memory: {'on' if persona.memory.enabled else 'off'}",
        *([f"- Tools: {', '.join(f'`{tool}`' for tool in persona.tools)}"] if persona.tools else []),
        *([f"- Answers in groups to: {', '.join(map(shown, persona.triggers))}"] if persona.triggers else []),
    ]
    heading = f"**{shown(persona.name)}** (`{persona.id}`)"
    return "\n\n".join(part for part in (heading, shown(persona.summary), f"> {shown(persona.greeting)}", "\n".join(facts)) if part)


def persona_is_set(persona: Persona, *, whole_server: bool) -> str:
    """Confirm who speaks, and let them greet."""
    where = "everywhere in this server" if whole_server else "here"
    return f"**{shown(persona.name)}** speaks {where} from now on, with a memory of its own.\n\n{persona.greeting}"


def place_keeps_its_own(name: str) -> str:
    """Say that a wider choice does not reach the place where it was made."""
    return f"This place has a choice of its own and stays with **{shown(name)}**; `/persona set` with `here` changes that."


def echo(typed: str) -> str:
    """Return what somebody typed, short enough to be repeated back."""
    return shown(one_line(typed, _LONGEST_ECHO))
