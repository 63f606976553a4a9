"""Writing a conversation's past anew from its stored history. What is there is shown until the new is complete."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial

import structlog

from bot.domain.chat import ConversationKey
from bot.domain.past import ChunkState, CorpusKey, CorpusKind
from bot.domain.persona import Persona
from bot.errors import ModelError, Overtaken, TokensSpent
from bot.memory.erasing.guard import guarded
from bot.memory.past.carry import carry_over
from bot.memory.past.chunks import plan_chunks, summarise_planned
from bot.memory.past.index import Progress, index_structured, index_vectors, index_words
from bot.memory.past.lease import RENEW_SECONDS, HeldLease
from bot.memory.past.rolling import write_summary
from bot.memory.past.structured import unread_chunks, write_structured
from bot.memory.past.writers import PAGE, TRIES, Wanted, Writers, wanted
from bot.memory.spending import Spending
from bot.ports.clock import Clock
from bot.ports.embedder import Embedder
from bot.ports.model import ChatModel
from bot.ports.store import Store, Transaction
from bot.ports.tokens import TokenCounter

MOST_OVERTAKEN = 5
"""Times that it is gone on after something was erased meanwhile; then whoever erases has the conversation for themselves."""

log = structlog.get_logger(__name__)


class RegenerationState(StrEnum):
    """How a regeneration ended."""

    DONE = "done"
    BUSY = "busy"
    """Somebody else writes about the conversation; nothing was done."""
    SPENT = "spent"
    """A budget is used up. What was written is kept unseen, and the rest comes once there are tokens again."""
    STOPPED = "stopped"
    """The model gave no answer. What was written is kept unseen, and the next regeneration goes on from there."""


@dataclass(frozen=True, slots=True)
class RegenerationReport:
    """What came of a regeneration."""

    state: RegenerationState
    chunks: int = 0
    """Chunks with a summary."""
    parked: int = 0
    """Chunks of which the model made none."""
    problem: str = ""
    until: datetime | None = None
    """When there are tokens again."""


@dataclass(frozen=True, slots=True)
class Regeneration:
    """Regenerates conversations' pasts."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    embedder: Embedder | None = None
    renew_seconds: float = RENEW_SECONDS
    spending: Spending | None = None
    """What may be spent; None stands for no limit."""

    async def regenerate(
        self,
        conversation: ConversationKey,
        persona: Persona,
        model: ChatModel,
        *,
        chunk_tokens: int = 0,
        progress: Progress | None = None,
    ) -> RegenerationReport:
        """Write chunks, summaries and structured memories of the whole history anew, by `persona.memory` and `persona.steps`.

        `chunk_tokens` is how large chunks may be, 0 for the policy's size. One that was broken off goes on when it is asked for with
        the same size. `progress` is told how many questions are answered, and of how many.
        """
        reports: list[RegenerationReport] = []

        async def work() -> None:
            for times_left in reversed(range(MOST_OVERTAKEN)):
                store = await guarded(self.store, [conversation])
                writers = Writers(store, self.clock, self.tokens, self.embedder, model, persona, conversation, spending=self.spending)
                try:
                    report = await rebuild(writers, chunk_tokens=chunk_tokens, progress=progress, retries_parked=True)
                except Overtaken as problem:
                    is_ours = await _is_building(writers, chunk_tokens)
                    if times_left and is_ours:
                        continue  # with what is left
                    report = await _stopped(writers, str(problem)) if is_ours else RegenerationReport(RegenerationState.BUSY)
                except ModelError as problem:
                    report = await _stopped(writers, str(problem))
                except TokensSpent as spent:
                    report = replace(await _stopped(writers, str(spent)), state=RegenerationState.SPENT, until=spent.until)
                reports.append(report)
                return

        await HeldLease(self.store, self.renew_seconds).hold(conversation, work)
        return reports[0] if reports else RegenerationReport(RegenerationState.BUSY)


