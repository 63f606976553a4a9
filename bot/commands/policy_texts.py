"""What `/memory policy` says, in English."""

from collections.abc import Iterable

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.memory.policy import PolicyValue, Rule, Source

_SOURCES = {
    Source.PRESET: "as usual",
    Source.PERSONA: "set by the persona",
    Source.SERVER: "**set here**",
}


def written(value: PolicyValue) -> str:
    """Return a value as people type it."""
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case _:
            return str(value)


def policy_page(name: str, lines: Iterable[str]) -> str:
    """Show all values."""
    how = (
        "`/memory policy` with a name explains it, with a name and a value sets it for this server or direct chat, "
        "with a name and `reset` takes that back."
    )
    return f"**How {shown(name)} remembers here**\n\n" + "\n".join(lines) + f"\n\n{how}"


def policy_line(name: str, value: PolicyValue, source: Source) -> str:
    """Show one value in the list, and who has set it."""
    return f"- `{name}` {written(value)} ({_SOURCES[source]})"


def one_value(name: str, value: PolicyValue, source: Source, rule: Rule) -> str:
    """Explain one value."""
    reset = f" `/memory policy {name} reset` takes that back." if source is Source.SERVER else ""
    return f"**{name}** — {rule.meaning}: {rule.allowed}.\n\nHere it is {written(value)} ({_SOURCES[source]}).{reset}"


def unknown_name(name: str, near: str) -> str:
    """Refuse a name that is not there."""
    hint = f"Did you mean `{near}`?" if near else "`/memory policy` shows all."
    return f"There is no “{echo(name)}” in a memory policy. {hint}"


def out_of_order(problem: str) -> str:
    """Refuse thresholds that cross one another."""
    return f"That would not work: {problem} Change the other one first."


def value_is_set(name: str, value: PolicyValue, before: PolicyValue) -> str:
    """Confirm a value."""
    return f"`{name}` is {written(value)} here from now on; it was {written(before)}. `/memory policy {name} reset` takes that back."


def not_set(name: str) -> str:
    """Answer a reset of what nobody has set."""
    return f"`{name}` is not set here, so there is nothing to take back."


def value_is_reset(name: str, value: PolicyValue) -> str:
    """Confirm that a value is the persona's again."""
    return f"`{name}` is {written(value)} here again."


def all_reset(count: int) -> str:
    """Confirm that all is the persona's again."""
    if not count:
        return "Nothing is set here, so there is nothing to take back."
    return f"Taken back: {count} value{'s' if count > 1 else ''}. Personas remember here as their own files say again."
