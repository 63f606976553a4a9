"""Running the migrations."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

import bot
from bot.errors import StoreError

MIGRATIONS = Path(bot.__file__).parents[1] / "migrations"


def settings() -> Config:
    """Return Alembic's settings, wherever the program was started from."""
    if not MIGRATIONS.is_dir():
        raise StoreError(f"The folder {MIGRATIONS} is missing. Upgrade the database from a checkout of Baku's repository.")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def run(connection: Connection) -> None:
    """Run what is missing, within the connection's transaction, or, without one, in one for each migration."""
    config = settings()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
