"""The database, for commands that need it for a moment."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.storage.migrate import upgrade
from bot.storage.store import SqlStore


@asynccontextmanager
async def opened_store(settings: Settings) -> AsyncIterator[SqlStore]:
    """Give the store, open; close it at the end."""
    store = SqlStore(settings.db_url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def bring_up_to_date(*, db: str | None) -> None:
    """Upgrade the database's schema and say what was done."""
    done = upgrade(load_settings(db=db).db_url)
    if done is None:
        print("The database is up to date.")
    elif done.before is None:
        print(f"The database is made, with schema {done.after}.")
    else:
        print(f"The database is upgraded from schema {done.before} to {done.after}.")
    if done and done.copy:
        print(f"As it was before, it is kept in {done.copy}.")
