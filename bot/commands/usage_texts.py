"""What `/usage` says."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from bot.domain.text import one_line
from bot.wording.say import figure, later, say, translated

_ROW = "{name:<14}{today:>12}{month:>13}"
_LONGEST_NAME = 13
_SQUARES = 10


class Budget(StrEnum):
    """What may be spent."""

    DAY = "day"
    MONTH = "month"
    PERSONA_DAY = "persona_day"
    PERSONA_MONTH = "persona_month"


class Row(Protocol):
    """One line of the table."""

    @property
    def name(self) -> str:
        """What it is of."""
        ...

    @property
    def today(self) -> int:
        """Tokens since midnight UTC."""
        ...

    @property
    def month(self) -> int:
        """Tokens of this month."""
        ...


_NAMES: Mapping[Budget, str] = MappingProxyType(
    {
        Budget.DAY: later("today, all personas"),
        Budget.MONTH: later("this month, all personas"),
        Budget.PERSONA_DAY: later("today, who speaks here"),
        Budget.PERSONA_MONTH: later("this month, who speaks here"),
    }
)


def for_members(here: int, bars: Sequence[tuple[Budget, int, int]]) -> str:
    """Tell what a conversation has used, and the share of the budgets that is used."""
    told = say("This conversation has used **{tokens}** tokens so far.", tokens=figure(here))
    lines = [_share(budget, used, most, with_figures=False) for budget, used, most in bars]
    return "\n\n".join([told, *([_fenced(lines)] if lines else [say("There is no budget here that could run out.")])])


def for_admins(rows: Sequence[str], rest: Row, total: Row, bars: Sequence[tuple[Budget, int, int]], *, note: str = "") -> str:
    """Show the table of a whole server, and the budgets."""
    table = [_ROW.format(name=say("tokens"), today=say("today"), month=say("this month"))]
    table += rows
    table += [row(say("others"), rest)] if rest.month else []
    table.append(row(say("all"), total))
    lines = [_share(budget, used, most, with_figures=True) for budget, used, most in bars]
    no_budget = say("No budget is set. `/limits set tokens_day` with a number sets one.")
    how = say("Days and months are those of UTC. `/limits show` shows all limits.")
    return "\n\n".join([f"**{say('Tokens used here')}**{note}", _fenced(table), *([_fenced(lines)] if lines else [no_budget]), how])


def row(name: str, used: Row) -> str:
    """Show what one persona has used as a line of the table."""
    plain = one_line(name.replace("`", "'"), _LONGEST_NAME)
    return _ROW.format(name=plain, today=figure(used.today), month=figure(used.month))


def bar(used: int, most: int) -> str:
    """Return how much of something is used as ten squares."""
    full = min(_SQUARES, round(_SQUARES * used / most)) if most else 0
    return "▰" * full + "▱" * (_SQUARES - full)


def _share(budget: Budget, used: int, most: int, *, with_figures: bool) -> str:
    line = f"{bar(used, most)} {round(100 * used / most)} % {translated(_NAMES[budget])}"
    return f"{line} ({figure(used)} / {figure(most)})" if with_figures else line


def _fenced(lines: Iterable[str]) -> str:
    return "```\n" + "\n".join(lines) + "\n```"
