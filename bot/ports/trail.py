"""The turn id: which message is being answered, in every line of the log, whoever writes it and in whichever process.

It is the row of the message. Whatever carries work to another task or process takes `turn_here()` along and does the work in `on_turn`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from structlog.contextvars import bind_contextvars, get_contextvars, unbind_contextvars

_TURN = "turn"
_said_at: ContextVar[datetime | None] = ContextVar("said_at", default=None)


def turn_here() -> int:
    """Return the row of the message that is being answered here; 0 when none is known."""
    row: object = get_contextvars().get(_TURN)
    return row if isinstance(row, int) else 0


def said_at() -> datetime | None:
    """Return when the message was said that is being answered here; None when that is not known."""
    return _said_at.get()


def follow(row: int, at: datetime | None = None) -> None:
    """From here on, let what is done in this task belong to the answer to that row, which was said then; 0 to none."""
    _said_at.set(at)
    if row:
        bind_contextvars(**{_TURN: row})
    else:
        unbind_contextvars(_TURN)


@contextmanager
def on_turn(row: int = 0) -> Iterator[None]:
    """Let what is done inside belong to the answer to that row, 0 to none yet; afterwards all is as it was."""
    before, at = turn_here(), said_at()
    follow(row)
    try:
        yield
    finally:
        follow(before, at)
