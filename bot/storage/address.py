"""From a database's address to the database."""

from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.errors import ConfigError
from bot.storage.database import Database
from bot.storage.postgres import PostgresDatabase
from bot.storage.sqlite import SqliteDatabase, TemporaryDatabase

_HOW = "Write sqlite:///data/baku.db for a file, or postgresql://user:password@host/name for a server."


def parsed(url: str) -> URL:
    """Return the address in its parts. Raises `ConfigError` for one that names neither kind of database."""
    try:
        address = make_url(url)
    except ArgumentError as problem:
        raise ConfigError(f"The database's address cannot be read. {_HOW}") from problem
    if address.get_backend_name() not in {"sqlite", "postgresql"}:
        raise ConfigError(f"There is no {address.get_backend_name()} database in Baku. {_HOW}")
    return address


def file_of(address: URL) -> Path | None:
    """Return the file of an SQLite address, None for one that is to be gone at the end."""
    return Path(address.database) if address.database and address.database != ":memory:" else None


def is_file(address: URL) -> bool:
    """Return whether the address is one of SQLite."""
    return address.get_backend_name() == "sqlite"


def database_at(url: str) -> Database:
    """Return the database of that address."""
    address = parsed(url)
    if not is_file(address):
        return PostgresDatabase(address)
    path = file_of(address)
    return SqliteDatabase(path) if path else TemporaryDatabase()
