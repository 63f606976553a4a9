"""Which schema a database has, and which one this program wants."""

import pkgutil
from collections.abc import Collection
from contextlib import nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sqlalchemy import Connection, text

from bot.errors import SchemaMismatch
from bot.storage.sql.metadata import METADATA

REVISIONS = (
    "0001",
    "0002",
    "0003",
    "0004",
    "0005",
    "0006",
    "0007",
    "0008",
    "0009",
    "0010",
    "0011",
    "0012",
    "0013",
    "0014",
    "0015",
    "0016",
    "0017",
    "0018",
    "0019",
    "0020",
    "0021",
    "0022",
    "0023",
)
"""All migrations, oldest first; a test holds them equal to the folder's. Known here so that a start needs no Alembic."""
HEAD = REVISIONS[-1]
OLDEST = "0014"
"""The revision of the oldest program that works on this schema. Raise it only with a migration that drops or renames something."""
VERSION_TABLE = "alembic_version"
SUPPORT_TABLE = "schema_support"


class SchemaState(StrEnum):
    """How a database's schema stands to this program's."""

    EMPTY = "empty"
    CURRENT = "current"
    OLDER = "older"
    AHEAD = "ahead"
    """A later program has upgraded it, in such a way that this one works on it."""
    NEWER = "newer"
    """A later program has upgraded it, and this one must not touch it."""
    FOREIGN = "foreign"
    """Tables of something else."""
    HALF_MOVED = "half moved"
    """A bot is being moved into it, and not all is there."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What was done to bring a database up to date. Without a revision `before` it was empty."""

    before: str | None
    after: str
    copy: Path | None = None
    """Where the database as it was before is kept."""


def state_of(tables: Collection[str], revision: str | None, oldest: str | None = None) -> SchemaState:
    """Return the state of a database with these tables and this revision, which says what the oldest program for it is."""
    if revision is None:
        return SchemaState.FOREIGN if set(tables) - {VERSION_TABLE} else SchemaState.EMPTY
    if revision == HEAD:
        return SchemaState.CURRENT
    if revision in REVISIONS:
        return SchemaState.OLDER
    return SchemaState.AHEAD if oldest in REVISIONS else SchemaState.NEWER


def newer(database: str) -> SchemaMismatch:
    """Return the error for a database that a later program has upgraded."""
    return SchemaMismatch(f"{database} was written by a newer Baku than this one. Nothing was changed. Update Baku, then start again.")


def foreign(database: str) -> SchemaMismatch:
    """Return the error for a database of something else."""
    return SchemaMismatch(f"{database} belongs to another program. Nothing was changed. Name another database.")


def create_tables(connection: Connection) -> None:
    """Create the present schema in an empty database, as all migrations together would."""
    METADATA.create_all(connection)
    connection.execute(
        text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))")
    )
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})
    _tell_support(connection)


def run_migrations(connection: Connection) -> None:
    """Bring the schema to the present revision: within the connection's transaction, or, without one, in one for each migration."""
    # Alembic takes 0.4 s to import and is needed once a release, so it is loaded by name, here.
    pkgutil.resolve_name("bot.storage.alembic_runner:run")(connection)
    with connection.begin() if not connection.in_transaction() else nullcontext():
        _tell_support(connection)


def _tell_support(connection: Connection) -> None:
    """Note which programs work on the schema now, for those that know nothing of its revision."""
    connection.execute(text("DELETE FROM schema_support"))
    connection.execute(text("INSERT INTO schema_support (oldest) VALUES (:oldest)"), {"oldest": OLDEST})
