"""Taking a conversation's turns: one at a time, bursts joined, what a crash left first."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

import structlog

from bot.conversation.acknowledge import acknowledged
from bot.conversation.deliver import Delivery
from bot.conversation.joining import joining
from bot.conversation.pipeline import Pipeline
from bot.conversation.running import MoreWasSaid, Writing, WritingHere
from bot.conversation.work import Work, work_in
from bot.domain.chat import CONSOLE, ConversationKey, ConversationKind, MemoryScope, audience_of, space_of
from bot.domain.message import MessageState, OutboxEntry, ReplyTarget, StoredMessage
from bot.domain.persona import Personas
from bot.domain.turn import Turn
from bot.errors import Overtaken, StoreError
from bot.memory.company import addressee, company_in
from bot.memory.erasing.guard import guarded_in
from bot.memory.policy import policy_of
from bot.memory.speaking import speaking_by
from bot.ports.clock import Clock
from bot.ports.metrics import Retry
from bot.ports.queue import TurnQueue
from bot.ports.store import Store
from bot.ports.trail import follow
from bot.ports.watch import NO_WATCH, Watch

MOST_FAILURES = 5
"""Turns that may fail over the same messages before they are closed with a notice."""
FAILURE = 4
"""A turn that failed counts as much as so many that never came to an end: those were killed, most likely for no fault of theirs."""
MAX_ATTEMPTS = MOST_FAILURES * FAILURE
LONGEST_BURST = 5
"""A burst is waited out for this many windows at most."""
MOST_JOINED = 20
"""Messages that one answer may cover."""
MOST_BEGUN_ANEW = 2
"""Times that an answer is begun anew because more was said, before it is left to end."""
JOINED_WITHIN = timedelta(seconds=20)
"""What is said later than this after an answer was begun is answered after it."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a turn."""

    unsent: Sequence[OutboxEntry]
    """What is to be sent now."""
    is_all: bool
    """Nothing else was left to do when the turn began, and this is all that it has left."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Takes turns from the store, which alone knows what waits."""

    store: Store
    clock: Clock
    personas: Personas
    pipeline: Pipeline
    delivery: Delivery
    queue: TurnQueue
    background: TurnQueue
    """Asked to write about a conversation's past after each answer."""
    burst_seconds: float
    """How long a group must be quiet before its messages are answered together."""
    writing: WritingHere = field(default_factory=WritingHere)
    """The answers that are being written just now; commands stop them."""
    watch: Watch = NO_WATCH

    async def take_turns(self, conversation: ConversationKey) -> None:
        """Send what is decided and give one answer to what waits; more that waits has rung. Exactly one runs for a conversation at a time.

        Raises DeliveryDelayed, without beginning an answer, when none could leave for the platform.
        """
        if not self.delivery.serves(conversation):
            return
        self.delivery.expect(conversation)
        follow(0)
        with self.queue.rings(conversation) as ring:
            await self._take_turn(conversation, ring)

    async def _take_turn(self, conversation: ConversationKey, ring: asyncio.Event) -> None:
        """Go on until one answer is sent. What waits then has a look of its own, behind the conversations that have waited longer."""
        begun_anew = 0
        while True:
            ring.clear()
            work = await self._work(conversation)
            await self.delivery.send(work.left.unsent)
            if work.left.passing:
                await self._let_go(conversation)
            if work.is_sent_alone:
                return
            if work.left.unsent:
                continue  # what waits is looked at anew: sending may have taken long
            if work.left.waiting:
                answered = await self._answer(conversation, work, ring if begun_anew < MOST_BEGUN_ANEW else None, is_anew=begun_anew > 0)
                if answered is None:
                    begun_anew += 1
                    continue
                await self.delivery.send(answered.unsent if answered.is_all else (await self._work(conversation)).left.unsent)
                if not answered.is_all:
                    await self.queue.ring(conversation)
                return  # what has come since the look has rung
            if not work.left.draft_id:
                return
            await self._withdraw(conversation, work.left.draft_id)

    async def recover(self, *, limit: int | None = None) -> None:
        """Ring for every conversation in which a stopped process left something to do, or for those that wait longest."""
        async with self.store.read() as tx:
            left = [
                *await tx.outbox.unsent_conversations(limit=limit),
                *await tx.messages.waiting_conversations(limit=limit),
                *await tx.people.passing_conversations(),
                *await tx.outbox.drafted_conversations(),
            ]
        for conversation in dict.fromkeys(left):
            await self.queue.ring(conversation)

    async def _work(self, conversation: ConversationKey) -> Work:
        async with self.store.read() as tx:
            return await work_in(tx, self.personas, conversation, at=self.clock.now())

    async def _withdraw(self, conversation: ConversationKey, draft_id: str) -> None:
        """Take away an unfinished answer that nobody waits for any more."""
        await self.delivery.withdraw(ReplyTarget(conversation, ConversationKind.GROUP), draft_id)
        async with self.store.write() as tx:
            await tx.outbox.set_draft(conversation, "")

    async def _let_go(self, conversation: ConversationKey) -> None:
        """Delete what was said by and to people who opted out, once it is answered and sent."""
        async with self.store.write() as tx:
            await tx.people.let_go(conversation, self.clock.now())

    async def _answer(self, conversation: ConversationKey, work: Work, ring: asyncio.Event | None, *, is_anew: bool) -> Answered | None:
        """Answer what waits; None when it is to be begun anew, together with what was said meanwhile. Without a ring that cannot be."""
        with self.writing.begin(conversation, {message.author.id for message in work.left.waiting}) as writing:
            try:
                async with acknowledged(self.store, self.pipeline.platforms, work.left.waiting, settings=work.settings):
                    answered = await self._answer_in(conversation, work, writing, ring, is_anew=is_anew)
            except MoreWasSaid:
                return None
        await self.background.ring(conversation)
        return answered

    async def _answer_in(
        self, conversation: ConversationKey, work: Work, writing: Writing, ring: asyncio.Event | None, *, is_anew: bool
    ) -> Answered:
        if work.left.waiting[0].kind is ConversationKind.GROUP:
            work = await self._burst(conversation, work)
        waiting = work.together
        writing.people = frozenset(message.author.id for message in waiting)
        turn, store = await self._begin(conversation, waiting[:MOST_JOINED], counts=not is_anew)
        turn = replace(turn, draft_id=work.left.draft_id)
        if work.is_passing(waiting[0]):
            turn = passing_turn(turn)
        async with joining(ring, partial(self._has_more, turn), writing):
            unsent = await self._take(replace(self.pipeline, store=store), turn, writing, attempts=waiting[0].attempts)
        return Answered(unsent, is_all=bool(unsent) and not work.left.passing and len(work.left.waiting) == min(len(waiting), MOST_JOINED))

    async def _has_more(self, turn: Turn) -> bool:
        """Say whether something waits that belongs to a turn which has not thought for long. A terminal shows each word at once."""
        if turn.goes_on or turn.conversation.platform == CONSOLE or self.clock.now() - turn.started_at > JOINED_WITHIN:
            return False
        work = await self._work(turn.conversation)
        together = work.together[:MOST_JOINED]
        if not together or work.personas.get(together[0].id, turn.persona.id) != turn.persona.id:
            return False
        return work.is_passing(together[0]) is turn.is_passing and together[-1].id > turn.addressed.id

    async def _take(self, pipeline: Pipeline, turn: Turn, writing: Writing, *, attempts: int) -> Sequence[OutboxEntry]:
        follow(turn.addressed.id, turn.addressed.sent_at)
        if attempts:
            self.watch.metrics.retried(Retry.TURN)
        try:
            with self.watch.traces.span("turn", {"platform": turn.conversation.platform}):
                if attempts < MAX_ATTEMPTS:
                    async with CountedFailure(self.store, [message.id for message in turn.messages]):
                        return await pipeline.take(turn, writing)
                log.error("turn_given_up", platform=turn.conversation.platform, messages=len(turn.messages))
                await pipeline.give_up(turn)
        except Overtaken:
            log.info("turn_overtaken", platform=turn.conversation.platform)
        return ()

    async def _burst(self, conversation: ConversationKey, work: Work) -> Work:
        """Return what waits once nobody has written for a burst window, or after a few windows at the latest."""
        for _ in range(LONGEST_BURST):
            quiet = (self.clock.now() - work.left.waiting[-1].sent_at).total_seconds()
            pause = self.burst_seconds - max(quiet, 0.0)
            if pause <= 0:
                break
            await self.clock.sleep(pause)
            more = await self._work(conversation)
            work = more if more.left.waiting else work
        return work

    async def _begin(self, conversation: ConversationKey, waiting: Sequence[StoredMessage], *, counts: bool) -> tuple[Turn, Store]:
        """Bind persona and audience to what waits, joined with what its authors said since without addressing the bot.

        It counts as an attempt, unless it only takes in what was said since the last one began.

        The store that comes with the turn stores nothing any more once something is erased there.
        """
        audience = audience_of(conversation, waiting[-1].kind, waiting[-1].author.id)
        async with self.store.write() as tx:
            store = await guarded_in(tx, self.store, [conversation, audience])
            if counts:
                await tx.messages.count_attempt([message.id for message in waiting])
            is_group = waiting[0].kind is ConversationKind.GROUP
            settings = await tx.settings.all(*space_of(audience))
            known = settings if is_group else None
            company = await company_in(tx, self.personas, conversation, at=self.clock.now(), settings=known)
            persona = await addressee(tx, company, waiting[0])
            scope = MemoryScope(persona.id, audience)
            speaking = await speaking_by(tx, settings, conversation)
            joins = is_group and not waiting[0].asks_to_go_on
            recent = await tx.messages.history(conversation, limit=MOST_JOINED) if joins else ()
        askers = {message.author.id for message in waiting}
        added = [said for said in recent if said.id > waiting[0].id and said.state is MessageState.HEARD and said.author.id in askers]
        messages = tuple(sorted([*waiting, *added], key=lambda message: message.id))
        remembering, byline = replace(persona, memory=policy_of(persona, settings)), company.byline_of(persona)
        return Turn(remembering, scope, messages, self.clock.now(), speaking=speaking, byline=byline), store


@dataclass(frozen=True, slots=True)
class CountedFailure:
    """Makes a turn that fails within it count as a failure, and not only as an attempt. What the store or others cause is none."""

    store: Store
    rows: Sequence[int]

    async def __aenter__(self) -> None:
        """Begin."""

    async def __aexit__(self, _: object, problem: BaseException | None, __: object) -> None:
        if isinstance(problem, Exception) and not isinstance(problem, (MoreWasSaid, Overtaken, StoreError)):
            async with self.store.write() as tx:
                await tx.messages.count_attempt(self.rows, weight=FAILURE - 1)


def passing_turn(turn: Turn) -> Turn:
    """Return a turn of somebody who opted out: its persona remembers nothing in it."""
    forgetful = replace(turn.persona.memory, enabled=False, past=False)
    said = tuple(message for message in turn.messages if message.state is MessageState.WAITING)
    return replace(turn, persona=replace(turn.persona, memory=forgetful), messages=said, is_passing=True)
