"""How much of a text is read."""

import structlog

from bot.domain.text import storable

MAX_CHARACTERS = 20_000
"""A long essay. The rest of a text is left out: it would hold up the reply, and a model refuses a million characters."""

log = structlog.get_logger(__name__)


def readable(text: str) -> str:
    """Return the text as it can be stored, cut to what is read; a cut leaves a line in the log."""
    if len(text) > MAX_CHARACTERS:
        log.info("text_cut_for_names", characters=len(text), read=MAX_CHARACTERS)
    return storable(text[:MAX_CHARACTERS])
