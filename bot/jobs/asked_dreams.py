"""Dreams that somebody waits for while another process dreams them."""

from dataclasses import dataclass, replace
from uuid import uuid4

from bot.domain.chat import MemoryScope
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.persona import Persona, Personas
from bot.jobs.diary import Dreamer
from bot.memory.dreams.dream import UNDER_WAY, DreamReport
from bot.memory.policy import policy_for
from bot.memory.speaker import persona_of
from bot.ports.clock import Clock
from bot.ports.queue import DreamQueue
from bot.ports.store import Store

PATIENCE = 110.0
"""Seconds for which somebody waits: a little less than a command may take."""
PAUSE = 0.5
"""Seconds between two looks whether it is over."""


@dataclass(frozen=True, slots=True)
class DreamsElsewhere:
    """A Dreamer that has a worker dream. A dry run leaves no record by which another process could tell of it: that is done here."""

    dreams: Dreamer
    store: Store
    clock: Clock
    queue: DreamQueue

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False) -> DreamReport:
        """Have it dreamt, and return its record; without its changes, which stand in the journal."""
        if dry_run:
            return await self.dreams.report(persona, scope, dry_run=True)
        run, at = uuid4().hex, self.clock.now()
        await self.queue.ring(run, scope)
        record = JobRecord(run, DREAM, str(scope), JobState.SKIPPED, at, 0.0, reason=UNDER_WAY)
        for _ in range(int(PATIENCE / PAUSE)):
            await self.clock.sleep(PAUSE)
            if not await self.queue.is_asked(run, scope):
                async with self.store.read() as tx:
                    return DreamReport(await tx.nights.get(run) or record)
        return DreamReport(record)


@dataclass(frozen=True, slots=True)
class DreamsForOthers:
    """Dreams what is asked for in any process."""

    dreams: Dreamer
    store: Store
    personas: Personas

    async def dream(self, run: str, scope: MemoryScope) -> None:
        """Dream under that run, by the policy of the place; a run that was cut off by a kill is gone on with."""
        async with self.store.read() as tx:
            persona = await persona_of(tx, self.personas, scope.audience, scope.persona_id)
            there = replace(persona, memory=await policy_for(tx, persona, scope.audience))
        await self.dreams.report(there, scope, run=run)