async def rebuild(
    writers: Writers, *, chunk_tokens: int = 0, progress: Progress | None = None, retries_parked: bool = False
) -> RegenerationReport:
    """Regenerate under a lease that is held already. `retries_parked` gives chunks of an earlier try another chance.

    Raises ModelError when the model gives no answer; what was written until then is kept. Raises Overtaken when something was erased
    meanwhile, or somebody wants chunks of another size by now.
    """
    async with writers.store.write() as tx:
        building = await tx.pasts.begin_building(writers.conversation, chunk_tokens=chunk_tokens)
        await carry_over(tx, writers.conversation, building)
        if retries_parked:
            await _unpark(tx, writers.conversation, building)
    work = _Work(replace(writers.of_chunk_tokens(chunk_tokens), building=building), progress)
    await work.fill()
    async with writers.store.read() as tx:
        report = await report_of(tx, writers.conversation, building)
    if report.parked and not report.chunks:
        return replace(report, state=RegenerationState.STOPPED, problem="The model gave no summary of any chunk.")
    await _show(writers, building)
    log.info("regenerated", platform=writers.conversation.platform, generation=building, chunks=report.chunks, parked=report.parked)
    return report


async def _stopped(writers: Writers, problem: str) -> RegenerationReport:
    async with writers.store.read() as tx:
        building = (await tx.pasts.state(writers.conversation)).building or 0
        report = await report_of(tx, writers.conversation, building)
    log.warning("regeneration_stopped", platform=writers.conversation.platform, generation=building)
    return replace(report, state=RegenerationState.STOPPED, problem=problem)


async def report_of(tx: Transaction, conversation: ConversationKey, generation: int) -> RegenerationReport:
    """Return how far a generation has come."""
    done = await tx.pasts.count(conversation, generation, states=(ChunkState.DONE,))
    parked = await tx.pasts.count(conversation, generation, states=(ChunkState.PARKED,))
    return RegenerationReport(RegenerationState.DONE, done, parked)


async def _unpark(tx: Transaction, conversation: ConversationKey, generation: int) -> None:
    while parked := await tx.pasts.chunks(conversation, generation, states=(ChunkState.PARKED,), limit=PAGE):
        for chunk in parked:
            await tx.pasts.put(replace(chunk, state=ChunkState.PLANNED, failures=0))


async def _is_building(writers: Writers, chunk_tokens: int) -> bool:
    """Say whether what is being built is still to have chunks of that size."""
    async with writers.store.read() as tx:
        state = await tx.pasts.state(writers.conversation)
    return state.building is not None and state.building_chunk_tokens == chunk_tokens


async def _show(writers: Writers, building: int) -> None:
    async with writers.store.write() as tx:
        await tx.pasts.finish_building(writers.conversation, only=building)
        if (await tx.pasts.state(writers.conversation)).generation != building:
            raise Overtaken("Somebody wants chunks of another size by now.")
        await tx.corpora.clear(CorpusKey(writers.conversation, CorpusKind.STRUCTURED))
    await index_structured(writers)
    await index_vectors(writers, CorpusKind.STRUCTURED)


@dataclass(slots=True)
class _Work:
    """The filling of one generation."""

    writers: Writers
    progress: Progress | None
    _done: int = 0
    _of: int = 0

    async def fill(self) -> None:
        """Write all that is missing, what is said meanwhile taken in."""
        async with self.writers.store.read() as tx:
            begun = await tx.pasts.last_row(self.writers.conversation, self._generation)
        await plan_chunks(self.writers, even_if_few=not begun)
        while True:
            await self._measure()
            await self._settle(partial(summarise_planned, self.writers, told=self._told))
            if self._wanted.structured:
                await self._settle(partial(write_structured, self.writers, told=self._told))
            if self._wanted.summary:
                await write_summary(self.writers, told=self._told)
            if not await plan_chunks(self.writers):
                return

    @property
    def _generation(self) -> int:
        return self.writers.building or 0

    @property
    def _wanted(self) -> Wanted:
        return wanted(self.writers.persona.steps.writers)

    async def _settle(self, write: Callable[[], Awaitable[int]]) -> None:
        """Write, and try again at once what the model has given no fit answer to, until it is written or given up."""
        for _ in range(TRIES):
            await write()

    async def _measure(self) -> None:
        """Reckon how many questions there will be in all."""
        planned, written = await self._count(ChunkState.PLANNED), await self._count(ChunkState.DONE)
        unread = planned + await unread_chunks(self.writers) if self._wanted.structured else 0
        batches = (planned + written) // self.writers.policy.summary_batch if self._wanted.summary else 0
        self._of = self._done + planned + unread + batches

    async def _told(self) -> None:
        self._done += 1
        self._of = max(self._of, self._done)
        if self.progress is not None:
            self.progress(self._done, self._of)
        await index_words(self.writers)

    async def _count(self, state: ChunkState) -> int:
        async with self.writers.store.read() as tx:
            return await tx.pasts.count(self.writers.conversation, self._generation, states=(state,))
