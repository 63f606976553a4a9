"""The database, for commands that need it for a moment."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

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


def place_of(settings: Settings) -> str:
    """Return where the database is, without user and password."""
    scheme, _, rest = settings.db_url.partition("://")
    if scheme == "sqlite":
        return "in memory" if rest in {"", "/", "/:memory:"} else str(Path(rest[1:]).absolute())
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


def bring_up_to_date(*, db: str | None) -> None:
    """Upgrade the database's schema and say what was done."""
    settings = load_settings(db=db)
    done = upgrade(settings.db_url)
    name = f"The database {place_of(settings)}"
    if done is None:
        print(f"{name} is up to date.")
    elif done.before is None:
        print(f"{name} is made, with schema {done.after}.")
    else:
        print(f"{name} is upgraded from schema {done.before} to {done.after}.")
    if done and done.copy:
        print(f"As it was before, it is kept in {done.copy}.")
