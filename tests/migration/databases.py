"""Databases as migrations make them, and what they look like."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic import command
from sqlalchemy import Connection, NullPool, create_engine, inspect, text

from bot.storage.address import is_file, parsed
from bot.storage.alembic_runner import settings


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """Give a connection in a transaction that is kept."""
    address = parsed(url)
    engine = create_engine(address if is_file(address) else address.set(drivername="postgresql+psycopg"), poolclass=NullPool)
    with engine.begin() as connection:
        yield connection


def migrate_to(url: str, revision: str) -> None:
    """Bring an empty or older database to a revision by the migrations alone."""
    address = parsed(url)
    engine = create_engine(address if is_file(address) else address.set(drivername="postgresql+psycopg"), poolclass=NullPool)
    with engine.connect() as connection:
        config = settings()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def stamp(url: str, revision: str) -> None:
    """Claim that a database has some revision."""
    with connected(url) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


def support_only(url: str, oldest: str) -> None:
    """Claim that programs older than a revision cannot work on a database."""
    with connected(url) as connection:
        connection.execute(text("UPDATE schema_support SET oldest = :oldest"), {"oldest": oldest})


def shape(connection: Connection) -> dict[str, object]:
    """Return all that tables are made of, by table and in one order."""
    inspector = inspect(connection)
    return {table: _table_shape(connection, table) for table in inspector.get_table_names()}


def _table_shape(connection: Connection, table: str) -> dict[str, object]:
    inspector = inspect(connection)
    columns = [(column["name"], repr(column["type"]), column["nullable"], column["default"]) for column in inspector.get_columns(table)]
    options = ""
    if connection.dialect.name == "sqlite":
        sql = str(connection.execute(text("SELECT sql FROM sqlite_master WHERE name = :table"), {"table": table}).scalar_one())
        options = " ".join(option for option in ("AUTOINCREMENT", "WITHOUT ROWID") if option in sql)
    return {
        "columns": columns,
        "key": inspector.get_pk_constraint(table),
        "unique": sorted(map(str, inspector.get_unique_constraints(table))),
        "indexes": sorted(_index_shape(dict(index)) for index in inspector.get_indexes(table)),
        "foreign keys": sorted(map(str, inspector.get_foreign_keys(table))),
        "options": options,
    }


def _index_shape(index: dict[str, object]) -> str:
    options = index.pop("dialect_options", None)
    conditions = [f"{key}={value}" for key, value in sorted(options.items())] if isinstance(options, dict) else []
    return f"{sorted(index.items(), key=str)} {conditions}"
