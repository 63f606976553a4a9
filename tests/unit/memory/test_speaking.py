from bot.domain.speaking import USUAL, SpeakMode
from bot.memory.speaking import speaking_here
from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES
from bot.testing.factories import ADA, DIRECT, GROUP, kind_of


async def test_a_conversation_speaks_as_its_category_does_and_no_other() -> None:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    async with store.write() as tx:
        await tx.places.note(GROUP, "halls")
        await tx.settings.set(GROUP.platform, GROUP.space_id, "speak.mode@halls", "every")
        await tx.settings.set(GROUP.platform, GROUP.space_id, "speak.limit@lounge", "broken")

    async with store.read() as tx:
        there = await speaking_here(tx, GROUP, kind_of(GROUP), ADA.id)
        elsewhere = await speaking_here(tx, DIRECT, kind_of(DIRECT), ADA.id)

    assert (there.mode, there.limit, elsewhere) == (SpeakMode.EVERY, USUAL.limit, USUAL)
    await store.close()
