"""What `/limits` says, in English."""

from collections.abc import Iterable

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.limits import LimitRule

_ROW = "{name:<14}{most:>12}{used:>12}"


def limits_page(persona: str, rows: Iterable[str]) -> str:
    """Show all limits as a table that fits on a telephone, and what is used of them."""
    table = "\n".join([_ROW.format(name="limit", most="at most", used="used"), *rows])
    meaning = (
        "`person`, `conversation` and `server` are answers a minute, `bots` is answers to one other bot in ten minutes, "
        "all others are tokens of today or of this month (UTC). `persona` is each persona by itself; used is what "
        f"{shown(persona)} has. A star marks what is set here."
    )
    how = "`/limits set` with a name and a value sets one tighter, with a name and `reset` takes that back."
    return f"**How much I may answer and spend here**\n\n```\n{table}\n```\n{meaning}\n\n{how} What is set for all servers stays."


def limit_row(name: str, most: int, used: int | None, *, is_set_here: bool) -> str:
    """Show one limit."""
    none = "never" if name == "bots" else "–"
    value = f"{most:,}{'*' if is_set_here else ''}" if most else none
    return _ROW.format(name=name, most=value, used="" if used is None else f"{used:,}").rstrip()


def unknown_limit(name: str, near: str) -> str:
    """Refuse a name that is not there."""
    hint = f"Did you mean `{near}`?" if near else "`/limits show` shows all."
    return f"There is no limit “{echo(name)}”. {hint}"


def limit_is_set(name: str, asked: int, holds: int, rule: LimitRule) -> str:
    """Confirm a limit: what holds may be tighter than what was asked for."""
    none = "never" if name == "bots" else "without a limit"
    now = f"{holds:,}" if holds else none
    line = f"`{name}` ({rule.meaning}) is {now} here from now on."
    if asked and holds != asked:
        return f"{line} Whoever runs me allows no more than that, so {asked:,} stays without effect."
    return f"{line} `/limits set {name} reset` takes that back." if asked else line
