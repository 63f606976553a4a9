from bot.domain.chat import ConversationKey, binding_targets
from bot.domain.persona import Personas
from bot.memory.speaker import speaker
from bot.storage.store import SqlStore
from bot.testing.factories import a_persona

CAST = Personas({name: a_persona(name) for name in ("iris", "otto", "rose")}, default_id="iris")
CHANNEL = ConversationKey("discord", "server", "lounge")
THREAD = ConversationKey("discord", "server", "lounge", "thread")


async def test_narrowest_place_that_has_a_persona_decides(store: SqlStore) -> None:
    thread, channel, server = binding_targets(THREAD)
    async with store.write() as tx:
        await tx.bindings.bind(server, "otto")
        in_channel = await speaker(tx, CAST, CHANNEL)
        await tx.bindings.bind(thread, "rose")
        in_thread = await speaker(tx, CAST, THREAD)
        elsewhere = await speaker(tx, CAST, ConversationKey("discord", "other", "lounge"))

    assert channel == binding_targets(CHANNEL)[0]
    assert [persona.id for persona in (in_channel, in_thread, elsewhere)] == ["otto", "rose", "iris"]


async def test_persona_that_is_gone_is_replaced_by_the_default_one(store: SqlStore) -> None:
    async with store.write() as tx:
        await tx.bindings.bind(binding_targets(CHANNEL)[0], "deleted")

        assert (await speaker(tx, CAST, CHANNEL)).id == "iris"
