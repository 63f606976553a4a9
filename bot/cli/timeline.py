"""`baku memory timeline`: how memories rose and faded."""

from datetime import UTC, datetime

from rich.text import Text

from bot.cli.fading import ago, bar, columns, level_name, shortened, sparkline
from bot.cli.output import show, table
from bot.cli.remembered import Whose, remembered
from bot.config.loading import load_settings
from bot.domain.fading import DAY
from bot.domain.persona import MemoryPolicy
from bot.memory.timeline import Life, lives, strongest_first

WIDTH = 40
"""Characters of a line."""


def show_timeline(whose: Whose, *, days: int, limit: int, db: str | None) -> None:
    """Print a line for each memory, the strongest first: how strong it was on the last days."""
    now, found = datetime.now(UTC), remembered(load_settings(db=db), whose)
    known = lives(found.journal, found.memories)
    if not known:
        print(f"{found.persona.id} remembers nothing there.")
        return
    first = max(now - days * DAY, min(life.times[0] for life in known))
    times = columns(first, now, WIDTH)
    shown = table("", "memory", f"{ago(first, now)} … now", "importance", "level")
    for life in strongest_first(known, found.policy, now)[:limit]:
        text = shortened(life.last.text if life.last else "")
        shown.add_row(str(life.number), text, sparkline(life, found.policy, times), *_standing(life, found.policy, now))
    show(shown)
    if len(known) > limit:
        print(f"{len(known) - limit} more: --limit {len(known)} shows all.")


def _standing(life: Life, policy: MemoryPolicy, now: datetime) -> tuple[Text, str]:
    """Return how a memory stands now, or since when it stands no more."""
    moment, last = life.at(now, policy), life.last
    if moment is None or last is None:
        return Text(), f"forgotten {ago(life.times[-1], now)}"
    strength = bar(moment.strength, moment.level)
    return strength, f"ended {ago(last.ended_at, now)}" if last.ended_at else level_name(last)
