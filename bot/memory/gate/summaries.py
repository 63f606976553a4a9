"""What is kept of a longer text: all that does not read like an order or hold a secret."""

import re
from collections.abc import Callable, Collection

from bot.memory.gate.judge import is_fit
from bot.memory.gate.markup import holds_frame
from bot.memory.gate.pieces import holds_piece, order_of_pieces
from bot.memory.gate.reading import readings
from bot.memory.gate.verdict import Concern

MOST_DROPPED = 0.5
"""A summary that loses a greater share of its sentences is not kept at all."""
_QUOTED_LINE = re.compile(r"^[ \t]*>.*(?:\n|$)", re.MULTILINE)
"""A summary says whose words it tells; a bare quote is anybody's."""
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?]+[\"'”’)\]]*(?=\s|$)|[。！？]+[」』]?|\n|[.!?]|$)")


def kept_of(summary: str, *, bot_names: Collection[str] = ()) -> str:
    """Return a summary without the sentences that the gate would not let into memory; nothing when too few are left.

    Chunk summaries, rolling summaries and the fields of structured memories go through here before they are stored.
    """
    return kept_by(lambda text: is_fit(text, bot_names), _QUOTED_LINE.sub("", summary))


def kept_by(lets_in: Callable[[str], bool], text: str) -> str:
    """Return a text without the sentences that are not let in; nothing when too few are left, or when the rest is not let in either.

    A line that holds a piece of a prompt's frame is left out whole: its sentences belong together. So are the pieces of an order.
    """
    sentences = [sentence for sentence in _sentences(text) if sentence.strip()]
    framed = [line for line in text.splitlines() if any(map(holds_frame, readings(line)))]
    passed = [each for each in sentences if lets_in(each) and not any(each.strip() in line for line in framed)]
    pieces = [sentence for sentence in passed if holds_piece(sentence)]
    if order_of_pieces(pieces) is not Concern.NONE:
        passed = [sentence for sentence in passed if sentence not in pieces]
    if len(sentences) - len(passed) > MOST_DROPPED * len(sentences):
        return ""
    kept = "".join(passed).strip()
    return kept if lets_in(kept) else ""


def _sentences(text: str) -> list[str]:
    """Return the sentences, each with the blanks before it, so that those that stay can be put together again."""
    pieces: list[str] = []
    for match in _SENTENCE.finditer(text):
        if match[0] and not re.search(r"\w", match[0]) and pieces:
            pieces[-1] += match[0]
        elif match[0]:
            pieces.append(match[0])
    return pieces
