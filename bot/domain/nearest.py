"""What somebody may have meant."""

import difflib
from collections.abc import Iterable


def nearest(typed: str, known: Iterable[str]) -> str:
    """Return the known word most like the typed one, or nothing when none is close."""
    by_folded = {word.casefold(): word for word in known}
    close = difflib.get_close_matches(typed.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[close[0]] if close else ""
