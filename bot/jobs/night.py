"""The night's work: each scope gets it once a local day, from one process of all. The bell only rings; the store decides."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from uuid import uuid4

import structlog

from bot.domain.chat import MemoryScope, space_of
from bot.domain.job import DECAY, DREAM, NIGHT, JobRecord, JobState
from bot.domain.night import SCHEDULE_SETTINGS, NightSchedule, due, night_of, schedule_of
from bot.domain.persona import Persona, Personas
from bot.memory.policy import policy_for
from bot.memory.speaker import persona_of
from bot.ports.clock import Clock
from bot.ports.queue import ScopeQueue
from bot.ports.store import Store

JobOnScope = Callable[[Persona, MemoryScope], Awaitable[JobRecord]]
"""Does a job for one scope, by the policy of the given persona, keeps its record and returns it."""
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
    """Carries scopes that are due to whoever does them; without one they are done here."""

    async def ring(self) -> None:
        """Do all that is due now. A job that fails keeps no other from being done; what cannot be looked at waits for the next ring."""
        try:
            async with self.store.read() as tx:
                schedules = await tx.settings.everywhere(SCHEDULE_SETTINGS)
            zones = await own_zones(self.store)
            for persona_id in dict.fromkeys([*self.personas.by_id, *(own for _, _, own in zones)]):
                installed = self.personas.by_id.get(persona_id)
                async for scope in scopes_of(self.store, persona_id):
                    zone = zones.get((*space_of(scope.audience), persona_id)) or (installed.time_zone if installed else "")
                    if zone:
                        await self._look_at(scope, schedule_of(schedules.get(space_of(scope.audience), {}), zone=zone), here=False)
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

    async def _look_at(self, scope: MemoryScope, schedule: NightSchedule, *, here: bool) -> None:
        day = due(self.clock.now(), schedule, self.done.get(scope))
        if day is None:
            return
        there = await self._persona_there(scope, day, night_of(day, schedule))
        if there is not None and self.queue is not None and not here:
            await self.queue.ring(scope)
            return
        if there is not None and await self._claim(scope, day):
            await self._do(DREAM if there.memory.dream else DECAY, there, scope, day)
        self.done[scope] = day

    async def _persona_there(self, scope: MemoryScope, day: date, night: datetime) -> Persona | None:
        """Return the persona as it remembers there; None where there is nothing to do.

        So it is when the day is taken, when memory is switched off, and when there was no memory yet as the night came.
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

    async def _claim(self, scope: MemoryScope, day: date) -> bool:
        async with self.store.write() as tx:
            return await tx.nights.claim(NIGHT, str(scope), day, self.clock.now())

    async def _do(self, job: str, persona: Persona, scope: MemoryScope, day: date) -> None:
        """Do a job for a day that is ours. A stop in the middle leaves the day to whoever starts next."""
        started = self.clock.now()
        try:
            record = await (self.dream if job == DREAM else self.decay)(persona, scope)
        except asyncio.CancelledError:
            async with self.store.write() as tx:
                await tx.nights.release(NIGHT, str(scope), day)
            raise
        except Exception as problem:
            log.exception("job_failed", job=job, persona=persona.id, audience_kind=scope.audience.kind)
            seconds = (self.clock.now() - started).total_seconds()
            await self._note(JobRecord(uuid4().hex, job, str(scope), JobState.FAILED, started, seconds, type(problem).__name__))
        else:
            log.info("job_done", job=job, persona=persona.id, audience_kind=scope.audience.kind, state=record.state, reason=record.reason)

    async def _note(self, record: JobRecord) -> None:
        async with self.store.write() as tx:
            await tx.nights.finish(record)


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
