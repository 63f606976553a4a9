"""What background writers may keep of a summary: all that does not read like an order or hold a secret."""

import re
from collections.abc import Collection

from bot.memory.gate.judge import judged
from bot.memory.gate.verdict import Ruling

MOST_DROPPED = 0.5
"""A summary that loses a greater share of its sentences is not kept at all."""
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?]+[\"'”’)\]]*(?=\s|$)|[。！？]+[」』]?|\n|[.!?]|$)")


def kept_of(summary: str, *, bot_names: Collection[str] = ()) -> str:
    """Return a summary without the sentences that the gate would not let into memory; nothing when too few are left.

    Chunk summaries, rolling summaries and the fields of structured memories go through here before they are stored.
    """
    sentences = [sentence for sentence in _sentences(summary) if sentence.strip()]
    passed = [sentence for sentence in sentences if judged(sentence, bot_names=bot_names).ruling is Ruling.ACCEPT]
    if len(sentences) - len(passed) > MOST_DROPPED * len(sentences):
        return ""
    kept = "".join(passed).strip()
    return kept if judged(kept, bot_names=bot_names).ruling is Ruling.ACCEPT else ""


def _sentences(text: str) -> list[str]:
    """Return the sentences, each with the blanks before it, so that those that stay can be put together again."""
    pieces: list[str] = []
    for match in _SENTENCE.finditer(text):
        if match[0] and not re.search(r"\w", match[0]) and pieces:
            pieces[-1] += match[0]
        elif match[0]:
            pieces.append(match[0])
    return pieces
