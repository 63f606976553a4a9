"""The night's work: each scope gets it once a local day, from one process of all. The bell only rings; the store decides.

A day is claimed when its work is done, so that what a killed process was at is taken up again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

import structlog

from bot.domain.chat import MemoryScope, space_of
from bot.domain.job import DECAY, DREAM, NIGHT, NIGHT_TRIES, JobRecord, JobState, run_of_night
from bot.domain.night import SCHEDULE_SETTINGS, NightSchedule, due, night_of, schedule_of
from bot.domain.persona import Persona, Personas
from bot.memory.past.lease import HeldLease, release_dead
from bot.memory.policy import policy_for
from bot.memory.speaker import persona_of
from bot.ports.clock import Clock
from bot.ports.queue import ScopeQueue
from bot.ports.store import Store

JobOnScope = Callable[[Persona, MemoryScope, str], Awaitable[JobRecord]]
"""Does a job for one scope, by the policy of the given persona, keeps its record and returns it.

The run of that id goes on when it was cut off, and is not done again when it has ended.
"""
LEASE = "night:"
PAGE = 500
"""Scopes that are read at once."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Night:
    """Looks what is due at every ring, and does it, one scope at a time."""

    store: Store
    personas: Personas
    clock: Clock
    dream: JobOnScope
    decay: JobOnScope
    """Takes the dream's place where dreams are switched off."""
    done: dict[MemoryScope, date] = field(default_factory=dict)
    """The last day of each scope that needs no more looking at; the truth is in the store."""
    queue: ScopeQueue | None = None
    """Carries scopes that are due to whoever does them, one process a scope; without one they are done here, under a lease."""

    async def ring(self) -> None:
        """Do all that is due now. A job that fails keeps no other from being done; what cannot be looked at waits for the next ring."""
        try:
            if self.queue is not None:
                await self._look_at_all()
                return
            await release_dead(self.store, LEASE)
            await HeldLease(self.store, prefix=LEASE).hold("everywhere", self._look_at_all)
        except Exception:
            log.exception("night_cut_short")

    async def look(self, scope: MemoryScope) -> None:
        """Do what is due for one scope, whoever rang for it."""
        async with self.store.read() as tx:
            settings = await tx.settings.all(*space_of(scope.audience))
            own = await tx.personas.of_audience(scope.audience, scope.persona_id)
        persona = own or self.personas.by_id.get(scope.persona_id)
        if persona is not None and persona.time_zone:
            await self._look_at(scope, schedule_of(settings, zone=persona.time_zone), here=True)

    async def _look_at_all(self) -> None:
        async with self.store.read() as tx:
            schedules = await tx.settings.everywhere(SCHEDULE_SETTINGS)
        zones = await own_zones(self.store)
        for persona_id in dict.fromkeys([*self.personas.by_id, *(own for _, _, own in zones)]):
            installed = self.personas.by_id.get(persona_id)
            async for scope in scopes_of(self.store, persona_id):
                zone = zones.get((*space_of(scope.audience), persona_id)) or (installed.time_zone if installed else "")
                if zone:
                    await self._look_at(scope, schedule_of(schedules.get(space_of(scope.audience), {}), zone=zone), here=False)

    async def _look_at(self, scope: MemoryScope, schedule: NightSchedule, *, here: bool) -> None:
        day = due(self.clock.now(), schedule, self.done.get(scope))
        if day is None:
            return
        there = await self._persona_there(scope, day, night_of(day, schedule))
        if there is not None and self.queue is not None and not here:
            await self.queue.ring(scope)
            return
        if there is not None:
            await self._go_through(DREAM if there.memory.dream else DECAY, there, scope, day)
        self.done[scope] = day

    async def _persona_there(self, scope: MemoryScope, day: date, night: datetime) -> Persona | None:
        """Return the persona as it remembers there; None where there is nothing to do.

        So it is when the day is done, when memory is switched off, and when there was no memory yet as the night came.
        """
        async with self.store.read() as tx:
            last = await tx.nights.last_day(NIGHT, str(scope))
            if last is not None and last >= day:
                return None
            oldest = await tx.memories.page(scope, limit=1)
            if not oldest or oldest[0].created_at >= night:
                return None
            persona = await persona_of(tx, self.personas, scope.audience, scope.persona_id)
            there = replace(persona, memory=await policy_for(tx, persona, scope.audience))
        return there if there.memory.enabled else None

    async def _go_through(self, job: str, persona: Persona, scope: MemoryScope, day: date) -> None:
        """Begin the night of a day, or go on with it, and claim the day when it is done. After too many kills it is given up."""
        claimed = await self._claim_try(scope, day)
        if claimed is None:
            log.warning("night_given_up", job=job, persona=persona.id, audience_kind=scope.audience.kind)
        else:
            try:
                await self._do(job, persona, scope, run_of_night(str(scope), day))
            except asyncio.CancelledError:  # a stop is no kill, and leaves the day as it was
                async with self.store.write() as tx:
                    await tx.nights.release(claimed, str(scope), day)
                raise
        async with self.store.write() as tx:
            await tx.nights.claim(NIGHT, str(scope), day, self.clock.now())
            if claimed is not None:
                await tx.nights.release(claimed, str(scope), day)

    async def _claim_try(self, scope: MemoryScope, day: date) -> str | None:
        """Claim a try and return its name; None when all of them are used up."""
        async with self.store.write() as tx:
            for each in NIGHT_TRIES:
                if await tx.nights.claim(each, str(scope), day, self.clock.now()):
                    return each
        return None

    async def _do(self, job: str, persona: Persona, scope: MemoryScope, run: str) -> None:
        """Do a job and keep the record of one that fails; what fails for a reason of its own comes with the next night."""
        started = self.clock.now()
        try:
            record = await (self.dream if job == DREAM else self.decay)(persona, scope, run)
        except Exception as problem:
            log.exception("job_failed", job=job, persona=persona.id, audience_kind=scope.audience.kind)
            seconds = (self.clock.now() - started).total_seconds()
            async with self.store.write() as tx:
                await tx.nights.finish(JobRecord(run, job, str(scope), JobState.FAILED, started, seconds, type(problem).__name__))
        else:
            log.info("job_done", job=job, persona=persona.id, audience_kind=scope.audience.kind, state=record.state, reason=record.reason)


