"""Memories put where a dream is to find them."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID, uuid4

from bot.domain.chat import MemoryScope
from bot.domain.memory import Level, Memory
from bot.domain.message import Person
from bot.domain.persona import MemoryPolicy, Persona
from bot.memory.dreams.dream import Dream, DreamReport
from bot.memory.dreams.limits import DreamLimits
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.testing.clock import FrozenClock
from bot.testing.factories import ADA, a_persona, a_scope
from bot.testing.tokens import WordTokens

DAY = timedelta(days=1)


@dataclass
class Sleeper:
    """A persona, its memories of one scope, and a clock that stands at START."""

    store: Store
    policy: MemoryPolicy = field(default_factory=MemoryPolicy)
    scope: MemoryScope = field(default_factory=a_scope)
    clock: FrozenClock = field(default_factory=FrozenClock)
    limits: DreamLimits = field(default_factory=DreamLimits)

    @property
    def persona(self) -> Persona:
        return replace(a_persona(), memory=self.policy)

    async def knows(
        self,
        text: str,
        *,
        level: Level = Level.WORKING,
        importance: float = 0.75,
        idle: timedelta = timedelta(0),
        subject: Person | None = ADA,
        **fields: object,
    ) -> Memory:
        """Store a memory that was made `idle` ago and is worth `importance` now."""
        at = self.clock.now() - idle
        async with self.store.write() as tx:
            number = await tx.memories.reserve_number(self.scope)
            memory = Memory(
                id=UUID(int=number),
                scope=self.scope,
                number=number,
                text=text,
                subject=subject,
                author=ADA,
                source_message_ids=(number,),
                created_at=at,
                updated_at=at,
                level=level,
                importance=importance,
                weighed_at=self.clock.now(),
            )
            memory = replace(memory, **fields)  # type: ignore[arg-type] # a test names fields as they are
            await tx.memories.add(memory)
        return memory

    async def dreams(self, model: ChatModel | None = None, *, dry_run: bool = False, hours: float = 0) -> DreamReport:
        """Dream, `hours` from now."""
        self.clock.move(seconds=hours * 3600)
        return await self.dream(model).dream(dry_run=dry_run)

    def dream(self, model: ChatModel | None = None, *, run: str = "") -> Dream:
        """Return a dream that has not begun, or with the run of another one that is to go on."""
        run = run or uuid4().hex
        return Dream(self.store, self.clock, WordTokens(), self.persona, self.scope, model=model, limits=self.limits, run=run)

    async def memories(self) -> list[Memory]:
        """Return all memories, in number order."""
        async with self.store.read() as tx:
            return list(await tx.memories.page(self.scope, limit=100_000))

    async def memory(self, number: int) -> Memory | None:
        async with self.store.read() as tx:
            return await tx.memories.get(self.scope, number)
