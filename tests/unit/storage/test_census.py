from pathlib import Path

from bot.domain.memory import EditOrigin, Remember
from bot.domain.message import MessageState
from bot.memory.edit import apply_edit
from bot.storage.census import Census, census
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, a_scope, incoming


async def test_messages_memories_and_unsent_replies_are_counted(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/baku.db"
    store = SqlStore(url)
    await store.open()
    async with store.write() as tx:
        stored = await tx.messages.record(incoming("I like tea"), MessageState.WAITING)
        assert stored is not None
        await apply_edit(tx, a_scope(), Remember(1, "Likes tea", None), EditOrigin("operator", "a test", ADA), START)
    await store.close()

    assert await census(url) == Census(messages=1, memories=1, unsent=0)
