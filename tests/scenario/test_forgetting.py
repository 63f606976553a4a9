"""After an erasure nothing of it is left: in no byte of a SQLite file, and in no table of PostgreSQL."""

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.erasing import DeletedMessages, ErasureTarget, OneConversation, OneMemory, OnePerson, OneSpace
from bot.memory.erasing.engine import Eraser, ErasureReport
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.factories import GROUP, a_scope
from tests.scenario.forgetting_stage import DIARY, SECRET, SETTING, ZOE, fill, found_in

ELSEWHERE = ConversationKey("discord", "club", "kitchen")
OTHER_SERVER = ConversationKey("discord", "pub", "bar")
DIRECT = ConversationKey("discord", "dm9", "dm9")
SCOPE = a_scope(GROUP, ZOE)

TARGETS = [
    pytest.param(OneMemory(SCOPE, 1), (), id="one memory"),
    pytest.param(DeletedMessages(GROUP, ("m1",)), (), id="a message that the platform deleted"),
    pytest.param(OnePerson("discord", ZOE.id, GROUP), (ZOE.id, ZOE.display_name), id="a person in one place"),
    pytest.param(OnePerson("discord", ZOE.id, space_id="club"), (ZOE.id, ZOE.display_name), id="a person in a server"),
    pytest.param(OnePerson("discord", ZOE.id), (ZOE.id, ZOE.display_name), id="a person everywhere"),
    pytest.param(OneConversation(GROUP), (ZOE.id, "nice weather", DIARY), id="a conversation"),
    pytest.param(OneSpace("discord", "club"), (ZOE.id, "nice weather", DIARY, SETTING, "club"), id="a server"),
]


async def erase(store: SqlStore, target: ErasureTarget) -> ErasureReport:
    """Erase a target."""
    return await Eraser(store, FrozenClock()).erase(target)


@pytest.mark.parametrize(("target", "words"), TARGETS)
async def test_nothing_is_left_of_it(store: SqlStore, store_url: str, target: ErasureTarget, words: tuple[str, ...]) -> None:
    await fill(store)
    assert found_in(store_url, SECRET, *words)

    report = await erase(store, target)

    assert report.is_wiped
    assert found_in(store_url, SECRET, *words) == []
