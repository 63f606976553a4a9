"""The database file: created whole, looked at before anything touches it, upgraded beside a copy."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import structlog
from sqlalchemy import NullPool, StaticPool, create_engine, event, inspect, text
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DBAPIError

from bot.errors import StoreDamaged, StoreError
from bot.storage.schema import (
    HEAD,
    SUPPORT_TABLE,
    VERSION_TABLE,
    SchemaState,
    Upgrade,
    create_tables,
    foreign,
    newer,
    run_migrations,
    state_of,
)

BUSY_SECONDS = 30
"""How long one program waits for another one's write."""
DAMAGE_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_READ_THROUGH_BYTES = 64 * 1024 * 1024
"""Files up to this size are read from end to end at every start, at about a gigabyte a second."""
_PRIVATE = 0o600
"""It holds what people said in private."""
_MAGIC = b"SQLite format 3\0"
log = structlog.get_logger(__name__)


def make_ready(path: Path) -> Upgrade | None:
    """Create the file or upgrade it, and return what was done; None when it was ready.

    Raises `StoreDamaged` or `SchemaMismatch`, and has changed no byte then.
    """
    try:
        if not path.exists():
            return _create(path)
        match file_state(path):
            case SchemaState.CURRENT | SchemaState.AHEAD:
                return None
            case SchemaState.NEWER:
                raise newer(f"The database {path}")
            case SchemaState.FOREIGN | SchemaState.HALF_MOVED:
                raise foreign(f"The database {path}")
            case SchemaState.EMPTY | SchemaState.OLDER:
                return _upgrade(path)
    except OSError as problem:
        raise _unopened(path, problem) from problem


def file_state(path: Path) -> SchemaState:
    """Return the state of a file's schema. Raises `StoreDamaged`. Reads only."""
    try:
        return _look(path) if path.exists() else SchemaState.EMPTY
    except StoreDamaged:  # or another program was just moving its log into the file
        return _look(path)
    except OSError as problem:
        raise _unopened(path, problem) from problem


def check_writable(path: Path) -> None:
    """Raise StoreError where the file cannot be written, or not be made. Makes nothing."""
    folder = next(each for each in path.absolute().parents if os.access(each, os.F_OK))
    if not folder.is_dir():
        raise _unopened(path, NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)))
    is_writable = os.access(path, os.W_OK) or not os.access(path, os.F_OK)
    if not (is_writable and os.access(folder, os.W_OK | os.X_OK)):
        raise _unopened(path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


def explained(path: Path, problem: BaseException | None) -> StoreError:
    """Return what an error of SQLite means for whoever runs the program."""
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
    if code in DAMAGE_CODES:
        return _damaged(path, str(problem))
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return StoreError(
            f"The database {path} was kept busy by another program for {BUSY_SECONDS} seconds. End that program, then try again."
        )
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"The disk of the database {path} is full. Make room, then try again.")
    if code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}:
        return StoreError(f"The database {path} cannot be written: {problem}. Let this user write the file and the folder it is in.")
    return StoreError(f"The database {path} does not serve: {problem}.")


def _unopened(path: Path, problem: OSError) -> StoreError:
    return StoreError(f"The database {path} cannot be opened: {problem.strerror}. Check the path and its permissions.")


def _damaged(path: Path, problem: str) -> StoreDamaged:
    return StoreDamaged(
        f"The database {path} is damaged: {problem}. It was left as it is, and nothing was written. Move it away together with "
        f"{path.name}-wal, if there is one, and put a copy that you kept in its place; without a copy, "
        f"`sqlite3 {path} .recover` saves what can be read. Once the file is moved away, Baku starts with an empty database."
    )


def _look(path: Path) -> SchemaState:
    _check_size(path)
    try:
        with reading(path) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if path.stat().st_size <= _READ_THROUGH_BYTES:
                _check_pages(path, connection)
            revision = connection.execute("SELECT version_num FROM alembic_version").fetchone() if VERSION_TABLE in tables else None
            oldest = connection.execute("SELECT oldest FROM schema_support").fetchone() if SUPPORT_TABLE in tables else None
            ours = {name for name in tables if not name.startswith("sqlite_")}
            return state_of(ours, revision and revision[0], oldest and oldest[0])
    except sqlite3.Error as problem:
        raise explained(path, problem) from problem


