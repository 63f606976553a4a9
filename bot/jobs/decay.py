"""Decay as a job: memories sink to the level that fading has left them."""

from dataclasses import dataclass
from uuid import uuid4

from bot.domain.chat import MemoryScope
from bot.domain.job import DECAY, JobRecord, JobState
from bot.domain.persona import Persona
from bot.memory.decay import decay
from bot.memory.erasing.guard import guarded
from bot.ports.clock import Clock
from bot.ports.store import Store


@dataclass(frozen=True, slots=True)
class Decay:
    """Lets memories sink, and keeps a record of it."""

    store: Store
    clock: Clock

    async def __call__(self, persona: Persona, scope: MemoryScope, run: str = "") -> JobRecord:
        """Let the memories of a scope sink by the persona's policy, and return the record.

        A run that was given an id, and has ended, is not done again.
        """
        started, run = self.clock.now(), run or uuid4().hex
        async with self.store.read() as tx:
            if known := await tx.nights.get(run):
                return known
        sunk = await decay(await guarded(self.store, [scope.audience]), scope, persona.memory, at=started, run=run)
        seconds = (self.clock.now() - started).total_seconds()
        record = JobRecord(run, DECAY, str(scope), JobState.DONE, started, seconds, counts={"decayed": sunk})
        async with self.store.write() as tx:
            await tx.nights.finish(record)
        return record
