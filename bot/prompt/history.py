"""How much of a conversation's past a prompt holds."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

from bot.domain.message import Role, StoredMessage
from bot.ports.tokens import TokenCounter

HISTORY_LIMIT = 100
"""How many messages a prompt holds at most where nobody has said otherwise."""
LINE_TOKENS = 16
"""What a line costs beside its text: its role, and its speaker in groups."""
LEAST_CUT = 64
"""Tokens below which the rest of a message is not worth a place."""
LOW_WATER = 2
"""A history that is trimmed keeps one in so many of the tokens and of the messages it may have."""
CUT = "\n[… cut: the message is longer than fits here]"


def trimmed(
    history: Sequence[StoredMessage],
    budget_tokens: int,
    tokens: TokenCounter,
    *,
    most: int = HISTORY_LIMIT,
    line_tokens: int = LINE_TOKENS,
    persona_id: str = "",
) -> Sequence[StoredMessage]:
    """Return the end of the history that fits, beginning where that of the persona's last prompt began as long as it can.

    So the history is trimmed in big steps, never one message a turn, and the prompt's beginning stays the same in between. Where
    the last prompt began stands in the persona's last line. A history that goes on before the first message given must have more
    than `most` of them. Of a last message that is too long, a cut one is kept if that is worth a place.
    """
    start = next((message.history_start for message in reversed(history) if message.history_start and _is_by(message, persona_id)), 0)
    kept = [message for message in history if message.id >= start]
    if len(kept) <= most and sum(_costs(kept, tokens, line_tokens)) <= budget_tokens:
        return kept
    budget_tokens //= LOW_WATER
    end = last_fitting(last_messages(kept, max(most // LOW_WATER, 1)), budget_tokens, tokens, line_tokens=line_tokens)
    if sum(_costs(end, tokens, line_tokens)) <= budget_tokens:
        return end
    room = budget_tokens - line_tokens
    return [replace(message, text=_cut(message.text, room, tokens)) for message in end] if room >= LEAST_CUT else []


def begins_anew(history: Sequence[StoredMessage], kept: Sequence[StoredMessage], persona_id: str = "") -> bool:
    """Say whether what is kept of a history begins elsewhere than in a persona's last prompt, so that all from there on is new to it."""
    start = next((message.history_start for message in reversed(history) if _is_by(message, persona_id)), 0)
    return start > 0 and (not kept or kept[0].id != start)


def last_messages(messages: Sequence[StoredMessage], most: int) -> Sequence[StoredMessage]:
    """Return the last few messages."""
    return messages[-most:] if most > 0 else []


def last_fitting(
    messages: Sequence[StoredMessage], budget_tokens: int, tokens: TokenCounter, *, line_tokens: int = LINE_TOKENS
) -> Sequence[StoredMessage]:
    """Return as many of the last messages as fit, but never less than one as long as there is one."""
    start = len(messages)
    for cost in _costs(reversed(messages), tokens, line_tokens):
        budget_tokens -= cost
        if budget_tokens < 0:
            break
        start -= 1
    return messages[min(start, len(messages) - 1) :] if messages else messages


def since_silence(history: Sequence[StoredMessage], *, until: datetime, hours: float) -> Sequence[StoredMessage]:
    """Return what was said since the last silence of that many hours; 0 hours stand for no silence at all."""
    if not hours or not history:
        return history
    longest = timedelta(hours=hours)
    moments = [*(message.sent_at for message in history), until]
    silences = [place for place, (one, next_one) in enumerate(pairwise(moments), 1) if next_one - one > longest]
    return history[silences[-1] :] if silences else history


def shortened(messages: Sequence[StoredMessage], budget_tokens: int, tokens: TokenCounter) -> Sequence[StoredMessage]:
    """Return the messages of the turn, those that are too long cut with a visible mark. None is left out."""
    share = max(budget_tokens // max(len(messages), 1) - LINE_TOKENS, LEAST_CUT)
    return [replace(message, text=_cut(message.text, share, tokens)) for message in messages]


def _is_by(message: StoredMessage, persona_id: str) -> bool:
    """Say whether a persona said it; without an id, any."""
    return message.role is Role.ASSISTANT and (not persona_id or message.persona_id in {persona_id, ""})


def _costs(messages: Iterable[StoredMessage], tokens: TokenCounter, line_tokens: int) -> Iterable[int]:
    return (line_tokens + tokens.count(message.text) for message in messages)


def _cut(text: str, limit: int, tokens: TokenCounter) -> str:
    if tokens.count(text) <= limit:
        return text
    limit -= tokens.count(CUT)
    kept, size = text, tokens.count(text)
    while size > limit:
        kept = kept[: max(int(len(kept) * limit / size * 0.98), 1)]
        size = tokens.count(kept)
    return kept + CUT
