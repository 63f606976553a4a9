"""A process that is killed in the middle of a night, while its model writes the diary: `python -m tests.scenario.night_killed DATABASE`."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from datetime import timedelta

from typing_extensions import override

from bot.domain.model import ChatRequest, ModelEvent
from bot.domain.persona import Personas
from bot.jobs.decay import Decay
from bot.jobs.dream import DreamJob
from bot.jobs.night import Night
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import a_persona
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


def night_on(store: Store, model: ChatModel) -> Night:
    """Return the night after the start, in which Iris dreams with that model."""
    clock, persona = FrozenClock(START + LATER), a_persona()
    dreams = DreamJob(store, clock, WordTokens(), lambda _: model)
    return Night(store, Personas({persona.id: persona}, persona.id), clock, dreams.about, Decay(store, clock))


async def _end(database: str) -> None:
    store = SqlStore(database)
    await store.open()
    await night_on(store, Deadly(*DECISIONS)).ring()


if __name__ == "__main__":
    asyncio.run(_end(sys.argv[1]))
