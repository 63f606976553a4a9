"""Upgrading a database by hand, and whether that can be done."""

from bot.storage.address import file_of, is_file, parsed
from bot.storage.postgres import check_server_rights, server_state, upgrade_server
from bot.storage.schema import SchemaState, Upgrade
from bot.storage.sqlite_file import check_writable, file_state, make_ready


def schema_state(url: str) -> SchemaState:
    """Return how the database's schema stands to this program's. Changes nothing."""
    address = parsed(url)
    if not is_file(address):
        return server_state(address)
    path = file_of(address)
    return file_state(path) if path else SchemaState.EMPTY


def check_rights(url: str) -> None:
    """Raise StoreError, with what to do, where this program may not make or upgrade the tables. Changes nothing."""
    address = parsed(url)
    if not is_file(address):
        check_server_rights(address)
    elif path := file_of(address):
        check_writable(path)


def upgrade(url: str) -> Upgrade | None:
    """Bring the database up to date and return what was done; None when it was up to date."""
    address = parsed(url)
    if not is_file(address):
        return upgrade_server(address)
    path = file_of(address)
    return make_ready(path) if path else None
