"""When a message was sent, as the model reads it before the message; `protocol.stamps` takes out what a model imitates of it."""

from datetime import datetime, tzinfo

from bot.domain.persona import Timestamps

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def stamp(kind: Timestamps, sent_at: datetime, now: datetime, zone: tzinfo) -> str:
    """Return what goes before a message, a blank at its end; empty where the persona is to see no times."""
    match kind:
        case Timestamps.NONE:
            return ""
        case Timestamps.ABSOLUTE:
            return f"({sent_at.astimezone(zone).strftime('%A, %Y-%m-%d %H:%M:%S')}) "
        case Timestamps.RELATIVE:
            return f"[Sent {_ago(int((now - sent_at).total_seconds()))}] "


def _ago(seconds: int) -> str:
    """Return a span in its two largest units, the smaller one left out where it is 0."""
    parts: list[str] = []
    for unit, size in _UNITS:
        count, seconds = divmod(max(seconds, 0), size)
        if count:
            parts.append(f"{count} {unit}" + ("s" if count > 1 else ""))
        elif parts:
            break
    return f"{', '.join(parts[:2])} ago" if parts else "just now"
