"""`baku memory simulate`: what a policy would make of the present memories, without changing them."""

import io
import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from rich.console import Console, Group
from rich.terminal_theme import MONOKAI
from rich.text import Text

from bot.cli.fading import bar, chart, legend, level_name, shortened
from bot.cli.output import show, table
from bot.cli.remembered import Remembered, Whose, remembered
from bot.config.loading import load_settings
from bot.domain.chat import MemoryScope
from bot.domain.fading import faded_importance
from bot.domain.memory import Level, Memory
from bot.domain.message import Person
from bot.domain.persona import MemoryPolicy
from bot.errors import ConfigError
from bot.memory.policy import disorder, parsed, with_values
from bot.memory.simulate import Course, examples, simulate

CHART_WIDTH = 76
_PICTURE_WIDTH = 100
_SINKS = ((Level.DEEP, "deep"), (Level.ARCHIVE, "archived"))
_FONTS_FROM_ELSEWHERE = re.compile(r"@font-face \{.*?\}", re.DOTALL)


def show_simulation(whose: Whose, *, days: int, used_every: int, changes: Sequence[str], svg: Path | None, db: str | None) -> None:
    """Print a chart of three new memories and what becomes of those that there are; nothing is changed."""
    found, now = remembered(load_settings(db=db), whose), datetime.now(UTC)
    policy = changed_policy(found.policy, changes)
    drawing = fading_chart(policy, found.scope, days=days, used_every=used_every, start=now)
    show(drawing)
    if svg is not None:
        svg.write_text(picture(drawing), encoding="utf-8")
    if found.memories:
        _show_memories(found, policy, days=days, now=now)


def fading_chart(policy: MemoryPolicy, scope: MemoryScope, *, days: int, used_every: int, start: datetime) -> Group:
    """Return the chart of a memory that is used, one that never is, and one that is pinned."""
    new = examples(policy, Memory(UUID(int=0), scope, 0, "", None, Person("", ""), (), start, start))

    def used(day: int) -> Collection[int]:
        return [new["used"].number] if day % used_every == 0 else []

    courses = dict(zip(new, simulate(new.values(), policy, start=start, days=days, used=used), strict=True))
    marks = {
        "used": f"used every {used_every} days" if used_every > 1 else "used daily",
        "unused": _unused(courses["unused"]),
        "pinned": "pinned",
    }
    title = f"Importance of new memories over {days} days (loses {policy.decay_per_day:g} a day)"
    return Group(Text(title, style="bold"), Text(), chart(courses, policy, width=CHART_WIDTH), legend(marks))


def changed_policy(policy: MemoryPolicy, changes: Sequence[str]) -> MemoryPolicy:
    """Return the policy with values written as NAME=VALUE. Raises ConfigError when one does not fit."""
    try:
        values = {name.strip(): parsed(name.strip(), value) for name, _, value in (change.partition("=") for change in changes)}
        changed = with_values(policy, values)
        if problem := disorder(changed):
            raise ValueError(problem)
    except ValueError as problem:
        raise ConfigError(f"{problem} Write it as --set decay_per_day=0.05.") from problem
    return changed


def picture(drawing: Group) -> str:
    """Return a drawing as an SVG that needs nothing from elsewhere."""
    paper = Console(record=True, width=_PICTURE_WIDTH, file=io.StringIO(), force_terminal=True, highlight=False)
    paper.print(drawing)
    svg = _FONTS_FROM_ELSEWHERE.sub("", paper.export_svg(title="baku memory simulate", theme=MONOKAI, unique_id="fading"))
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines() if line.strip())


def _show_memories(found: Remembered, policy: MemoryPolicy, *, days: int, now: datetime) -> None:
    shown = table("", "memory", "now", "", f"in {days} days", "")
    for memory, course in zip(found.memories, simulate(found.memories, policy, start=now, days=days), strict=True):
        strength = bar(faded_importance(memory, found.policy, now), memory.level)
        shown.add_row(str(memory.number), shortened(memory.text), strength, level_name(memory), *_end(course))
    show(shown)


def _end(course: Course) -> tuple[Text, str]:
    last = course.days[-1]
    if last is None:
        return Text(), "forgotten tomorrow" if course.forgotten_on == 1 else f"forgotten in {course.forgotten_on} days"
    return bar(course.strengths[-1], last.level), level_name(last)


def _unused(course: Course) -> str:
    """Return when a memory reaches each level, and when it is gone, as far as it comes to that."""
    firsts = {name: next((day for day, state in enumerate(course.days) if state and state.level is level), None) for level, name in _SINKS}
    steps = [f"{name} after {day}" for name, day in {**firsts, "forgotten": course.forgotten_on}.items() if day is not None]
    return f"never used: {', '.join(steps)} days" if steps else "never used"
