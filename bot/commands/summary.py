"""`/summary`: what a conversation has been about so far, and writing it anew."""

from dataclasses import dataclass
from typing import Protocol

from bot.commands import summary_texts as texts
from bot.commands.ownership import place_of
from bot.commands.paging import PAGE_OPTION, Page, paged
from bot.domain.chat import ConversationKey
from bot.domain.command import Answer, Command, CommandCall, Confirmation, Option, OptionKind, WhoMay
from bot.domain.past import ChunkState, PastState
from bot.domain.persona import Persona, Personas
from bot.domain.privacy import Hidden
from bot.memory.hidden import hidden_there
from bot.memory.past.parked import given_up
from bot.memory.past.writers import TRIES
from bot.memory.policy import fits
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction
from bot.wording.say import translated

MOST_SHOWN = 60
"""Chunk summaries that are shown, the last ones."""
MOST_PARKED = 5
"""Chunks that were given up, of which the dates are told."""


class Progress(Protocol):
    """How far a regeneration has come."""

    @property
    def done(self) -> int:
        """Return how many questions the model has answered."""
        ...

    @property
    def total(self) -> int:
        """Return how many there will be; 0 as long as they are being counted."""
        ...


class Regenerations(Protocol):
    """Writes summaries anew in the background, at most once a conversation at a time, and tells there when it is done."""

    def can_summarise(self, persona: Persona) -> bool:
        """Say whether the persona has a model that can."""
        ...

    async def progress(self, conversation: ConversationKey) -> Progress | None:
        """Return how far the one that goes on there has come; None when none does."""
        ...

    async def begin(self, conversation: ConversationKey, *, chunk_tokens: int) -> bool:
        """Begin, or go on with one that was broken off; False while one goes on there. 0 stands for the policy's size of a chunk."""
        ...


def summary_commands(store: Store, personas: Personas, clock: Clock, regenerations: Regenerations) -> tuple[Command, ...]:
    """Return the commands on the summaries of the conversation in which they are typed."""
    desk = _Summaries(store, personas, clock, regenerations)
    tokens = Option("tokens", "How many tokens of talk get a summary of their own", OptionKind.NUMBER, required=False)
    return (
        Command(("summary", "show"), "See what this conversation has been about", desk.show, (PAGE_OPTION,), private=True),
        Command(
            ("summary", "regenerate"),
            "Let me read this conversation again and write its summaries anew",
            desk.regenerate,
            (tokens,),
            who=WhoMay.ADMINS,
            private=True,
        ),
    )


@dataclass(frozen=True, slots=True)
class _Summaries:
    """The summaries of the conversation where the asker is. They tell only what was said there: whoever reads there may see them."""

    store: Store
    personas: Personas
    clock: Clock
    regenerations: Regenerations

    async def show(self, call: CommandCall) -> Answer:
        """Show the rolling summary, then the chunk summaries, the newest first, and how far they have come."""
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            persona, hidden = place.persona, (await hidden_there(tx, place.scope.audience)).but(call.asker)
            lines, standing = await self._told(tx, call.conversation, persona, hidden)
        pages, wanted = paged(lines), int(call.options.get("page", 1))
        if not pages:
            return Answer("\n\n".join([self._missing(persona), *([standing] if standing else [])]))
        if not 1 <= wanted <= len(pages):
            return Answer(texts.no_such_page(len(pages)))
        page = Page(pages[wanted - 1], wanted, len(pages))
        return Answer(texts.summary_page(page.lines, page.note, standing=standing), buttons=page.buttons("summary show "))

    async def regenerate(self, call: CommandCall) -> Answer:
        """Ask, then let everything be written anew in the background; while it goes on, say how far it is."""
        size = int(call.options.get("tokens", 0))
        if size and not fits("chunk_tokens", size):
            return Answer(texts.wrong_size(size))
        if running := await self.regenerations.progress(call.conversation):
            return Answer(texts.progress(running.done, running.total))
        async with self.store.read() as tx:
            persona = (await place_of(tx, self.personas, call, self.clock.now())).persona
            something_said = await tx.messages.history(call.conversation, limit=1)
            unfinished = (await tx.pasts.state(call.conversation)).building is not None
        if not persona.memory.past or not self.regenerations.can_summarise(persona):
            return Answer(self._missing(persona))
        if not something_said:
            return Answer(texts.nothing_to_read())
        if not call.confirmed:
            line = " ".join([*call.path, *([str(size)] if size else [])])
            return Answer(
                texts.ask_to_regenerate(goes_on=unfinished),
                confirmation=Confirmation(translated(texts.REGENERATE_LABEL), line, is_harmless=True),
            )
        begun = await self.regenerations.begin(call.conversation, chunk_tokens=size)
        return Answer(texts.begun() if begun else texts.progress(0, 0))

    async def _told(self, tx: Transaction, conversation: ConversationKey, persona: Persona, hidden: Hidden) -> tuple[list[str], str]:
        """Return the lines on what was summarised, and how far that has come; both are empty when nothing has begun.

        What names somebody who opted out is left out.
        """
        state, zone = await tx.pasts.state(conversation), persona.zone
        rolling = await tx.pasts.summary(conversation, state.generation)
        chunks = await tx.pasts.last_chunks(conversation, state.generation, limit=MOST_SHOWN)
        lines = texts.rolling_lines(rolling, zone) if rolling and not hidden.named_in(rolling.text) else []
        for chunk in reversed([chunk for chunk in chunks if not hidden.named_in(chunk.summary)]):
            lines += texts.chunk_lines(chunk, zone)
        return lines, await self._standing(tx, conversation, persona, state)

    async def _standing(self, tx: Transaction, conversation: ConversationKey, persona: Persona, state: PastState) -> str:
        done, planned = [
            await tx.pasts.count(conversation, state.generation, states=(each,)) for each in (ChunkState.DONE, ChunkState.PLANNED)
        ]
        lost = await given_up(tx, conversation)
        spans = [texts.span(chunk, persona.zone) for chunk in lost.parked[:MOST_PARKED]]
        parts = [
            *([texts.standing(done, planned)] if done or planned else []),
            *([texts.parked(lost.count, spans)] if lost.count else []),
            *([texts.rolling_failed(lost.summary_failures)] if lost.summary_failures >= TRIES else []),
            *([await self._building(tx, conversation, state.building)] if state.building is not None else []),
        ]
        return " ".join(parts)

    async def _building(self, tx: Transaction, conversation: ConversationKey, generation: int) -> str:
        if running := await self.regenerations.progress(conversation):
            return texts.progress(running.done, running.total)
        done = await tx.pasts.count(conversation, generation, states=(ChunkState.DONE,))
        return texts.unfinished(done, await tx.pasts.count(conversation, generation))

    def _missing(self, persona: Persona) -> str:
        """Say why there is nothing, and what to do about it."""
        if not persona.memory.past:
            return texts.past_is_off(persona)
        return texts.nothing_yet(persona) if self.regenerations.can_summarise(persona) else texts.needs_model(persona)
