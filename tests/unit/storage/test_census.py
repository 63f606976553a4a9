from pathlib import Path

from bot.domain.message import MessageState
from bot.storage.census import Census, census
from bot.storage.store import SqlStore
from bot.testing.factories import incoming
from bot.testing.store_memories import remember


async def test_messages_memories_and_unsent_replies_are_counted(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/baku.db"
    store = SqlStore(url)
    await store.open()
    async with store.write() as tx:
        stored = await tx.messages.record(incoming("I like tea"), MessageState.WAITING)
        assert stored is not None
        await remember(tx.memories, "Likes tea")
    await store.close()

    assert await census(url) == Census(messages=1, memories=1, unsent=0)
