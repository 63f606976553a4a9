"""Orders in many small pieces: each is harmless, together they are none."""

import re
from collections.abc import Collection, Sequence

from bot.memory.gate.reading import readings
from bot.memory.gate.verdict import Concern
from bot.memory.gate.wording import order_in

MOST_PIECES = 12
"""Texts of one speaker that are read together."""
_QUOTED = re.compile(r"[\"“”„«»「」『』]([^\"“”„«»「」『』\n]{1,200})[\"“”„«»「」『』]|(?<!\w)['‘]([^'’\n]{1,200})['’](?!\w)")
_AFTER_COLON = re.compile(r"[:：=]\s*([^\n]{1,200})$")


def order_of_pieces(texts: Sequence[str], bot_names: Collection[str] = ()) -> Concern:
    """Return what kind of order a speaker's texts, oldest first, hold when what they quote is put together."""
    quoted = [piece for text in texts[-MOST_PIECES:] for piece in _pieces(text)]
    if len(quoted) < 2:
        return Concern.NONE
    return order_in((way for joined in (" ".join(quoted), "".join(quoted)) for way in readings(joined)), bot_names)


def holds_piece(text: str) -> bool:
    """Say whether a text quotes something, or ends with something after a colon: what may be a piece of an order."""
    return bool(_pieces(text))


def _pieces(text: str) -> list[str]:
    quoted = [(one or other).strip() for one, other in _QUOTED.findall(text)]
    return quoted or [piece.strip(" .") for piece in _AFTER_COLON.findall(text)]
