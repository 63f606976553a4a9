"""Writing about a conversation's past after the reply: one at a time a conversation, in all processes together."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import structlog

from bot.domain.chat import Audience, ConversationKey, audience_of
from bot.domain.message import StoredMessage
from bot.domain.past import ChunkState, CorpusKey, CorpusKind
from bot.domain.persona import Persona, Personas
from bot.errors import ModelError, Overtaken, TokensSpent
from bot.memory.erasing.guard import guarded_in
from bot.memory.past.ahead import look_ahead
from bot.memory.past.chunks import write_chunks
from bot.memory.past.condense import condense
from bot.memory.past.index import index_structured, index_vectors, index_words
from bot.memory.past.learning import learn_by_rules
from bot.memory.past.lease import RENEW_SECONDS, HeldLease, new_owner
from bot.memory.past.regenerate import rebuild
from bot.memory.past.rolling import write_summary
from bot.memory.past.structured import write_structured
from bot.memory.past.writers import Writers, wanted
from bot.memory.policy import policy_for
from bot.memory.speaker import speaker
from bot.memory.spending import Spending
from bot.ports.clock import Clock
from bot.ports.embedder import Embedder
from bot.ports.extractor import Extractor
from bot.ports.model import ChatModel
from bot.ports.queue import TurnQueue
from bot.ports.store import Store, Transaction
from bot.ports.tokens import TokenCounter

PAUSE = 2.0
LONGEST_BURST = 5
"""A burst is waited out for this many pauses at most."""
MOST_RECOVERED = 500
"""Conversations of a platform that are looked at after a start."""
HELD_PAUSE = timedelta(minutes=1)
"""Until it is looked again whether somebody else has done with a conversation, or is dead."""
MOST_WAITING = 10_000
"""Conversations that are noted as waiting for tokens or for somebody else; the next message brings those beyond."""
MOST_OVERTAKEN = 3
"""Times that work is begun anew because something was erased meanwhile; after that the next ring brings it."""
FIRST_LOOKED_BACK, LOOKED_BACK = 4, 50
"""Messages among which the last one of a person is looked for, first and at most."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PastJob:
    """Does the background's work on a conversation. `model_of` gives the model that a persona writes with, None for none."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    personas: Personas
    embedder: Embedder | None
    model_of: Callable[[Persona], ChatModel | None]
    extractor: Extractor | None = None
    """Reads messages for names and what holds between them."""
    pause: float = PAUSE
    """Seconds for which a conversation must have been quiet."""
    renew_seconds: float = RENEW_SECONDS
    spending: Spending | None = None
    """What may be spent on writing; None stands for no limit."""
    waiting: dict[ConversationKey, datetime] = field(default_factory=dict)
    """Where something may be left to be written, and when it can be. After a stop `recover` finds it anew."""

    async def __call__(self, conversation: ConversationKey) -> None:
        """Write what is due about a conversation, one step after the other; nothing while somebody else does. Never raises."""
        try:
            await self._wait_until_quiet(conversation)
            for _ in range(MOST_OVERTAKEN):
                if await self._write_about(conversation):
                    return
        except Exception:
            log.exception("past_failed", platform=conversation.platform)

    async def _write_about(self, conversation: ConversationKey) -> bool:
        """Write what is due; False when something was erased meanwhile: what had been read may not be there any more."""
        lease, owner = HeldLease(self.store, self.renew_seconds), new_owner()
        async with self.store.write() as tx:
            store = await guarded_in(tx, self.store, [conversation])
            there = await self._there(tx, conversation, store)
            is_taken = there is not None and await lease.take(tx, conversation, owner)
        if there is None:
            return True
        if not is_taken:
            self.wait(conversation, self.clock.now() + HELD_PAUSE)
            log.info("past_is_held", platform=conversation.platform)
            return True
        overtaken: list[bool] = []

        async def work() -> None:
            try:
                await self._work(*there)
            except Overtaken:
                log.info("past_overtaken", platform=conversation.platform)
                overtaken.append(True)

        await lease.work(conversation, owner, work)
        return not overtaken

    def wait(self, conversation: ConversationKey, until: datetime) -> None:
        """Note that the rest of a conversation's work can be done from then on."""
        if len(self.waiting) >= MOST_WAITING:
            del self.waiting[next(iter(self.waiting))]
        self.waiting[conversation] = until

    async def go_on(self, queue: TurnQueue) -> None:
        """Ring for the conversations that have waited long enough."""
        now = self.clock.now()
        for conversation, until in [each for each in self.waiting.items() if each[1] <= now]:
            await queue.ring(conversation)
            if self.waiting.get(conversation) == until:
                del self.waiting[conversation]

    async def recover(self, queue: TurnQueue, platforms: Iterable[str]) -> None:
        """Ring for the conversations in which a stopped process, or another embedder, has left something to do."""
        for platform in platforms:
            async with self.store.read() as tx:
                last = await tx.messages.last_heard(platform, limit=MOST_RECOVERED)
                left = [message.conversation for message in last if await self._is_left(tx, message)]
            for conversation in left:
                await queue.ring(conversation)

    async def _is_left(self, tx: Transaction, last: StoredMessage) -> bool:
        """Say whether a conversation that the background has seen is not done with, given its last message of a person."""
        state = await tx.pasts.state(last.conversation)
        if not state.indexed_row:
            return False
        unwritten = await tx.pasts.count(last.conversation, state.generation, states=(ChunkState.PLANNED,))
        if state.building is not None or state.indexed_row < last.id or unwritten:
            return True
        key, embedder = CorpusKey(last.conversation), self.embedder
        return embedder is not None and bool(await tx.corpora.without_vectors(key, embedder.name, limit=1))

    async def _work(self, writers: Writers, audience: Audience) -> None:
        """Go through all steps; each commits alone, so that whatever stops the work leaves a sound state."""
        ahead = await look_ahead(writers)
        await index_words(writers, ahead.words)
        await index_vectors(writers, CorpusKind.TURNS)
        if ahead.has_unknown_structured:
            await index_structured(writers)
        checked_row, learnt = ahead.checked_row, 0
        if self.extractor is not None:
            # While vectors are made, which may take long, messages may be edited: then they are read anew.
            related = ahead.related if writers.embedder is None else None
            learnt = await learn_by_rules(writers, audience, self.extractor, related, checked_row=checked_row)
        try:
            if not ahead.is_written or (checked_row is not None and not learnt):
                await self._write(writers)
        except ModelError as problem:
            log.warning("past_model_failed", platform=writers.conversation.platform, problem=type(problem).__name__)
        except TokensSpent as spent:
            self.wait(writers.conversation, spent.until)
            log.info("past_waits_for_tokens", platform=writers.conversation.platform, until=spent.until.isoformat())
        await index_vectors(writers, CorpusKind.STRUCTURED)

    async def _write(self, writers: Writers) -> None:
        """Let the model write. Raises ModelError when it gives no answer: whatever is left comes with the next run."""
        if writers.model is None:
            return
        steps = wanted(writers.persona.steps.writers)
        await self._go_on_building(writers)
        if steps.chunks:
            await write_chunks(writers)
        if steps.structured:
            await write_structured(writers)
        if steps.summary:
            await write_summary(writers)
        if steps.chunks:
            await condense(writers, after_reading=steps.structured)

    async def _go_on_building(self, writers: Writers) -> None:
        """Finish a regeneration that was broken off."""
        async with self.store.read() as tx:
            state = await tx.pasts.state(writers.conversation)
        if state.building is not None:
            await rebuild(writers, chunk_tokens=state.building_chunk_tokens)

    async def _wait_until_quiet(self, conversation: ConversationKey) -> None:
        if not self.pause:
            return
        last = await self._last_row(conversation)
        for _ in range(LONGEST_BURST):
            await self.clock.sleep(self.pause)
            before, last = last, await self._last_row(conversation)
            if last == before:
                return

    async def _last_row(self, conversation: ConversationKey) -> int:
        async with self.store.read() as tx:
            last = await tx.messages.history(conversation, limit=1)
        return last[-1].id if last else 0

    async def _there(self, tx: Transaction, conversation: ConversationKey, store: Store) -> tuple[Writers, Audience] | None:
        """Return who writes there and who may see it; None where nobody has said anything, or nothing is to be remembered."""
        audience = await audience_in(tx, conversation)
        if audience is None:
            return None
        persona = await speaker(tx, self.personas, conversation, at=self.clock.now())
        policy = await policy_for(tx, persona, audience)
        if not (policy.enabled and policy.past):
            return None
        here = replace(persona, memory=policy)
        model = self.model_of(persona)
        tools = (store, self.clock, self.tokens, self.embedder)
        return Writers(*tools, model, here, conversation, audience=audience, spending=self.spending), audience


async def audience_in(tx: Transaction, conversation: ConversationKey) -> Audience | None:
    """Return who may see what is said there, by the last message of a person; None where there is none."""
    for limit in (FIRST_LOOKED_BACK, LOOKED_BACK):
        last = await tx.messages.history(conversation, limit=limit)
        if people := [message for message in last if message.is_human]:
            return audience_of(conversation, people[-1].kind, people[-1].author.id)
        if len(last) < limit:
            break
    return None
