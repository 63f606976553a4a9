"""One dream about one scope, from top to bottom. It plans first, without a lock, and then stores in short steps."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import uuid4

import structlog

from bot.domain.chat import MemoryScope
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.persona import Persona
from bot.memory.dreams.apply import Writing
from bot.memory.dreams.asking import Asking
from bot.memory.dreams.checks import NO_SOURCE, OVER_BUDGET, refusal
from bot.memory.dreams.cursor import Cursor, cursor_in
from bot.memory.dreams.diary import dream_diary
from bot.memory.dreams.limits import DreamLimits
from bot.memory.dreams.model import DreamModel
from bot.memory.dreams.past import keep, last_kept, let_go_of_earlier
from bot.memory.dreams.plan import Change, Plan
from bot.memory.dreams.rules import Survey, counts_of, crowd_out, fading_out, forget, merge_repeats
from bot.memory.hidden import hidden_there, shown_memories
from bot.ports.clock import Clock
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.ports.tokens import TokenCounter

TOO_SOON, SWITCHED_OFF, INTERRUPTED = "too_soon", "switched_off", "interrupted"
UNDER_WAY = "under_way"
"""Why whoever asked for a dream has no more than its run: another one goes on there, or this one in another process."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DreamReport:
    """What a dream did, or would do, and each change with its reason."""

    record: JobRecord
    changes: Sequence[Change] = ()

    @property
    def counts(self) -> Mapping[str, int]:
        """Return how many memories went through each step."""
        return self.record.counts or {}

    @property
    def duration_seconds(self) -> float:
        """Return how long it took."""
        return self.record.seconds


@dataclass(frozen=True, slots=True)
class _Thoughts:
    """What came of asking the model, beside what is in the plan."""

    cursor: Cursor
    problem: str = ""
    costs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dream:
    """A persona's dream about one scope, by `persona.memory`. Without a model it does what rules can do."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    persona: Persona
    scope: MemoryScope
    model: ChatModel | None = None
    limits: DreamLimits = field(default_factory=DreamLimits)
    run: str = field(default_factory=lambda: uuid4().hex)

    async def dream(self, *, dry_run: bool = False) -> DreamReport:
        """Dream, keep the record, and return the report. A dry run changes nothing and leaves no record.

        A run that has ended is not dreamt again; one that was cut off is.
        """
        async with self.store.read() as tx:
            known = await tx.nights.get(self.run)
        if known is not None and (known.state, known.reason) != (JobState.FAILED, INTERRUPTED):
            return await self._told_late(known)
        at, begun = self.clock.now(), time.perf_counter()
        record = JobRecord(self.run, DREAM, str(self.scope), JobState.DONE, at, 0.0)
        earlier = await last_kept(self.store, str(self.scope))
        reason = self._reason_to_skip(earlier, at)
        if reason:
            report = DreamReport(replace(record, state=JobState.SKIPPED, reason=reason))
        else:
            report = await self._dreamt(record, cursor_in(earlier.counts if earlier else None), dry_run=dry_run)
        report = replace(report, record=replace(report.record, seconds=time.perf_counter() - begun))
        if not dry_run:
            await keep(self.store, report.record)
        log.info("dreamt", run=self.run, persona=self.persona.id, state=report.record.state, reason=report.record.reason, dry=dry_run)
        return report

    def _reason_to_skip(self, earlier: JobRecord | None, at: datetime) -> str:
        policy = self.persona.memory
        if not (policy.enabled and policy.dream):
            return SWITCHED_OFF
        rest = timedelta(hours=policy.dream_hours)
        return TOO_SOON if earlier and timedelta(0) <= at - earlier.started_at < rest else ""

    async def _dreamt(self, record: JobRecord, cursor: Cursor, *, dry_run: bool) -> DreamReport:
        asking = self._asking()
        survey = await self._survey(record.started_at)
        merge_repeats(survey)
        crowd_out(survey)
        thoughts = await self._think(asking, survey, cursor)
        planned = survey.plan.changes
        problem = thoughts.problem or refusal(survey, self.limits)
        if problem:
            counts = {**counts_of(planned), **thoughts.costs}
            return DreamReport(replace(record, state=JobState.REFUSED, reason=problem, counts=counts), planned)
        done = planned if dry_run else await self._carry_out(survey, record, cursor)
        left_out = {"left_out": len(planned) - len(done)} if len(done) < len(planned) else {}
        counts = {**counts_of(done), **left_out, **thoughts.costs, **thoughts.cursor.counts()}
        record = replace(record, counts=counts)
        if asking is None or dry_run:
            return DreamReport(record, done)
        await keep(self.store, record)
        return DreamReport(replace(record, diary=await dream_diary(asking, self.persona, counts)), done)

    async def _told_late(self, known: JobRecord) -> DreamReport:
        """Return what is known of a dream that has ended; its diary is written now, if it was cut off before that."""
        asking = self._asking()
        if known.state is not JobState.DONE or known.diary or asking is None:
            return DreamReport(known)
        told = replace(known, diary=await dream_diary(asking, self.persona, known.counts or {}))
        await keep(self.store, told)
        return DreamReport(told)

    def _asking(self) -> Asking | None:
        return Asking(self.model, self.tokens, self.limits, model_name=self.persona.model.name) if self.model else None

    async def _survey(self, at: datetime) -> Survey:
        """Read all memories of the scope, and let them sink, strengthen and come back on the way.

        Those of people who opted out are left alone.
        """
        policy = self.persona.memory
        survey, after, page_is_full = Survey(Plan(policy, at), policy, at), 0, True
        while page_is_full:
            async with self.store.read() as tx:
                page = await tx.memories.page(self.scope, after=after, limit=self.limits.page)
                people = [person for memory in page for person in (memory.subject, memory.author)]
                hidden = await hidden_there(tx, self.scope.audience, people)
            survey.take(shown_memories(page, hidden))
            page_is_full = len(page) == self.limits.page
            after = page[-1].number if page else after
            await asyncio.sleep(self.limits.rest_seconds)
        return survey

    async def _think(self, asking: Asking | None, survey: Survey, cursor: Cursor) -> _Thoughts:
        """Let the model decide what to forget, merge, end and date; without one, forget what has faded."""
        faint = fading_out(survey)
        if asking is None:
            forget(survey, faint)
            return _Thoughts(cursor)
        model = DreamModel(asking, survey, self.persona, self.limits)
        await model.judge(faint)
        moved = await model.tidy(self.store, cursor)
        problem = OVER_BUDGET if asking.is_over_budget else NO_SOURCE if model.is_unsourced else ""
        return _Thoughts(moved, problem, {"rejected": model.rejected, "calls": asking.calls, "tokens": asking.tokens})

    async def _carry_out(self, survey: Survey, record: JobRecord, cursor: Cursor) -> Sequence[Change]:
        """Store the plan. Should this be interrupted, the record says so, and the run can be undone or simply dreamt again."""
        await keep(self.store, replace(record, state=JobState.FAILED, reason=INTERRUPTED, counts=cursor.counts()))
        writing = Writing(self.store, self.scope, self.persona.memory, record.started_at, self.run, self.limits)
        done = await writing.store_all(survey.plan.bundles)
        async with self.store.write() as tx:
            await tx.memories.set_fold(self.scope, None)
        await let_go_of_earlier(self.store, self.scope, self.run)
        return done