async def own_zones(store: Store) -> Mapping[tuple[str, str, str], str]:
    """Return the time zones of personas that spaces have made their own, by platform, space of the audience and id."""
    zones: dict[tuple[str, str, str], str] = {}
    after = ("", "", "")
    while True:
        async with store.read() as tx:
            page = await tx.personas.everywhere(after=after, limit=PAGE)
        if not page:
            return zones
        zones |= {(own.platform, own.audience_space, own.persona.id): own.persona.time_zone for own in page}
        after = (page[-1].platform, page[-1].space_id, page[-1].persona.id)


async def scopes_of(store: Store, persona_id: str) -> AsyncIterator[MemoryScope]:
    """Yield a persona's scopes that have memories. Nothing is held open between two of them."""
    page: Sequence[MemoryScope] = ()
    while not page or len(page) == PAGE:
        async with store.read() as tx:
            page = await tx.memories.scopes(persona_id=persona_id, after=str(page[-1].audience) if page else "", limit=PAGE)
        for scope in page:
            yield scope
        if not page:
            return


async def places_of(store: Store, persona: Persona) -> AsyncIterator[tuple[Persona, MemoryScope]]:
    """Yield a persona's scopes that have memories, each with the persona as it remembers there."""
    async for scope in scopes_of(store, persona.id):
        async with store.read() as tx:
            there = await tx.personas.of_audience(scope.audience, persona.id) or persona
            policy = await policy_for(tx, there, scope.audience)
        yield replace(there, memory=policy), scope
