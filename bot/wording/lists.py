"""Several things in one line."""

from collections.abc import Iterable

from bot.wording.say import say


def listed(parts: Iterable[str]) -> str:
    """Return them one after the other, as the present language parts them: a, b or a、b."""
    return say(", ").join(parts)
