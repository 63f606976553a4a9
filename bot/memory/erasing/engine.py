"""Erasing, from the order to the last byte. What is begun is finished, by whoever starts next if need be."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import structlog

from bot.domain.chat import ConversationKey
from bot.domain.erasing import (
    Counts,
    DeletedMessages,
    Erasure,
    ErasurePlan,
    ErasureState,
    ErasureTarget,
    Kept,
    OneMemory,
    OnePerson,
    added,
)
from bot.memory.erasing import batches
from bot.memory.erasing.planning import plan_of
from bot.memory.past.lease import new_owner, release_dead
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction

PREFIX = "erasing:"
LASTS = timedelta(minutes=10)
"""How long an erasure is left to a process that has gone silent."""

log = structlog.get_logger(__name__)

Step = tuple[Collection[object], Callable[[Transaction], Awaitable[tuple[Counts, bool]]]]
"""The places that a step touches, and the step: it says what went, and whether it is to be done again."""


@dataclass(frozen=True, slots=True)
class ErasureReport:
    """What came of an erasure."""

    counts: Counts
    conversations: tuple[ConversationKey, ...]
    """Where something went, and where summaries may have to be written anew."""
    is_wiped: bool
    """Whether no bytes are left in the database's own files; if not yet, the next ring sees to it."""


@dataclass(frozen=True, slots=True)
class Eraser:
    """Erases. Each piece is one transaction; the order that is stored first outlives a kill in the middle."""

    store: Store
    clock: Clock

    async def erase(self, target: ErasureTarget, *, wipes: bool = True) -> ErasureReport:
        """Erase, and return what went. Without `wipes` the files are left to a later ring, which does that once for many."""
        now, owner = self.clock.now(), new_owner()
        async with self.store.write() as tx:
            erasure = await tx.erasures.begin(target, await plan_of(tx, target), now)
            await tx.leases.take(f"{PREFIX}{erasure.id}", owner, lasts=LASTS)
        return await self._finish(erasure, owner, wipes=wipes)

    async def finish_all(self, *, wipes: bool = True) -> int:
        """Finish what somebody has begun and does no longer do; return how many erasures are done with then."""
        async with self.store.read() as tx:
            left = await tx.erasures.unfinished()
        for erasure in left:
            owner = new_owner()
            if erasure.state is ErasureState.BEGUN and await self._take(erasure, owner):
                await self._finish(erasure, owner, wipes=False)
        return await self._wipe() if wipes and left else 0

    async def _wipe(self) -> int:
        """Wipe the files once for all erasures that wait for it."""
        async with self.store.read() as tx:
            waiting = [erasure.id for erasure in await tx.erasures.unfinished() if erasure.state is ErasureState.WIPING]
        if not waiting or await self.store.wipe() is None:
            return 0
        async with self.store.write() as tx:
            for erasure_id in waiting:
                await tx.erasures.end(erasure_id)
        log.info("wiped", erasures=len(waiting))
        return len(waiting)

    async def resume(self) -> int:
        """Finish what a stopped process of this machine has begun. Call it at the start."""
        await release_dead(self.store, PREFIX)
        return await self.finish_all()

    async def _finish(self, erasure: Erasure, owner: str, *, wipes: bool) -> ErasureReport:
        conversations = tuple(place.conversation for place in erasure.plan.places)
        try:
            done = await self._carry_out(erasure, owner)
        finally:
            async with self.store.write() as tx:
                await tx.leases.release(f"{PREFIX}{erasure.id}", owner)
        copies = await self.store.wipe() if wipes else None
        if copies is not None:
            async with self.store.write() as tx:
                await tx.erasures.end(done.id)
        counts = added(done.counts, {Kept.COPIES: copies or 0})
        log.info("erased", erasure=done.id, places=len(conversations), wiped=copies is not None, **{k.value: n for k, n in counts.items()})
        return ErasureReport(counts, conversations, copies is not None)

    async def _carry_out(self, erasure: Erasure, owner: str) -> Erasure:
        """Take everything out of the tables."""
        done = erasure
        async for places, step in _steps(erasure):
            done = await self._do(done, owner, places, step)
        if done.state is ErasureState.BEGUN:
            done = replace(done, target=None, plan=ErasurePlan(), state=ErasureState.WIPING)
            async with self.store.write() as tx:
                await tx.erasures.keep(done)
        return done

    async def _do(
        self, erasure: Erasure, owner: str, places: Collection[object], step: Callable[[Transaction], Awaitable[tuple[Counts, bool]]]
    ) -> Erasure:
        """Do a step as often as it takes, a transaction each time."""
        goes_on, texts = True, [str(place) for place in places]
        while goes_on:
            now = self.clock.now()
            async with self.store.write() as tx:
                await tx.erasures.hold(texts)
                counts, goes_on = await step(tx)
                await tx.erasures.stamp(texts, now)
                erasure = replace(erasure, counts=added(erasure.counts, counts))
                await tx.erasures.keep(erasure)
                await tx.leases.take(f"{PREFIX}{erasure.id}", owner, lasts=LASTS)
        return erasure

    async def _take(self, erasure: Erasure, owner: str) -> bool:
        async with self.store.write() as tx:
            return await tx.leases.take(f"{PREFIX}{erasure.id}", owner, lasts=LASTS)


async def _steps(erasure: Erasure) -> AsyncIterator[Step]:
    """Yield what is to be done, in order: first what could be shown or remembered, then the messages, then what is left of places."""
    target, plan, at = erasure.target, erasure.plan, erasure.begun_at
    if isinstance(target, OneMemory):
        yield (
            [*(place.conversation for place in plan.places), target.scope.audience],
            _once(partial(batches.take_memory, erasure=erasure, target=target, at=at)),
        )
        return
    if isinstance(target, DeletedMessages):
        yield [], _once(lambda tx: tx.erasures.expect_none(target.conversation, target.message_ids, at))
    for audience in plan.whole:
        yield [audience], _once(partial(batches.take_whole_audience, audience=audience))
    if isinstance(target, OnePerson):
        for audience in plan.in_part:
            yield [audience], partial(batches.take_person_memories, audience=audience, person=target, at=at)
        for place in plan.places:
            yield [place.conversation, *place.audiences], _once(partial(batches.take_person_names, place=place, person=target))
    for place in plan.places:
        touched = [place.conversation, *place.audiences]
        if place.is_whole:
            yield touched, _once(partial(batches.take_documents, place=place))
        yield touched, partial(batches.take_messages, erasure=erasure, place=place, at=at)
        if place.is_whole:
            yield touched, _once(partial(_rest_of, conversation=place.conversation))
    yield [], _once(partial(batches.take_space, erasure=erasure))


async def _rest_of(tx: Transaction, conversation: ConversationKey) -> Counts:
    return await tx.erasures.take_conversation(conversation)


def _once(step: Callable[[Transaction], Awaitable[Counts | None]]) -> Callable[[Transaction], Awaitable[tuple[Counts, bool]]]:
    async def do(tx: Transaction) -> tuple[Counts, bool]:
        return await step(tx) or {}, False

    return do
