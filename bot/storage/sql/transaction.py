"""One transaction over all repositories."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.sql.bindings import SqlBindings
from bot.storage.sql.entities import SqlEntities
from bot.storage.sql.memories import SqlMemories
from bot.storage.sql.messages import SqlMessages
from bot.storage.sql.nights import SqlNights
from bot.storage.sql.outbox import SqlOutbox
from bot.storage.sql.relations import SqlRelations
from bot.storage.sql.session import SqlSession
from bot.storage.sql.space_settings import SqlSpaceSettings
from bot.storage.sql.usage import SqlUsageLog


@dataclass(frozen=True, slots=True)
class SqlTransaction:
    """Fulfils `bot.ports.store.Transaction`."""

    messages: SqlMessages
    memories: SqlMemories
    outbox: SqlOutbox
    bindings: SqlBindings
    entities: SqlEntities
    usage: SqlUsageLog
    nights: SqlNights
    settings: SqlSpaceSettings
    relations: SqlRelations


def transaction_on(connection: AsyncConnection, *, writes: bool = False) -> SqlTransaction:
    """Return the repositories, all on one connection."""
    sql = SqlSession(connection, writes=writes)
    return SqlTransaction(
        messages=SqlMessages(sql),
        memories=SqlMemories(sql),
        outbox=SqlOutbox(sql),
        bindings=SqlBindings(sql),
        entities=SqlEntities(sql),
        usage=SqlUsageLog(sql),
        nights=SqlNights(sql),
        settings=SqlSpaceSettings(sql),
        relations=SqlRelations(sql),
    )
