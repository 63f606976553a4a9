"""A process that is killed in the middle of a night, while its model writes the diary: `python -m tests.scenario.night_killed DATABASE`.

With `engine` behind that it is one worker of several.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

from typing_extensions import override

from bot.domain.memory import Level
from bot.domain.model import ChatRequest, ModelEvent
from bot.domain.persona import Personas
from bot.jobs.decay import Decay
from bot.jobs.dream import DreamJob
from bot.jobs.night import Night
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.queueing.procrastinate.engine import Engine
from bot.queueing.procrastinate.queue import NIGHT, ProcrastinateScopes
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import a_memory, a_persona
from bot.testing.scripted_model import ScriptedModel
from bot.testing.tokens import WordTokens

DECISIONS = ('{"keep": [], "drop": [1]}', '{"same": [], "ended": [], "dated": []}')
"""What a model says that is asked about a memory that has faded, and then about one that has not."""
LATER = timedelta(days=1)


class Deadly(ScriptedModel):
    """A model that decides, and whose process is killed when it is asked once more."""

    @override
    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Answer, or end all of this."""
        if not self.replies_left:
            os.kill(os.getpid(), signal.SIGKILL)
        async for event in super().stream(request):
            yield event


async def something_to_decide(store: Store) -> None:
    """Store a memory that has faded, and one that has not."""
    async with store.write() as tx:
        await tx.memories.add(replace(a_memory("Ada had a cold"), level=Level.ARCHIVE, importance=0.0, weighed_at=START))
        await tx.memories.add(a_memory("Ada likes tea", number=2))


def night_on(store: Store, model: ChatModel) -> Night:
    """Return the night after the start, in which Iris dreams with that model."""
    clock, persona = FrozenClock(START + LATER), a_persona()
    dreams = DreamJob(store, clock, WordTokens(), lambda _: model)
    return Night(store, Personas({persona.id: persona}, persona.id), clock, dreams.about, Decay(store, clock))


async def _end(database: str) -> None:
    store = SqlStore(database)
    await store.open()
    await night_on(store, Deadly(*DECISIONS)).ring()


async def _end_as_worker(database: str) -> None:
    store, engine = SqlStore(database), Engine(database)
    await store.open()
    await engine.open()
    scopes = ProcrastinateScopes(engine, NIGHT)
    night = replace(night_on(store, Deadly(*DECISIONS)), queue=scopes)
    await night.ring()
    await scopes.run(night.look)


if __name__ == "__main__":
    asyncio.run(_end_as_worker(sys.argv[1]) if "engine" in sys.argv[2:] else _end(sys.argv[1]))
