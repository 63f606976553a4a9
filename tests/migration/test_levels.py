"""What becomes of memories and their journal that were stored before memories had levels."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from bot.domain.memory import Level, Memory
from bot.domain.message import Person
from bot.storage.migrate import upgrade
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, a_scope
from tests.migration.databases import connected, migrate_to

SCOPE = a_scope()
KEPT, FORGOTTEN = UUID(int=1), UUID(int=2)
REVISED = datetime(2026, 5, 4, 10, 0, 0, 7, tzinfo=UTC)
BO = Person("bo", "Bø", is_bot=True)
ADD_SCOPE = "INSERT INTO memory_scopes VALUES (1, :persona, :kind, :audience, 2)"
ADD_MEMORY = """
    INSERT INTO memories (uuid, scope_id, number, text, subject_id, subject_name, subject_is_bot, subject_is_service,
        author_id, author_name, author_is_bot, author_is_service, source_message_ids, created_at, updated_at)
    VALUES (:uuid, 1, :number, 'Bo likes coffee', 'bo', 'Bø', true, false, 'ada', 'Ada', false, false, '[4, 5]', :created, :updated)
"""
ADD_ENTRY = """
    INSERT INTO journal (memory_id, scope_id, number, actor, reason, before, after, source_message_ids, at)
    VALUES (:uuid, 1, :number, 'person:ada', 'said so', :before, :after, '[]', :at)
"""


@pytest.fixture(params=["sqlite_url", "empty_postgres_url"])
def old_url(request: pytest.FixtureRequest) -> str:
    """Return the address of a database of the revision before, with a memory, and with the journal of two."""
    url = str(request.getfixturevalue(request.param))
    migrate_to(url, "0002")
    changes = [
        (KEPT, 1, "", "Bo likes tea", START),
        (FORGOTTEN, 2, "", "Zanzibar", START),
        (KEPT, 1, "Bo likes tea", "Bo likes coffee", REVISED),
        (FORGOTTEN, 2, "Zanzibar", "", REVISED),
    ]
    with connected(url) as connection:
        audience = SCOPE.audience
        connection.execute(text(ADD_SCOPE), {"persona": SCOPE.persona_id, "kind": audience.kind.value, "audience": audience.id})
        connection.execute(text(ADD_MEMORY), a_row(KEPT, 1))
        for memory_id, number, before, after, at in changes:
            values = {"uuid": memory_id.hex, "number": number, "before": before, "after": after, "at": kept(at)}
            connection.execute(text(ADD_ENTRY), values)
    return url


def a_row(memory_id: UUID, number: int) -> dict[str, object]:
    """Return what an older program stores of a memory, beside what is the same for all."""
    return {"uuid": memory_id.hex, "number": number, "created": kept(START), "updated": kept(REVISED)}


def kept(moment: datetime) -> str:
    """Return a moment as SQLite keeps it and PostgreSQL takes it."""
    return moment.isoformat(" ", timespec="microseconds")


def a_memory(text: str, updated_at: datetime) -> Memory:
    """Return the memory that was kept, at some time."""
    return Memory(KEPT, SCOPE, 1, text, BO, ADA, (4, 5), START, updated_at)


async def test_memories_become_working_ones_that_fade_from_their_creation_on(old_url: str) -> None:
    upgrade(old_url)

    store = SqlStore(old_url)
    await store.open()
    async with store.read() as tx:
        assert await tx.memories.page(SCOPE, limit=9) == [a_memory("Bo likes coffee", REVISED)]
        assert await tx.memories.same_text(SCOPE, "bo  likes COFFEE!") == a_memory("Bo likes coffee", REVISED)
        for days, count in ((10, 0), (10.001, 1)):
            now = START + timedelta(days=days)
            found = await tx.memories.faded_below(SCOPE, Level.WORKING, 0.25, fading=0.05, now=now, limit=9)
            assert len(found) == count
    await store.close()


async def test_the_journal_holds_whole_memories_and_nothing_of_forgotten_ones(old_url: str) -> None:
    upgrade(old_url)

    store = SqlStore(old_url)
    await store.open()
    async with store.read() as tx:
        lines = await tx.memories.journal(SCOPE, limit=9)
    await store.close()
    before, after = a_memory("Bo likes tea", START), a_memory("Bo likes coffee", REVISED)
    assert [(line.number, line.before, line.after) for line in lines] == [
        (2, None, None),
        (1, before, after),
        (2, None, None),
        (1, None, before),
    ]
    assert {(line.actor, line.reason, line.run) for line in lines} == {("person:ada", "said so", "")}


@pytest.mark.parametrize("old_url", ["sqlite_url"], indirect=True)
def test_a_forgotten_text_is_in_no_byte_of_the_upgraded_file(old_url: str) -> None:
    path = Path(old_url.removeprefix("sqlite:///"))
    assert b"Zanzibar" in path.read_bytes()

    upgrade(old_url)

    assert b"Zanzibar" not in path.read_bytes()


async def test_what_an_older_program_stores_beside_the_upgrade_does_not_fade_and_is_listed_first(old_url: str) -> None:
    upgrade(old_url)
    with connected(old_url) as connection:
        connection.execute(text(ADD_MEMORY), a_row(UUID(int=3), 3))
        values = {"uuid": UUID(int=3).hex, "number": 3, "before": "", "after": "{bare text", "at": kept(START)}
        connection.execute(text(ADD_ENTRY), values)

    store = SqlStore(old_url)
    await store.open()
    async with store.read() as tx:
        assert [memory.number for memory in await tx.memories.at_level(SCOPE, Level.WORKING, fading=0.05, limit=9)] == [3, 1]
        faded = await tx.memories.faded_below(SCOPE, Level.WORKING, 0.25, fading=0.05, now=START + timedelta(days=99), limit=9)
        assert [memory.number for memory in faded] == [1]
        assert (await tx.memories.journal(SCOPE, number=3, limit=9))[0].after is None
    await store.close()
