"""What everything that writes about a conversation's past is given."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from bot.domain.chat import Audience, ConversationKey, ConversationKind, audience_of
from bot.domain.message import StoredMessage
from bot.domain.model import ChatMessage, ChatRequest
from bot.domain.persona import MemoryPolicy, Persona
from bot.domain.steps import Step, StepKind
from bot.errors import ModelUnavailable
from bot.memory.asking import Answer, whole_answer
from bot.memory.gate.summaries import kept_of
from bot.memory.hidden import spoken_by_others, without_naming
from bot.memory.past.lines import plain
from bot.memory.spending import Spending
from bot.ports.clock import Clock
from bot.ports.embedder import Embedder
from bot.ports.model import ChatModel
from bot.ports.store import Store, Transaction
from bot.ports.tokens import TokenCounter

TRIES = 3
"""After so many failures a piece of work is given up."""
PAGE = 200
"""Rows that are read at once."""

Told = Callable[[], Awaitable[None]]
"""Called after each piece of a long work."""


async def untold() -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Writers:
    """Who writes about one conversation, and with what. Work goes on under the conversation's lease."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    embedder: Embedder | None
    model: ChatModel | None
    """None writes nothing that takes a model."""
    persona: Persona
    """With the policy that holds in the conversation."""
    conversation: ConversationKey
    building: int | None = None
    """The generation that a regeneration is filling; None for the one that is shown."""
    audience: Audience | None = None
    """Who may see what is said there, where that is known; only then a model is asked for relations."""
    spending: Spending | None = None
    """What may be spent; None stands for no limit. All that is spent is counted."""
    reply_tokens: int = 1024
    seconds: float = 120.0
    """What a model may take for one answer."""

    @property
    def policy(self) -> MemoryPolicy:
        """Return how the persona remembers here."""
        return self.persona.memory

    async def generation(self, tx: Transaction) -> int:
        """Return the generation that is written to."""
        return self.building if self.building is not None else (await tx.pasts.state(self.conversation)).generation

    async def ask(self, messages: Sequence[ChatMessage]) -> Answer:
        """Return the model's whole answer. Raises ModelError when it gives none, also when that takes too long.

        Raises TokensSpent, and asks nothing, where a budget is used up: that is nobody's failure, and the work is still to be done.
        """
        if self.model is None:
            raise ModelUnavailable("There is no model to ask.")
        if self.spending is not None:
            await self.spending.check(self.conversation, self.persona.id, self.audience)
        request = ChatRequest(tuple(messages), model=self.persona.model.name, max_reply_tokens=self.reply_tokens)
        try:
            async with asyncio.timeout(self.seconds):
                return await whole_answer(self.model, request)
        except TimeoutError as late:
            raise ModelUnavailable(f"The model {self.model.name} did not answer within {self.seconds:g} s.") from late

    def fit(self, text: str) -> str:
        """Return what a model wrote as it may be kept: without tags, orders and secrets. Empty when too little is left."""
        return kept_of(plain(text), bot_names=(self.persona.name,))

    async def note_usage(self, tx: Transaction, answer: Answer) -> None:
        """Note what an answer cost."""
        for usage in answer.usage:
            await tx.usage.add(self.conversation, self.persona.id, usage, self.clock.now())

    async def said(self, tx: Transaction, first_row: int, last_row: int) -> list[StoredMessage]:
        """Return the messages from one row to another, both taken in, oldest first, without those by or about people who opted out."""
        said: list[StoredMessage] = []
        after = first_row - 1
        while after < last_row:
            page = await tx.messages.page(self.conversation, after=after, limit=PAGE)
            said += [message for message in page if message.id <= last_row]
            after = page[-1].id if page else last_row
        heard = await spoken_by_others(tx, self.conversation, said)
        audience = self.audience or audience_of(self.conversation, ConversationKind.GROUP, "")
        return without_naming(heard, await tx.people.hidden(audience))

    def of_chunk_tokens(self, chunk_tokens: int) -> "Writers":
        """Return the same with chunks of another size; 0 leaves it to the policy."""
        if not chunk_tokens:
            return self
        return replace(self, persona=replace(self.persona, memory=replace(self.policy, chunk_tokens=chunk_tokens)))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a persona's steps ask to be written."""

    chunks: bool = False
    structured: bool = False
    summary: bool = False


def wanted(steps: Sequence[Step]) -> Wanted:
    """Return what these steps write."""
    writing = [step for step in steps if not step.manual]
    kinds = {step.kind for step in writing}
    return Wanted(
        chunks=bool(kinds & {StepKind.STRUCTURED, StepKind.RECENT_UPDATED, StepKind.SUMMARY_UPDATED}),
        structured=any(step.kind is StepKind.STRUCTURED and step.vectors for step in writing),
        summary=bool(kinds & {StepKind.SUMMARISE, StepKind.SUMMARY_UPDATED}),
    )
