from collections.abc import Mapping
from dataclasses import replace

import pytest

from bot.conversation.acknowledge import SEEN, acknowledged
from bot.domain.message import StoredMessage
from bot.ports.platform import Platform
from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES
from bot.testing.factories import GROUP, stored
from bot.testing.platform import RecordingPlatform

ASKED = stored("hi", conversation=GROUP)


@pytest.mark.parametrize(
    ("message", "setting", "reactions"),
    [
        pytest.param(ASKED, "on", [("m1", SEEN)], id="wanted"),
        pytest.param(ASKED, "", [], id="not wanted"),
        pytest.param(replace(ASKED, addressed_to_bot=False), "on", [], id="not addressed"),
        pytest.param(replace(ASKED, attempts=1), "on", [], id="tried before"),
    ],
)
async def test_a_new_message_is_acknowledged_where_admins_want_that(
    message: StoredMessage, setting: str, reactions: list[tuple[str, str]]
) -> None:
    store, platform = SqlStore(DATABASES.fresh()), RecordingPlatform()
    platforms: Mapping[str, Platform] = {GROUP.platform: platform}
    await store.open()
    async with store.write() as tx:
        await tx.settings.set(GROUP.platform, GROUP.space_id, "speak.reacts", setting)

    async with acknowledged(store, platforms, [message]):
        pass

    assert platform.reactions == reactions
    await store.close()
