"""A room with a history, and those who write about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.domain.chat import ConversationKey
from bot.domain.message import MessageState, Person, ReplyTarget, StoredMessage
from bot.domain.past import Chunk, ChunkState, PastState, RollingSummary, StructuredMemory
from bot.domain.persona import MemoryPolicy, Persona, Personas
from bot.domain.steps import Step, StepKind, Steps
from bot.jobs.past import PastJob
from bot.memory.past.regenerate import Regeneration
from bot.memory.past.writers import Writers
from bot.ports.embedder import Embedder
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.testing.clock import FrozenClock
from bot.testing.factories import ADA, DIRECT, a_persona, incoming, kind_of
from bot.testing.tokens import WordTokens

SMALL = MemoryPolicy(chunk_tokens=1000, chunk_messages=5, chunk_lookback=3)
CHUNKS_ALONE = (Step(StepKind.STRUCTURED, vectors=False),)
SPEAKER_WORDS = 3
"""Words that a line of Ada's has before its text: `Ada (id ada):`."""


def words(count: int, word: str = "word") -> str:
    """Return a text that takes so many tokens as a line of Ada's."""
    return " ".join([word] * (count - SPEAKER_WORDS))


@dataclass
class Room:
    """A conversation in a real store, its persona, and a clock that stands at START."""

    store: Store
    policy: MemoryPolicy = SMALL
    writers: Sequence[Step] = CHUNKS_ALONE
    conversation: ConversationKey = DIRECT
    clock: FrozenClock = field(default_factory=FrozenClock)
    embedder: Embedder | None = None
    said: int = 0

    @property
    def persona(self) -> Persona:
        return replace(a_persona(), memory=self.policy, steps=Steps(writers=tuple(self.writers)))

    async def says(self, *texts: str, author: Person = ADA) -> list[StoredMessage]:
        """Let somebody say something, a minute after what was said before."""
        rows = []
        for text in texts:
            self.said += 1
            self.clock.move(seconds=60)
            message = incoming(text, message_id=f"m{self.said}", author=author, conversation=self.conversation, sent_at=self.clock.now())
            async with self.store.write() as tx:
                row = await tx.messages.record(message, MessageState.HEARD)
            assert row is not None
            rows.append(row)
        return rows

    async def replies(self, text: str) -> StoredMessage:
        """Let the persona say something."""
        target = ReplyTarget(self.conversation, kind_of(self.conversation))
        self.clock.move(seconds=60)
        async with self.store.write() as tx:
            return await tx.messages.record_reply(target, self.persona.id, self.persona.name, text, at=self.clock.now())

    def those_who_write(self, model: ChatModel | None) -> Writers:
        """Return the writers with a model."""
        return Writers(self.store, self.clock, WordTokens(), self.embedder, model, self.persona, self.conversation)

    def job(self, model: ChatModel | None, *, renew_seconds: float = 180.0) -> PastJob:
        """Return the job with a model; it waits for nothing."""
        cast = Personas({self.persona.id: self.persona}, default_id=self.persona.id)
        return PastJob(self.store, self.clock, WordTokens(), cast, self.embedder, lambda _: model, pause=0.0, renew_seconds=renew_seconds)

    async def check(self, model: ChatModel | None) -> None:
        """Do the background's work once."""
        await self.job(model)(self.conversation)

    def regeneration(self) -> Regeneration:
        """Return what regenerates here."""
        return Regeneration(self.store, self.clock, WordTokens(), self.embedder)

    async def state(self) -> PastState:
        async with self.store.read() as tx:
            return await tx.pasts.state(self.conversation)

    async def chunks(self, *states: ChunkState, generation: int | None = None) -> list[Chunk]:
        """Return the standing chunks, oldest first; those that are done unless states are given."""
        async with self.store.read() as tx:
            shown = (await tx.pasts.state(self.conversation)).generation if generation is None else generation
            return list(await tx.pasts.chunks(self.conversation, shown, states=states or (ChunkState.DONE,), limit=10_000))

    async def structured(self) -> list[StructuredMemory]:
        """Return the structured memories that are shown."""
        async with self.store.read() as tx:
            generation = (await tx.pasts.state(self.conversation)).generation
            return list(await tx.pasts.structured_page(self.conversation, generation, limit=10_000))

    async def summary(self) -> RollingSummary | None:
        async with self.store.read() as tx:
            return await tx.pasts.summary(self.conversation, (await tx.pasts.state(self.conversation)).generation)

    async def forgets_chunks(self) -> None:
        """Delete chunks, summaries and structured memories, as somebody might who opens the database."""
        async with self.store.write() as tx:
            await tx.pasts.drop_generation(self.conversation, (await tx.pasts.state(self.conversation)).generation)