def _check_size(path: Path) -> None:
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise _damaged(path, "it is empty" if not header else "it is no SQLite database")
    page_bytes = int.from_bytes(header[16:18], "big")
    if path.stat().st_size % (65536 if page_bytes == 1 else max(page_bytes, 512)) and not _holds_something(_log_of(path)):
        raise _damaged(path, "its last page is cut off")


def _check_pages(path: Path, connection: sqlite3.Connection) -> None:
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise _damaged(path, " ".join(verdict.replace("*** in database main ***", "").split()))


def _create(path: Path) -> Upgrade:
    if _holds_something(_log_of(path)) and not path.exists():
        raise StoreDamaged(
            f"The database {path} is gone, but {_log_of(path).name} is there with what was written last. Put the file back to keep it, "
            "or move the log away to start with an empty database."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    unborn = path.with_name(f".{path.name}.{uuid4().hex[:8]}.new")
    try:
        with closing(sqlite3.connect(unborn)) as file:
            _empty().backup(file)
        unborn.chmod(_PRIVATE)
        _give_name(unborn, path)
    except sqlite3.Error as problem:
        raise explained(path, problem) from problem
    finally:
        unborn.unlink(missing_ok=True)
    return Upgrade(before=None, after=HEAD)


@cache
def _empty() -> sqlite3.Connection:
    """Return a database in memory that has our tables and nothing in them: to copy it takes a twentieth of the time to make it."""
    memory = sqlite3.connect(":memory:", check_same_thread=False)
    with create_engine("sqlite://", creator=lambda: memory, poolclass=StaticPool).begin() as connection:
        create_tables(connection)
    return memory


def _give_name(unborn: Path, path: Path) -> None:
    """Let the file appear whole or not at all, and never in the place of another."""
    try:
        path.hardlink_to(unborn)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        if not path.exists():
            unborn.rename(path)


def _upgrade(path: Path) -> Upgrade | None:
    with _locked(path) as connection:
        if not inspect(connection).has_table(VERSION_TABLE):
            create_tables(connection)
            return Upgrade(before=None, after=HEAD)
        revision = str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())
        if revision == HEAD:  # another program was quicker
            return None
        copy = _keep_copy(path, revision)
        run_migrations(connection)
    log.info("database_upgraded", before=revision, after=HEAD, copy=str(copy))
    return Upgrade(before=revision, after=HEAD, copy=copy)


def _keep_copy(path: Path, revision: str) -> Path:
    names = (f"{path.name}.{revision}{suffix}.bak" for suffix in ("", *(f"-{number}" for number in range(2, 1000))))
    copy = next(path.with_name(name) for name in names if not path.with_name(name).exists())
    unfinished = copy.with_name(f".{copy.name}.new")
    unfinished.unlink(missing_ok=True)
    with reading(path) as source, closing(sqlite3.connect(unfinished)) as target:
        source.backup(target)
    unfinished.chmod(_PRIVATE)
    return unfinished.rename(copy)


@contextmanager
def _locked(path: Path) -> Iterator[Connection]:
    """Give a transaction in which nobody else writes; it is kept unless the body raises."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=NullPool,
        hide_parameters=True,
        connect_args={"isolation_level": None, "timeout": BUSY_SECONDS},
    )
    event.listen(engine, "connect", lambda connection, _: connection.executescript("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON"))
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as connection:
            yield connection
    except DBAPIError as problem:
        raise explained(path, problem.orig) from problem


def reading(path: Path) -> closing[sqlite3.Connection]:
    """Give a connection that writes nothing: it neither moves a log into a damaged file nor makes one where there is none."""
    mode = "mode=ro" if _holds_something(_log_of(path)) else "mode=ro&immutable=1"
    return closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=BUSY_SECONDS))


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _holds_something(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0
