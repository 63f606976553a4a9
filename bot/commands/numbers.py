"""Memories, and texts that wait to become some, as choices for whoever types a number."""

from collections.abc import Iterable, Sequence

from bot.domain.command import Choice
from bot.domain.memory import Memory
from bot.domain.pending import PendingMemory
from bot.domain.text import one_line

MOST_CHOICES = 25
MOST_LISTED = 500
"""Memories among which a choice is looked for."""
_LABEL = 80


def number_choices(memories: Iterable[Memory | PendingMemory], typed: str) -> Sequence[Choice]:
    """Return the memories whose number begins with what is typed, or whose text holds it, in their order."""
    wanted = typed.strip().removeprefix("#").casefold()
    fit = [memory for memory in memories if str(memory.number).startswith(wanted) or wanted in memory.text.casefold()]
    return [Choice(one_line(f"#{memory.number} {memory.text}", _LABEL), str(memory.number)) for memory in fit[:MOST_CHOICES]]
