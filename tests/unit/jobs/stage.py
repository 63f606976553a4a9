"""Nights on a real store, with jobs that only note what they were asked to do."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

from bot.domain.chat import ConversationKey, MemoryScope, space_of
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.memory import Memory
from bot.domain.persona import Persona, Personas
from bot.jobs.night import Night
from bot.ports.store import Store
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import ADA, DIRECT, a_persona, a_scope

IRIS, OTTO = a_persona("iris"), a_persona("otto", name="Otto")


@dataclass(slots=True)
class NotingJob:
    """Notes for whom it was asked, and when."""

    clock: FrozenClock
    asked: list[tuple[Persona, MemoryScope]] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)

    async def __call__(self, persona: Persona, scope: MemoryScope, run: str) -> JobRecord:
        self.asked.append((persona, scope))
        self.times.append(self.clock.now())
        return JobRecord(run, DREAM, str(scope), JobState.DONE, self.clock.now(), 0.0)

    @property
    def scopes(self) -> list[MemoryScope]:
        return [scope for _, scope in self.asked]


@dataclass(slots=True)
class Nights:
    """One process's night."""

    night: Night
    dream: NotingJob
    decay: NotingJob
    clock: FrozenClock
    store: Store

    async def at(self, moment: datetime) -> None:
        """Let it ring at that moment."""
        self.clock.move(seconds=(moment - self.clock.now()).total_seconds())
        await self.night.ring()


def nights_on(store: Store, *personas: Persona, start: datetime = START) -> Nights:
    """Return a night over that store. Without personas Iris is the only one."""
    cast = personas or (IRIS,)
    clock = FrozenClock(start)
    dream, decay = NotingJob(clock), NotingJob(clock)
    night = Night(store, Personas({persona.id: persona for persona in cast}, cast[0].id), clock, dream, decay)
    return Nights(night, dream, decay, clock, store)


async def remember(store: Store, *scopes: MemoryScope, at: datetime = START) -> None:
    """Store a memory in each of the scopes."""
    async with store.write() as tx:
        for scope in scopes:
            number = await tx.memories.reserve_number(scope)
            await tx.memories.add(Memory(uuid4(), scope, number, f"fact {number}", ADA, ADA, (), at, at))


async def set_there(store: Store, scope: MemoryScope, **settings: str) -> None:
    """Keep settings in a scope's space; `dream_time` stands for `dream.time`."""
    async with store.write() as tx:
        for name, value in settings.items():
            await tx.settings.set(*space_of(scope.audience), name.replace("_", ".", 1), value)


def a_room(name: str, persona_id: str = "iris", space: str = "club") -> MemoryScope:
    """Return the scope of a channel."""
    return a_scope(ConversationKey(DIRECT.platform, space, name), persona_id=persona_id)
