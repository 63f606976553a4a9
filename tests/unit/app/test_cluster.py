"""Which queues a process has, and where roles can be parted."""

import asyncio

import pytest
from pydantic import SecretStr

from bot.app.build import serving_app
from bot.app.cluster import queues_of
from bot.config.settings import Settings
from bot.domain.chat import ConversationKey, console_conversation
from bot.domain.role import ALL_ROLES, Role
from bot.errors import ConfigError
from bot.queueing.inprocess import InProcessQueue
from bot.queueing.procrastinate.queue import ProcrastinateQueue
from bot.testing.clock import FrozenClock

FILE = Settings().model_copy(update={"db": "sqlite:///data/baku.db"})
SERVER = Settings().model_copy(update={"db": "postgresql://baku@db.example.org/baku"})


def test_a_process_that_is_alone_needs_no_engine() -> None:
    queues = queues_of(FILE, FrozenClock(), ALL_ROLES)

    assert isinstance(queues.turns, InProcessQueue)
    assert queues.cluster is None


@pytest.mark.parametrize("roles", [ALL_ROLES, frozenset({Role.GATEWAY})], ids=["all", "one"])
def test_on_a_server_any_process_takes_part(roles: frozenset[Role]) -> None:
    queues = queues_of(SERVER, FrozenClock(), roles)

    assert isinstance(queues.turns, ProcrastinateQueue)
    assert queues.cluster is not None


def test_a_part_on_a_file_is_refused_with_the_reason_and_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"--role gateway --role web needs a PostgreSQL database.*Set BAKU_DB.*leave --role away"):
        queues_of(FILE, FrozenClock(), [Role.WEB, Role.GATEWAY])


def test_shards_are_read_before_anything_is_built() -> None:
    with pytest.raises(ConfigError, match="--shards '4' cannot be read"):
        serving_app(FILE.model_copy(update={"discord_token": SecretStr("a token")}), shards="4")


async def test_a_process_that_is_alone_lets_two_hundred_conversations_wait_for_a_model() -> None:
    turns, all_wait = queues_of(FILE, FrozenClock(), ALL_ROLES).turns, asyncio.Barrier(200)

    async def take_turns(_: ConversationKey) -> None:
        await all_wait.wait()

    serving = asyncio.create_task(turns.run(take_turns))
    for number in range(200):
        await turns.ring(console_conversation(str(number)))
    async with asyncio.timeout(5):
        await turns.idle()
    serving.cancel()
