"""What `/limits` says."""

from collections.abc import Iterable

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.limits import LimitRule
from bot.wording.say import figure, say, translated

_ROW = "{name:<14}{most:>12}{used:>12}"


def limits_page(persona: str, rows: Iterable[str]) -> str:
    """Show all limits as a table that fits on a telephone, and what is used of them."""
    table = "\n".join([_ROW.format(name="limit", most=say("at most"), used=say("used")), *rows])
    meaning = say(
        "`person`, `conversation` and `server` are answers a minute, `bots` is answers to one other bot in ten minutes, "
        "all others are tokens of today or of this month (UTC). `persona` is each persona by itself; used is what "
        "{persona} has. A star marks what is set here.",
        persona=shown(persona),
    )
    how = say(
        "`/limits set` with a name and a value sets one tighter, with a name and `reset` takes that back. "
        "What is set for all servers stays."
    )
    heading = say("How much I may answer and spend here")
    return f"**{heading}**\n\n```\n{table}\n```\n{meaning}\n\n{how}"


def limit_row(name: str, most: int, used: int | None, *, is_set_here: bool) -> str:
    """Show one limit."""
    none = say("never") if name == "bots" else "–"
    value = f"{figure(most)}{'*' if is_set_here else ''}" if most else none
    return _ROW.format(name=name, most=value, used="" if used is None else figure(used)).rstrip()


def unknown_limit(name: str, near: str) -> str:
    """Refuse a name that is not there."""
    if near:
        return say("There is no limit “{name}”. Did you mean `{near}`?", name=echo(name), near=near)
    return say("There is no limit “{name}”. `/limits show` shows all.", name=echo(name))


def wrong_limit(name: str, most: int) -> str:
    """Refuse a value that does not fit."""
    return say("`{name}` is a whole number from 0 to {most}; 0 takes this server's own value back.", name=name, most=figure(most))


def limit_is_set(name: str, asked: int, holds: int, rule: LimitRule) -> str:
    """Confirm a limit: what holds may be tighter than what was asked for."""
    none = say("never") if name == "bots" else say("without a limit")
    meaning, now = translated(rule.meaning), figure(holds) if holds else none
    line = say("`{name}` ({meaning}) is {now} here from now on.", name=name, meaning=meaning, now=now)
    if asked and holds != asked:
        return f"{line} {say('Whoever runs me allows no more than that, so {asked} stays without effect.', asked=figure(asked))}"
    return f"{line} {say('`/limits set {name} reset` takes that back.', name=name)}" if asked else line
