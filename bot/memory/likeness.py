"""Whether two texts say the same. Careful: in doubt they do not."""

import re
from collections.abc import Iterable

from bot.domain.chat import MemoryScope
from bot.domain.memory import Memory
from bot.domain.message import Person
from bot.domain.terms import terms
from bot.domain.text import text_key
from bot.ports.store import Transaction

CANDIDATES = 5
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot|\w+n't|nicht|kein\w*|nie|pas|jamais|nunca)\b|ない|ません|不|没",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


async def repeated(tx: Transaction, scope: MemoryScope, text: str, subject: Person | None) -> Memory | None:
    """Return the memory about the same person that says what the text says, if there is one."""
    same = await tx.memories.same_text(scope, text)
    if same is not None and _about(same, subject):
        return same
    found = await tx.memories.search(scope, text, limit=CANDIDATES)
    return next((memory for memory, _ in found if _about(memory, subject) and says_the_same(memory.text, text)), None)


def says_the_same(one: str, other: str) -> bool:
    """Say whether two texts state one fact in other words: the same content words, numbers and negations.

    Order, function words, word endings and punctuation may differ. A text that says more than the other is another fact.
    """
    if text_key(one) == text_key(other):
        return True
    if _numbers(one) != _numbers(other) or bool(_NEGATION.search(one)) != bool(_NEGATION.search(other)):
        return False
    words = terms(one)
    return len(words) > 1 and words == terms(other)


def _numbers(text: str) -> Iterable[str]:
    return sorted(_NUMBER.findall(text))


def _about(memory: Memory, subject: Person | None) -> bool:
    return (memory.subject.id if memory.subject else None) == (subject.id if subject else None)
