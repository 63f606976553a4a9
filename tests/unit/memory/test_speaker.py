from datetime import UTC, datetime

import pytest

from bot.domain.casting import HOURS
from bot.domain.chat import ConversationKey, binding_targets
from bot.domain.persona import Personas
from bot.domain.placement import binding_target, setting_at
from bot.memory.speaker import speaker
from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES
from bot.testing.factories import a_persona

CAST = Personas({name: a_persona(name) for name in ("iris", "otto", "rose")}, default_id="iris")
CHANNEL = ConversationKey("discord", "server", "lounge")
THREAD = ConversationKey("discord", "server", "lounge", "thread")
NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


async def test_narrowest_place_that_has_a_persona_decides(store: SqlStore) -> None:
    thread, channel, server = binding_targets(THREAD)
    async with store.write() as tx:
        await tx.bindings.bind(server, "otto")
        in_channel = await speaker(tx, CAST, CHANNEL, at=NOON)
        await tx.bindings.bind(thread, "rose")
        in_thread = await speaker(tx, CAST, THREAD, at=NOON)
        elsewhere = await speaker(tx, CAST, ConversationKey("discord", "other", "lounge"), at=NOON)

    assert channel == binding_targets(CHANNEL)[0]
    assert [persona.id for persona in (in_channel, in_thread, elsewhere)] == ["otto", "rose", "iris"]


async def test_persona_that_is_gone_is_replaced_by_the_default_one(store: SqlStore) -> None:
    async with store.write() as tx:
        await tx.bindings.bind(binding_targets(CHANNEL)[0], "deleted")

        assert (await speaker(tx, CAST, CHANNEL, at=NOON)).id == "iris"


@pytest.mark.parametrize(
    ("shift_at", "bound_at", "speaks"),
    [
        pytest.param("lounge", "lounge", "rose", id="shift and binding at one place"),
        pytest.param("", "lounge", "otto", id="binding at the narrower place"),
        pytest.param("lounge/thread", "lounge", "rose", id="shift at the narrower place"),
        pytest.param("elsewhere", "lounge", "otto", id="no shift here"),
    ],
)
async def test_a_shift_goes_over_a_binding_of_the_same_place_alone(shift_at: str, bound_at: str, speaks: str) -> None:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    async with store.write() as tx:
        await tx.bindings.bind(binding_target(THREAD, bound_at), "otto")
        await tx.settings.set("discord", "server", setting_at(HOURS, shift_at), "06:00-18:00 UTC rose")
        settings = await tx.settings.all("discord", "server")

        asked = await speaker(tx, CAST, THREAD, at=NOON)
        known = await speaker(tx, CAST, THREAD, at=NOON, settings=settings)

    assert (asked.id, known.id) == (speaks, speaks)
    await store.close()
