"""Drawing how memories rise and fade: bars, sparklines and a chart, in plain characters."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from rich.text import Text

from bot.domain.fading import DAY
from bot.domain.memory import Level, Memory
from bot.domain.persona import MemoryPolicy
from bot.domain.text import one_line
from bot.memory.simulate import Course
from bot.memory.timeline import Life, Moment
from bot.platforms.console.convert import visible

_LEVEL_NAMES: Mapping[Level, str] = {Level.WORKING: "working", Level.DEEP: "deep", Level.ARCHIVE: "archived"}
_LEVEL_STYLES: Mapping[Level, str] = {Level.WORKING: "green", Level.DEEP: "yellow", Level.ARCHIVE: "red"}
_STEPS = "▁▂▃▄▅▆▇█"
_TEXT = 44
_ROWS = 20
"""Importances that the chart tells apart."""
_SERIES: Mapping[str, tuple[str, str]] = {"pinned": ("◆", "cyan"), "used": ("●", "green"), "unused": ("○", "magenta")}


def bar(strength: float, level: Level) -> Text:
    """Return an importance as a short bar with its figure, in the colour of the level."""
    full = round(strength * 10)
    return Text.assemble(("█" * full + "░" * (10 - full), _LEVEL_STYLES[level]), f" {strength:.2f}")


def level_name(memory: Memory) -> str:
    """Return where a memory is, in words."""
    return f"{_LEVEL_NAMES[memory.level]}{', pinned' if memory.pinned else ''}"


def shortened(text: str) -> Text:
    """Return a memory's text on one line, with nothing in it that a terminal obeys."""
    return Text(one_line(visible(text), _TEXT))


def ago(time: datetime, now: datetime) -> str:
    """Return how many days ago a time was."""
    days = (now - time) // DAY
    return "today" if days <= 0 else f"{days} days ago" if days > 1 else "yesterday"


def sparkline(life: Life, policy: MemoryPolicy, times: Iterable[datetime]) -> Text:
    """Return a memory's strength at each of the times as one character; a blank where it was not there."""
    line = Text()
    for time in times:
        moment = life.at(time, policy)
        line.append(_spark(moment), style=_style(moment))
    return line


def columns(first: datetime, last: datetime, count: int) -> Sequence[datetime]:
    """Return so many times from first to last."""
    step: timedelta = (last - first) / max(count - 1, 1)
    return [*(first + step * place for place in range(count - 1)), last]


def chart(courses: Mapping[str, Course], policy: MemoryPolicy, *, width: int) -> Text:
    """Return courses, each by its name, over the days, with the thresholds of the policy."""
    days = len(next(iter(courses.values())).days) - 1
    places = [round(place * days / (width - 1)) for place in range(width)]
    thresholds = {round(policy.demote_below * _ROWS): "demote_below", round(policy.archive_below * _ROWS): "archive_below"}
    drawing = Text()
    for row in range(_ROWS, -1, -1):
        drawing.append(f"{row / _ROWS:4.2f} ┤" if row % 4 == 0 else "     │", style="dim")
        for day in places:
            drawing.append_text(_cell(courses, day, row, threshold=row in thresholds))
        drawing.append(f" {thresholds[row]}\n" if row in thresholds else "\n", style="dim")
    drawing.append("     └" + "─" * width + "\n", style="dim")
    drawing.append(f"      today{f'in {days} days':>{width - 5}}\n", style="dim")
    return drawing


def legend(descriptions: Mapping[str, str]) -> Text:
    """Return what the marks of the chart stand for."""
    line = Text("     ")
    for name, description in descriptions.items():
        mark, style = _SERIES[name]
        line.append(f" {mark}", style=style).append(f" {description}  ")
    return line


def _cell(courses: Mapping[str, Course], day: int, row: int, *, threshold: bool) -> Text:
    for name, course in courses.items():
        mark, style = _SERIES[name]
        if course.days[day] is not None and round(course.strengths[day] * _ROWS) == row:
            return Text(mark, style=style)
    return Text("┄" if threshold else " ", style="dim")


def _spark(moment: Moment | None) -> str:
    return " " if moment is None else _STEPS[min(int(moment.strength * len(_STEPS)), len(_STEPS) - 1)]


def _style(moment: Moment | None) -> str:
    if moment is None:
        return ""
    return _LEVEL_STYLES[moment.level] if moment.holds else "dim"
