from contextlib import suppress

from bot.storage.store import SqlStore

KEEP = "INSERT INTO space_settings (platform, space_id, name, value) VALUES ('discord', '10', 'a', :value)"


async def test_a_queue_is_told_with_the_commit_and_not_before(store: SqlStore) -> None:
    told: list[str] = []

    async def tell() -> None:
        told.append("committed")

    async with store.write() as tx:
        tx.handover.afterwards(tell)
        await tx.handover.run(KEEP, {"value": "1"})
        assert told == []

    assert told == ["committed"]
    async with store.read() as tx:
        assert await tx.settings.all("discord", "10") == {"a": "1"}


async def test_a_queue_is_told_nothing_of_what_is_rolled_back(store: SqlStore) -> None:
    told: list[str] = []

    async def tell() -> None:
        told.append("committed")

    with suppress(ValueError):
        async with store.write() as tx:
            tx.handover.afterwards(tell)
            await tx.handover.run(KEEP, {"value": "1"})
            raise ValueError("a transaction that fails")

    assert told == []
    async with store.read() as tx:
        assert await tx.settings.all("discord", "10") == {}
