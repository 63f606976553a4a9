"""One transaction over all repositories."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.sql.bindings import SqlBindings
from bot.storage.sql.corpora import SqlCorpora
from bot.storage.sql.corpus.cache import CorpusCache
from bot.storage.sql.entities import SqlEntities
from bot.storage.sql.erasing import SqlErasures
from bot.storage.sql.expiry import SqlExpiry
from bot.storage.sql.handover import SqlHandover
from bot.storage.sql.leases import SqlLeases
from bot.storage.sql.line import SqlLine
from bot.storage.sql.memories import SqlMemories
from bot.storage.sql.messages import SqlMessages
from bot.storage.sql.nights import SqlNights
from bot.storage.sql.outbox import SqlOutbox
from bot.storage.sql.pasts import SqlPasts
from bot.storage.sql.pending import SqlPendingMemories
from bot.storage.sql.places import SqlPlaces
from bot.storage.sql.privacy import SqlPeople
from bot.storage.sql.relations import SqlRelations
from bot.storage.sql.session import SqlSession
from bot.storage.sql.space_personas import SqlSpacePersonas
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
    pasts: SqlPasts
    corpora: SqlCorpora
    leases: SqlLeases
    people: SqlPeople
    expiry: SqlExpiry
    erasures: SqlErasures
    pending: SqlPendingMemories
    personas: SqlSpacePersonas
    places: SqlPlaces
    line: SqlLine
    handover: SqlHandover


def transaction_on(connection: AsyncConnection, *, writes: bool = False, cache: CorpusCache | None = None) -> SqlTransaction:
    """Return the repositories, all on one connection. What is read of corpora stays in the cache, if there is one."""
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
        pasts=SqlPasts(sql),
        corpora=SqlCorpora(sql, cache or CorpusCache()),
        leases=SqlLeases(sql),
        people=SqlPeople(sql),
        expiry=SqlExpiry(sql),
        erasures=SqlErasures(sql),
        pending=SqlPendingMemories(sql),
        personas=SqlSpacePersonas(sql),
        places=SqlPlaces(sql),
        line=SqlLine(sql),
        handover=SqlHandover(sql),
    )
