"""How Alembic sees our tables: on the connection it is given, or on the address in alembic.ini."""

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection, NullPool, create_engine
from sqlmodel.sql.sqltypes import AutoString

from bot.storage.sql.metadata import METADATA
from bot.storage.sql.tables import Moment, Words


def plain_type(kind: str, item: object, _: AutogenContext) -> str | Literal[False]:
    """Write a column's type without our code: a migration must still run when that has changed."""
    match item:
        case Words() | AutoString() if kind == "type":
            return "sa.String()"
        case Moment() if kind == "type":
            return 'sa.DateTime(timezone=True).with_variant(sa.String(), "sqlite")'
    return False


def is_ours(name: str | None, kind: str, _: object) -> bool:
    """Say whether a table is of our models; those of the queue's engine are made as its authors say, and a move makes its own."""
    return kind != "table" or not str(name).startswith(("procrastinate_", "baku_move"))


def migrate(connection: Connection) -> None:
    """Run what is missing."""
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        render_as_batch=connection.dialect.name == "sqlite",
        render_item=plain_type,
        include_name=is_ours,
        transaction_per_migration=not connection.in_transaction(),
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    engine = create_engine(context.config.get_main_option("sqlalchemy.url", ""), poolclass=NullPool)
    with engine.connect() as own:
        migrate(own)
