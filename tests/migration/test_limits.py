"""What was spent before it was added up by day is added up."""

import asyncio
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import text

from bot.storage.migrate import upgrade
from bot.storage.store import SqlStore
from tests.migration.databases import connected, migrate_to

ADD = """
    INSERT INTO token_usage (conversation, persona_id, model, prompt_tokens, reply_tokens, cached_tokens, at)
    VALUES (:conversation, 'iris', 'm', 10, 2, 1, :at)
"""
LATE, EARLY = datetime(2026, 5, 3, 23, 59, 59, tzinfo=UTC), datetime(2026, 5, 4, 0, 0, 1, tzinfo=UTC)


@pytest.fixture(params=["sqlite_url", "empty_postgres_url"])
def old_url(request: pytest.FixtureRequest) -> str:
    """Return the address of a database of the revision before, with four generations in it."""
    url = str(request.getfixturevalue(request.param))
    migrate_to(url, "0009")
    with connected(url) as connection:
        for place, at in (("discord:a%3Ab:1:", LATE), ("discord:a%3Ab:2:7", LATE), ("discord:a%3Ab:1:", EARLY), ("telegram:5:5:", EARLY)):
            kept = at.isoformat(timespec="microseconds") if url.startswith("sqlite") else at
            connection.execute(text(ADD), {"conversation": place, "at": kept})
    return url


def test_what_was_spent_is_there_by_day_and_space(old_url: str) -> None:
    upgrade(old_url)

    async def spent(since: date, *, space: tuple[str, str] | None = None) -> int:
        store = SqlStore(old_url)
        await store.open()
        async with store.read() as tx:
            tokens = await tx.usage.spent(since, space=space, persona_id="iris")
        await store.close()
        return tokens

    assert asyncio.run(spent(LATE.date(), space=("discord", "a:b"))) == 36
    assert asyncio.run(spent(EARLY.date(), space=("discord", "a:b"))) == 12
    assert asyncio.run(spent(EARLY.date())) == 24
