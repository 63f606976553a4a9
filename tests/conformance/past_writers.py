"""A process that writes about a conversation's past until it is killed in the middle of a question."""

import asyncio
import os
import signal

from bot.domain.model import ChatRequest
from bot.domain.persona import MemoryPolicy
from bot.storage.store import SqlStore
from bot.testing.scribe import Asked, Scribe
from tests.unit.memory.past.stage import Room

ONE_EACH = MemoryPolicy(chunk_tokens=100, chunk_messages=1, chunk_lookback=0)
"""Each message is a chunk."""


def write_two_and_die(url: str) -> None:
    """Write two summaries; the process is killed while the model writes the third."""
    asyncio.run(_write_two_and_die(url))


async def _write_two_and_die(url: str) -> None:
    store = SqlStore(url)
    await store.open()
    await Room(store, ONE_EACH).check(Scribe({Asked.CHUNK: ["one", "two", _die]}))


def _die(_: ChatRequest) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return ""
