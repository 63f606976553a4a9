"""Dreams that somebody asks for and waits for, perhaps while another process dreams them."""

from dataclasses import dataclass, replace
from uuid import uuid4

from bot.domain.chat import MemoryScope
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.persona import Persona, Personas
from bot.jobs.diary import Dreamer
from bot.memory.dreams.dream import UNDER_WAY, DreamReport
from bot.memory.past.lease import HeldLease, release_dead
from bot.memory.policy import policy_for
from bot.memory.speaker import persona_of
from bot.ports.clock import Clock
from bot.ports.queue import DreamQueue
from bot.ports.store import Store

PATIENCE = 110.0
"""Seconds for which somebody waits: a little less than a command may take."""
PAUSE = 0.5
"""Seconds between two looks whether it is over."""
LEASE = "dream:"


@dataclass(frozen=True, slots=True)
class OneDreamAtATime:
    """A Dreamer that dreams about a scope for one who asks at a time: a second dream beside the first would ask a model in vain."""

    dreams: Dreamer
    store: Store
    clock: Clock

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False, run: str = "") -> DreamReport:
        """Dream, or say that somebody has a dream under way there. A run of an id that was cut off goes on, in whatever process."""
        if dry_run:
            return await self.dreams.report(persona, scope, dry_run=True)
        reports: list[DreamReport] = []

        async def dream() -> None:
            reports.append(await self.dreams.report(persona, scope, run=run))

        await release_dead(self.store, LEASE)
        await HeldLease(self.store, prefix=LEASE).hold(scope, dream, owner=run)
        return reports[0] if reports else _under_way(run, scope, self.clock)


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
        run = uuid4().hex
        under_way = _under_way(run, scope, self.clock)
        await self.queue.ring(run, scope)
        for _ in range(int(PATIENCE / PAUSE)):
            await self.clock.sleep(PAUSE)
            if not await self.queue.is_asked(run, scope):
                async with self.store.read() as tx:
                    known = await tx.nights.get(run)
                return DreamReport(known) if known is not None else under_way
        return under_way


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


def _under_way(run: str, scope: MemoryScope, clock: Clock) -> DreamReport:
    """Return what is told of a dream of which there is no record yet, or that gave way to another."""
    return DreamReport(JobRecord(run, DREAM, str(scope), JobState.SKIPPED, clock.now(), 0.0, reason=UNDER_WAY))
