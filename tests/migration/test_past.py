"""What becomes of a database that was kept before conversations had a past."""

import pytest
from sqlalchemy import text

from bot.domain.memory import RecallNote
from bot.domain.past import PastState
from bot.storage.migrate import upgrade
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import DIRECT
from bot.testing.store_corpora import TURNS, found, said
from tests.migration.databases import connected, migrate_to

ADD_MESSAGE = """
    INSERT INTO messages (conversation, kind, role, author_id, author_name, author_is_bot, author_is_service, text, sent_at,
        state, addressed_to_bot, attempts, persona_id)
    VALUES (:here, 'direct', 'assistant', 'iris', 'Iris', true, false, 'old words', '2026-05-03 10:00:00.000000+00:00', 'done',
        false, 0, 'iris')
"""
ADD_RECALL = "INSERT INTO recalls (conversation, message_row, notes) VALUES (:here, 1, :notes)"
NOTES = '[[3,"said so",true]]'


@pytest.fixture(params=["sqlite_url", "empty_postgres_url"])
def old_url(request: pytest.FixtureRequest) -> str:
    """Return the address of a database of the revision before, with a reply and what it recalled."""
    url = str(request.getfixturevalue(request.param))
    migrate_to(url, "0003")
    with connected(url) as connection:
        connection.execute(text(ADD_MESSAGE), {"here": str(DIRECT)})
        connection.execute(text(ADD_RECALL), {"here": str(DIRECT), "notes": NOTES})
    return url


async def test_what_was_recalled_is_kept_and_the_past_is_empty(old_url: str) -> None:
    upgrade(old_url)

    store = SqlStore(old_url)
    await store.open()
    async with store.read() as tx:
        assert await tx.messages.recalled(DIRECT) == [RecallNote(3, "said so", used=True)]
        assert await tx.messages.recalled_past(DIRECT) == []
        assert await tx.pasts.state(DIRECT) == PastState()
        assert [message.text for message in await tx.messages.page(DIRECT, limit=9)] == ["old words"]
    async with store.write() as tx:
        await tx.corpora.add(TURNS, [said(1)])
        assert await found(tx, "cat") == [(1, 1)]
    await store.close()


async def test_what_an_older_program_notes_beside_the_upgrade_is_erased_with_the_rest(old_url: str) -> None:
    upgrade(old_url)
    with connected(old_url) as connection:
        connection.execute(text(ADD_RECALL), {"here": str(DIRECT), "notes": NOTES})

    store = SqlStore(old_url)
    await store.open()
    async with store.write() as tx:
        said = await tx.messages.page(DIRECT, limit=9)
        await tx.erasures.take_messages(DIRECT, said, at=START)
        assert await tx.messages.recalled(DIRECT) == []
    await store.close()
    with connected(old_url) as connection:
        assert connection.execute(text("SELECT count(*) FROM recalls")).scalar() == 0
