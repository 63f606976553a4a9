"""Leaving no bytes of deleted rows in a database's files.

With `secure_delete` SQLite overwrites what is deleted. But where rows were moved from page to page, pieces of them stay behind in the
gaps of pages, and deleting the row later does not reach these. Only writing the file anew does.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import structlog

from bot.storage.schema import REVISIONS
from bot.storage.sqlite_file import explained

WAIT_SECONDS = 10
"""How long others are waited for; they must not wait for us any longer than that, either."""

log = structlog.get_logger(__name__)


def wipe_file(path: Path) -> int | None:
    """Write the file anew, empty its log, and delete the copies made before upgrades; return how many there were.

    None when others read or write all the time: nothing is lost, but bytes may be left.
    """
    copies = kept_copies(path)
    for copy in copies:
        copy.unlink(missing_ok=True)
        log.warning("database_copy_deleted", copy=copy.name)
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=WAIT_SECONDS)) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("VACUUM")
            (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError as problem:
        if problem.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            return None
        raise explained(path, problem) from problem
    return None if busy else len(copies)


def kept_copies(path: Path) -> list[Path]:
    """Return the copies that were kept beside a database before upgrades."""
    found = [copy for revision in REVISIONS for copy in path.parent.glob(f"{_plain(path.name)}.{revision}*.bak")]
    return sorted(copy for copy in found if copy.is_file())


def _plain(name: str) -> str:
    """Return a name in which no character stands for others."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)
