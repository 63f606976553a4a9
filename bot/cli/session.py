"""One terminal for one conversation."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2s
from pathlib import Path
from tempfile import gettempdir

from bot.errors import ConfigError

_TEMPORARY = frozenset({"sqlite://", "sqlite:///", "sqlite:///:memory:"})


@contextmanager
def session_held(db_url: str, session: str) -> Iterator[None]:
    """Hold a conversation as long as the context is open, or the process lives. Raises ConfigError while another terminal holds it.

    Two of them would take each other's turns: the store knows what waits for an answer, not who waits for it.
    """
    name = blake2s(f"{os.getuid()} {_place(db_url)} {session}".encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
    lock = os.open(Path(gettempdir()) / f"baku-{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            problem = f"The conversation {session!r} is open in another terminal. Begin another one here: `baku chat --session NAME`"
            raise ConfigError(problem) from None
        yield
    finally:
        os.close(lock)


def _place(db_url: str) -> str:
    """Return what tells a database from all others; one that is gone at the end is each process's own."""
    if db_url in _TEMPORARY:
        return str(os.getpid())
    scheme, _, path = db_url.partition(":///")
    return str(Path(path).absolute()) if scheme == "sqlite" else db_url
