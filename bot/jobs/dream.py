"""Dreams of a persona: one for each of its scopes, each failing alone."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

import structlog

from bot.domain.chat import ConversationKey, MemoryScope
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.model import ChatRequest, ModelEvent, Usage
from bot.domain.persona import Persona
from bot.errors import Overtaken, TokensSpent
from bot.memory.dreams.dream import Dream, DreamReport
from bot.memory.dreams.limits import DreamLimits
from bot.memory.dreams.past import keep
from bot.memory.erasing.guard import guarded
from bot.memory.spending import TOKENS_SPENT, Spending, place_of_scope
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
    spending: Spending | None = None
    """What may be spent; None stands for no limit. A dream for which there are no tokens is left to the next night, which does it all."""

    async def about(self, persona: Persona, scope: MemoryScope, run: str = "") -> JobRecord:
        """Dream about one scope, by `persona.memory`, and return the kept record; that of a dream that fails says so."""
        return (await self.report(persona, scope, run=run)).record

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False, run: str = "") -> DreamReport:
        """Dream about one scope, by `persona.memory`, and return all that was done, or with `dry_run` would be.

        A run that was given an id is gone on with when it was cut off, and not done again when it has ended.
        """
        run, at = run or uuid4().hex, self.clock.now()
        store, asked = await guarded(self.store, [scope.audience]), self.model_of(persona)
        model = _Counted(asked) if asked is not None else None
        dream = Dream(store, self.clock, self.tokens, persona, scope, model=model, limits=self.limits, run=run)
        try:
            return await self._paid(store, dream, model, dry_run=dry_run)
        except TokensSpent as spent:
            log.info("dream_waits_for_tokens", run=run, persona=persona.id, until=spent.until.isoformat())
            record = JobRecord(run, DREAM, str(scope), JobState.SKIPPED, at, 0.0, reason=TOKENS_SPENT)
        except Exception as problem:
            log.exception("dream_failed", run=run, persona=persona.id)
            record = JobRecord(run, DREAM, str(scope), JobState.FAILED, at, 0.0, reason=type(problem).__name__)
        if not dry_run:
            await keep(self.store, record)
        return DreamReport(record)

    async def _paid(self, store: Store, dream: Dream, model: "_Counted | None", *, dry_run: bool) -> DreamReport:
        """Dream, and count what that cost, also when it fails. Raises TokensSpent, before anything is asked, where nothing may be spent."""
        if model is None:
            return await dream.dream(dry_run=dry_run)
        async with store.read() as tx:
            place = await place_of_scope(tx, dream.scope)
        if self.spending is not None and place is not None:
            await self.spending.check(place, dream.persona.id, dream.scope.audience)
        try:
            return await dream.dream(dry_run=dry_run)
        finally:
            if place is not None and model.usage:
                await self._count(store, place, dream.persona.id, model.usage)

    async def _count(self, store: Store, place: ConversationKey, persona_id: str, usage: Sequence[Usage]) -> None:
        try:
            async with store.write() as tx:
                for each in usage:
                    await tx.usage.add(place, persona_id, each, self.clock.now())
        except Overtaken:
            log.info("dream_not_counted", persona=persona_id)


class _Counted:
    """A model that notes what its answers cost."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.usage: list[Usage] = []

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def takes_tools(self) -> bool:
        return self._model.takes_tools

    @property
    def takes_images(self) -> bool:
        return self._model.takes_images

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        async for event in self._model.stream(request):
            if isinstance(event, Usage):
                self.usage.append(event)
            yield event

    async def close(self) -> None:
        await self._model.close()
