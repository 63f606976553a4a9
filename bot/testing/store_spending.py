"""What every UsageLog must say of what was spent."""

import asyncio
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone

import pytest

from bot.domain.model import Usage
from bot.ports.store import Store
from bot.testing.clock import START
from bot.testing.factories import DIRECT, GROUP

CLUB = ("discord", "club")
KITCHEN = replace(GROUP, channel_id="kitchen")


class SpendingContract:
    """One test a sentence of the port's docstring."""

    async def test_what_is_spent_is_told_by_space_and_persona_since_a_day(self, store: Store) -> None:
        today, yesterday = START.date(), START - timedelta(days=1)
        async with store.write() as tx:
            await tx.usage.add(GROUP, "iris", Usage("a", 10, 2, 1), yesterday)
            await tx.usage.add(GROUP, "iris", Usage("a", 2**40, 3), START)
            await tx.usage.add(KITCHEN, "iris", Usage("b", 20, 4), START)
            await tx.usage.add(KITCHEN, "rose", Usage("b", 100, 100), START)
            await tx.usage.add(DIRECT, "iris", Usage("a", 1000, 1), START)

        async with store.read() as tx:
            assert await tx.usage.spent(today, space=CLUB) == 2**40 + 3 + 24 + 200
            assert await tx.usage.spent(today, space=CLUB, persona_id="iris") == 2**40 + 3 + 24
            assert await tx.usage.spent(yesterday.date(), space=CLUB, persona_id="iris") == 2**40 + 3 + 24 + 12
            assert await tx.usage.spent(today, persona_id="iris") == 2**40 + 3 + 24 + 1001
            assert await tx.usage.spent(today + timedelta(days=1), persona_id="iris") == 0
            assert await tx.usage.spent(today, space=("telegram", "club")) == 0

    async def test_spending_of_nobody_nowhere_is_not_told(self, store: Store) -> None:
        async with store.read() as tx:
            with pytest.raises(ValueError, match="Name a space"):
                await tx.usage.spent(START.date())

    async def test_a_day_of_spending_is_one_of_utc(self, store: Store) -> None:
        late = datetime(2026, 5, 3, 23, 30, tzinfo=timezone(timedelta(hours=-3)))
        async with store.write() as tx:
            await tx.usage.add(GROUP, "iris", Usage("a", 10, 2), late)

        async with store.read() as tx:
            assert await tx.usage.spent(date(2026, 5, 4), persona_id="iris") == 12

    async def test_of_many_that_spend_at_once_nothing_is_lost(self, store: Store) -> None:
        async def spend() -> None:
            async with store.write() as tx:
                await tx.usage.add(GROUP, "iris", Usage("a", 1, 1), START)

        await asyncio.gather(*(spend() for _ in range(20)))

        async with store.read() as tx:
            assert await tx.usage.spent(START.date(), persona_id="iris") == 40
