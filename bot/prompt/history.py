"""How much of a conversation's past a prompt holds."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.domain.message import StoredMessage
from bot.ports.tokens import TokenCounter

HISTORY_LIMIT = 100
"""How many messages are read for a prompt at most."""
LINE_TOKENS = 16
"""What a line costs beside its text: its role, and its speaker in groups."""
LOW_WATER = 2
"""A history that is trimmed keeps one in so many of the tokens and of the messages it may have."""
CUT = "\n[… cut: the message is longer than fits here]"


def trimmed(history: Sequence[StoredMessage], budget_tokens: int, tokens: TokenCounter) -> Sequence[StoredMessage]:
    """Return the end of the history that fits, beginning where that of the last prompt began as long as it can.

    So the history is trimmed in big steps, never one message a turn, and the prompt's beginning stays the same in between. Where
    the last prompt began stands in the persona's last line.
    """
    start = next((message.history_start for message in reversed(history) if message.history_start), 0)
    kept = [message for message in history if message.id >= start]
    reaches_back = len(history) < HISTORY_LIMIT or history[0].id <= start
    if reaches_back and sum(_costs(kept, tokens)) <= budget_tokens:
        return kept
    return _last(kept[-(HISTORY_LIMIT // LOW_WATER) :], budget_tokens // LOW_WATER, tokens)


def shortened(messages: Sequence[StoredMessage], budget_tokens: int, tokens: TokenCounter) -> Sequence[StoredMessage]:
    """Return the messages of the turn, those that are too long cut with a visible mark. None is left out."""
    share = max(budget_tokens // max(len(messages), 1) - LINE_TOKENS, 64)
    return [replace(message, text=_cut(message.text, share, tokens)) for message in messages]


def _costs(messages: Iterable[StoredMessage], tokens: TokenCounter) -> Iterable[int]:
    return (LINE_TOKENS + tokens.count(message.text) for message in messages)


def _last(messages: Sequence[StoredMessage], budget_tokens: int, tokens: TokenCounter) -> Sequence[StoredMessage]:
    """Return as many of the last messages as fit."""
    start = len(messages)
    for cost in _costs(reversed(messages), tokens):
        budget_tokens -= cost
        if budget_tokens < 0:
            break
        start -= 1
    return messages[start:]


def _cut(text: str, limit: int, tokens: TokenCounter) -> str:
    if tokens.count(text) <= limit:
        return text
    limit -= tokens.count(CUT)
    kept, size = text, tokens.count(text)
    while size > limit:
        kept = kept[: max(int(len(kept) * limit / size * 0.98), 1)]
        size = tokens.count(kept)
    return kept + CUT
