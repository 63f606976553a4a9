"""What a memory is about, coarsely: enough to tell whether a newer one could contradict it."""

import re
from collections.abc import Iterable

from bot.domain.memory import Memory
from bot.memory.likeness import content_words

_SAY_LITTLE = frozenset(
    ("like", "dislike", "have", "want", "not", "no", "can", "was", "is", "name", "long", "to", "in", "on", "at", "of", "for", "with", "and")
)
_GROUPS = (
    ("live", "moved", "move", "relocated", "home"),
    ("work", "job", "employed", "quit", "retired", "unemployed"),
    ("married", "engaged", "divorced", "single", "widowed"),
    ("vegan", "vegetarian", "meat"),
)
_GROUP_OF = {word: group for group in _GROUPS for word in group}


def topics(memory: Memory) -> frozenset[str]:
    """Return what a memory is about: its words, with `moved` and `lives` as one; pairs of characters where words have no blanks."""
    words = content_words(memory.text, name=memory.subject.display_name if memory.subject else "") - _SAY_LITTLE
    return frozenset(_GROUP_OF[word][0] if word in _GROUP_OF else word for word in words) | _pairs(words)


def search_words(memory: Memory) -> str:
    """Return what to look for to find memories about the same. The person's own name is in too many to be of help."""
    groups = {_GROUP_OF[word] for word in content_words(memory.text) if word in _GROUP_OF}
    names = memory.subject.display_name.split() if memory.subject else []
    text = re.sub("|".join(rf"\b{re.escape(name)}\b" for name in names), " ", memory.text) if names else memory.text
    return " ".join([text, *(word for group in groups for word in group)])


def _pairs(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[start : start + 2] for word in words if not word.isascii() for start in range(len(word) - 1))
