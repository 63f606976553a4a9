"""What `/memory policy` says."""

from collections.abc import Iterable

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.memory.policy import PolicyValue, Rule, Source
from bot.wording.say import later, say, say_count, translated

_SOURCES = {
    Source.PRESET: later("as usual"),
    Source.PERSONA: later("set by the persona"),
    Source.SERVER: later("**set here**"),
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
    how = say(
        "`/memory policy` with a name explains it, with a name and a value sets it for this server or direct chat, "
        "with a name and `reset` takes that back."
    )
    heading = say("How {name} remembers here", name=shown(name))
    return f"**{heading}**\n\n" + "\n".join(lines) + f"\n\n{how}"


def policy_line(name: str, value: PolicyValue, source: Source) -> str:
    """Show one value in the list, and who has set it."""
    return f"- `{name}` {written(value)} ({translated(_SOURCES[source])})"


def one_value(name: str, value: PolicyValue, source: Source, rule: Rule) -> str:
    """Explain one value."""
    meaning = f"**{name}** — {translated(rule.meaning)}: {rule.allowed}."
    here = say("Here it is {value} ({source}).", value=written(value), source=translated(_SOURCES[source]))
    reset = [say("`/memory policy {name} reset` takes that back.", name=name)] if source is Source.SERVER else []
    return f"{meaning}\n\n{' '.join([here, *reset])}"


def unknown_name(name: str, near: str) -> str:
    """Refuse a name that is not there."""
    if near:
        return say("There is no “{name}” in a memory policy. Did you mean `{near}`?", name=echo(name), near=near)
    return say("There is no “{name}” in a memory policy. `/memory policy` shows all.", name=echo(name))


def out_of_order(problem: str) -> str:
    """Refuse thresholds that cross one another."""
    return say("That would not work: {problem} Change the other one first.", problem=problem)


def value_is_set(name: str, value: PolicyValue, before: PolicyValue) -> str:
    """Confirm a value."""
    return say(
        "`{name}` is {value} here from now on; it was {before}. `/memory policy {name} reset` takes that back.",
        name=name,
        value=written(value),
        before=written(before),
    )


def not_set(name: str) -> str:
    """Answer a reset of what nobody has set."""
    return say("`{name}` is not set here, so there is nothing to take back.", name=name)


def value_is_reset(name: str, value: PolicyValue) -> str:
    """Confirm that a value is the persona's again."""
    return say("`{name}` is {value} here again.", name=name, value=written(value))


def all_reset(count: int) -> str:
    """Confirm that all is the persona's again."""
    if not count:
        return say("Nothing is set here, so there is nothing to take back.")
    return say_count(
        count,
        "Taken back: {number} value. Personas remember here as their own files say again.",
        "Taken back: {number} values. Personas remember here as their own files say again.",
    )
