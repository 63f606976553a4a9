"""Dreams of a persona: one for each of its scopes, each failing alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

import structlog

from bot.domain.chat import MemoryScope
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.persona import Persona
from bot.jobs.night import places_of
from bot.memory.dreams.dream import Dream, DreamReport
from bot.memory.dreams.limits import DreamLimits
from bot.memory.erasing.guard import guarded
from bot.ports.clock import Clock
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.ports.tokens import TokenCounter

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DreamJob:
    """Dreams for personas. `model_of` gives the model that a persona dreams with, None for dreams by rules alone."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    model_of: Callable[[Persona], ChatModel | None]
    limits: DreamLimits = field(default_factory=DreamLimits)

    async def about(self, persona: Persona, scope: MemoryScope) -> JobRecord:
        """Dream about one scope, by `persona.memory`, and return the kept record; that of a dream that fails says so."""
        return (await self.report(persona, scope)).record

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False) -> DreamReport:
        """Dream about one scope, by `persona.memory`, and return all that was done, or with `dry_run` would be."""
        run, at = uuid4().hex, self.clock.now()
        model, store = self.model_of(persona), await guarded(self.store, [scope.audience])
        dream = Dream(store, self.clock, self.tokens, persona, scope, model=model, limits=self.limits, run=run)
        try:
            return await dream.dream(dry_run=dry_run)
        except Exception as problem:
            log.exception("dream_failed", run=run, persona=persona.id)
            record = JobRecord(run, DREAM, str(scope), JobState.FAILED, at, 0.0, reason=type(problem).__name__)
            if not dry_run:
                await self._keep(record)
            return DreamReport(record)

    async def about_all(self, persona: Persona) -> Sequence[JobRecord]:
        """Dream about every scope of a persona, each by the policy that holds there, and return the records."""
        return [await self.about(by_its_policy, scope) async for by_its_policy, scope in places_of(self.store, persona)]

    async def _keep(self, record: JobRecord) -> None:
        async with self.store.write() as tx:
            await tx.nights.finish(record)
