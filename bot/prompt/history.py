"""How much of a conversation's past a prompt holds."""

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

from bot.domain.message import StoredMessage
from bot.ports.tokens import TokenCounter

HISTORY_LIMIT = 80
"""How many messages are read for a prompt at most."""
END_OF_HISTORY = 2**62
"""A row id above all others."""
LINE_TOKENS = 16
"""What a line costs beside its text: its role, and its speaker in groups."""
ANCHOR_EVERY = 16
"""One message in this many, on average, may begin a prompt's history."""
CUT = "\n[… cut: the message is longer than fits here]"


def last_that_fit(history: Sequence[StoredMessage], budget_tokens: int, tokens: TokenCounter) -> Sequence[StoredMessage]:
    """Return the end of the history that fits, beginning at an anchor unless all of it fits.

    Anchors are chosen by the messages' own ids. So the history is trimmed in steps of some sixteen messages rather than one a
    turn, and the prompt's beginning stays the same in between, with nothing to remember and in every process alike.
    """
    start = len(history)
    while start > 0:
        budget_tokens -= LINE_TOKENS + tokens.count(history[start - 1].text)
        if budget_tokens < 0:
            break
        start -= 1
    if start == 0 and len(history) < HISTORY_LIMIT:
        return history
    return next((history[i:] for i in range(start, len(history)) if _is_anchor(history[i])), history[start:])


def shortened(messages: Sequence[StoredMessage], budget_tokens: int, tokens: TokenCounter) -> Sequence[StoredMessage]:
    """Return the messages of the turn, those that are too long cut with a visible mark. None is left out."""
    share = max(budget_tokens // max(len(messages), 1) - LINE_TOKENS, 64)
    return [replace(message, text=_cut(message.text, share, tokens)) for message in messages]


def _cut(text: str, limit: int, tokens: TokenCounter) -> str:
    if tokens.count(text) <= limit:
        return text
    limit -= tokens.count(CUT)
    kept, size = text, tokens.count(text)
    while size > limit:
        kept = kept[: max(int(len(kept) * limit / size * 0.98), 1)]
        size = tokens.count(kept)
    return kept + CUT


def _is_anchor(message: StoredMessage) -> bool:
    return crc32(str(message.id).encode()) % ANCHOR_EVERY == 0
