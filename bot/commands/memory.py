"""`/memory`: people see, add, correct, keep and delete what a persona remembers about them."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from bot.commands import memory_texts as texts
from bot.commands.admission import asker_of, change_turned_away, readable, subject_in, turned_away
from bot.commands.forget_texts import told
from bot.commands.links import source_link
from bot.commands.memory_trace import MemoryTrace
from bot.commands.numbers import MOST_LISTED, number_choices
from bot.commands.ownership import WHOSE, Place, is_own, origin_of, own_memory, place_of
from bot.commands.paging import PAGE_LIMIT, PAGE_OPTION, fitting, page_buttons, page_of
from bot.commands.persona_cast import Cast, Refused, refusing
from bot.commands.privacy_texts import cannot_remember
from bot.domain.chat import ConversationKind
from bot.domain.command import Answer, Choice, Command, CommandCall, Confirmation, Option, OptionKind, RunCommand
from bot.domain.erasing import OneMemory, added
from bot.domain.fading import faded_importance
from bot.domain.memory import Level, Memory, MemoryEdit, Pin, Remember, Revise
from bot.domain.persona import Persona, Personas
from bot.memory.edit import MemoryEditor, memory_text
from bot.memory.erasing.engine import Eraser
from bot.memory.gate.claims import is_claim
from bot.memory.hidden import may_remember
from bot.memory.shares import copies_of
from bot.ports.clock import Clock
from bot.ports.queue import TurnQueue
from bot.ports.store import Store, Transaction
from bot.wording.say import translated

SEARCH_LIMIT = 200
"""In a group a search also finds others' memories, which are left out afterwards."""
_PAGED = re.compile(r"(.*\S)\s+page:(\d{1,3})", re.IGNORECASE)
"""Words with the page of their results that is meant."""
MOST_PINNED = 20
"""Memories that one person may pin in one place: pinned ones stand before all others in the prompt."""

_FACT = "The fact in one sentence, at most 500 characters"
_TEXT = Option("text", _FACT, question="What shall I remember? One sentence")
_WORDS = Option("words", "Words to look for", question="What shall I look for?")
_AFTER = Option("after", "Begin after this number", OptionKind.NUMBER, required=False)


def memory_commands(store: Store, personas: Personas, clock: Clock, background: TurnQueue | None = None) -> tuple[Command, ...]:
    """Return the commands by which people look after their own memories; `background` is asked to write summaries anew."""
    own, trace = _OwnMemories(store, personas, clock, background), MemoryTrace(store, personas, clock)
    number = Option(
        "number",
        "The memory's number, as the list shows it",
        OptionKind.NUMBER,
        suggest=own.suggest,
        question="Which memory? Its number, as the list shows it",
    )
    whose = Option(
        WHOSE,
        "Whose memory; of whoever speaks here when left out",
        required=False,
        suggest=Cast(store, personas, clock).suggest,
        by_name=True,
    )
    new_text = Option("text", _FACT, prefill=own.prefill, question="What shall it say instead?")
    return (
        _command("list", "See what I remember about you", own.list_page, (_AFTER, whose)),
        _command("search", "Search what I remember about you", own.search, (_WORDS, whose)),
        _command("add", "Tell me something to remember about you", own.add, (_TEXT, whose)),
        _command("edit", "Correct something I remember about you", own.edit, (number, new_text, whose)),
        _command("forget", "Make me forget something about you", own.forget, (number, whose), slow=True),
        _command("pin", "Keep a memory about you from fading", own.pin, (number, whose)),
        _command("unpin", "Let a memory about you fade again", own.unpin, (number, whose)),
        _command("show", "See all about one memory: who said it, when and where", trace.show, (number, whose)),
        _command("why", "See what I had in mind at my last answer here, and why", trace.why, ()),
        _command("history", "See how a memory about you came to be", trace.history, (number, PAGE_OPTION, whose)),
    )


def _command(word: str, summary: str, run: RunCommand, options: tuple[Option, ...], *, slow: bool = False) -> Command:
    async def run_for_somebody(call: CommandCall) -> Answer:
        return Answer(texts.nobodys_memory()) if call.asker.is_service else _of_the_same(call, await run(call))

    return Command(("memory", word), summary, refusing(run_for_somebody), options, private=True, slow=slow)


def _of_the_same(call: CommandCall, answer: Answer) -> Answer:
    """Return an answer whose buttons ask for the memory of the same persona."""
    if WHOSE not in call.options:
        return answer
    confirmation, typed = answer.confirmation, str(call.options[WHOSE])
    whose = f'{WHOSE}:"{typed}"' if " " in typed else f"{WHOSE}:{typed}"
    confirmation = replace(confirmation, line=f"{confirmation.line} {whose}") if confirmation else None
    buttons = tuple(replace(button, line=f"{button.line} {whose}") for button in answer.buttons)
    return replace(answer, confirmation=confirmation, buttons=buttons)


@dataclass(frozen=True, slots=True)
class _OwnMemories:
    """What a persona remembers about the asker, in the audience where they ask."""

    store: Store
    personas: Personas
    clock: Clock
    background: TurnQueue | None

    async def list_page(self, call: CommandCall) -> Answer:
        """Show the memories after a number, as many as one message holds."""
        after = int(call.options.get("after", 0))
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            if call.kind is ConversationKind.DIRECT:
                memories = await tx.memories.page(place.scope, after=after, limit=PAGE_LIMIT + 1)
            else:
                memories = await tx.memories.about(place.scope, call.asker.id, after=after, limit=PAGE_LIMIT + 1)
            page = await self._page(tx, memories, place.persona)
        if not memories:
            name, enabled = place.persona.name, place.persona.memory.enabled
            return Answer(texts.no_more_memories(after) if after > 0 else texts.no_memories(name, enabled=enabled))
        last = memories[len(page) - 1].number
        more_after = last if len(page) < len(memories) else None
        shown = _above(place.persona, texts.memory_list(place.persona.name, page, example=memories[0].number, more_after=more_after))
        return replace(shown, buttons=page_buttons("memory list", after=after, more_after=more_after))

    async def suggest(self, call: CommandCall, typed: str) -> Sequence[Choice]:
        """Return the asker's memories, the newest first; a platform shows choices to whoever types alone."""
        if call.asker.is_service:
            return ()
        async with self.store.read() as tx:
            try:
                scope = (await place_of(tx, self.personas, call, self.clock.now())).scope
            except Refused:
                return ()
            if call.kind is ConversationKind.DIRECT:
                known = await tx.memories.page(scope, limit=MOST_LISTED)
            else:
                known = await tx.memories.about(scope, call.asker.id, limit=MOST_LISTED)
        return number_choices(reversed(known), typed)

    async def prefill(self, call: CommandCall) -> str:
        """Return what one of the asker's memories says now; nothing of anybody else's."""
        async with self.store.read() as tx:
            try:
                place = await place_of(tx, self.personas, call, self.clock.now())
            except Refused:
                return ""
            memory = await tx.memories.get(place.scope, int(call.options.get("number", 0)))
        return memory.text if memory is not None and is_own(memory, call) and not call.asker.is_service else ""

    async def search(self, call: CommandCall) -> Answer:
        """Show the memories that share words with what was asked, best first; `page:2` behind the words shows the second page."""
        typed = _PAGED.fullmatch(str(call.options["words"]))
        words, wanted = (typed[1], int(typed[2])) if typed else (str(call.options["words"]), 1)
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            hits = await tx.memories.search(place.scope, words, limit=SEARCH_LIMIT)
            page = page_of(await self._lines(tx, [memory for memory, _ in hits if is_own(memory, call)], place.persona), wanted)
        if not page.lines:
            return Answer(texts.nothing_found(words))
        shown = _above(place.persona, texts.found(words, [*page.lines, *([f"\n{page.note.strip()}"] if page.note else [])]))
        return replace(shown, buttons=page.buttons(f"memory search {words} page:"))

    async def add(self, call: CommandCall) -> Answer:
        """Store a fact about the asker."""

        async def store(tx: Transaction, place: Place, text: str) -> Answer:
            turned = await turned_away(tx, place, call, text=text, at=self.clock.now())
            if turned is not None:
                return turned
            subject = await subject_in(tx, place, call, text)
            number = await tx.memories.reserve_number(place.scope)
            importance = place.persona.memory.new_importance
            await self._apply(tx, place, Remember(number, text, subject=subject, importance=importance), asker_of(call))
            known = await tx.memories.get(place.scope, number)
            return Answer(texts.added(number, text) if known else texts.known_already(text))

        return await self._write(call, store)

    async def edit(self, call: CommandCall) -> Answer:
        """Give one of the asker's memories another text."""
        number = int(call.options["number"])

        async def revise(tx: Transaction, place: Place, text: str) -> Answer:
            before = await own_memory(tx, place.scope, number, call)
            if before.text == text:
                return Answer(texts.already_so(number))
            turned = await change_turned_away(tx, place, call, before, text=text, at=self.clock.now())
            if turned is not None:
                return turned
            await self._apply(tx, place, Revise(number, text), asker_of(call))
            return Answer(texts.changed(number, text))

        return await self._write(call, revise)

    async def forget(self, call: CommandCall) -> Answer:
        """Delete one of the asker's memories, after asking."""
        number = int(call.options["number"])
        if not call.confirmed:
            return await self._ask_to_forget(call, number)
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            memory = await own_memory(tx, place.scope, number, call)
            copies = await copies_of(tx, place.scope, number, memory.id)
        eraser, going = Eraser(self.store, self.clock), [OneMemory(each.scope, each.number, call.asker.id) for each in copies]
        # The copies first: what is left after a stop can be found by the original alone.
        reports = [await eraser.erase(target, wipes=False) for target in going]
        reports.append(await eraser.erase(OneMemory(place.scope, number, call.asker.id)))
        if self.background is not None:
            for conversation in dict.fromkeys(place for report in reports for place in report.conversations):
                await self.background.ring(conversation)
        report = replace(reports[-1], counts=added(*(each.counts for each in reports)))
        return Answer(texts.forgotten(number, told(report), is_own_word=memory.author.id == call.asker.id))

    async def pin(self, call: CommandCall) -> Answer:
        """Keep one of the asker's memories in the prompt."""
        number = int(call.options["number"])
        async with self.store.write() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            memory = await own_memory(tx, place.scope, number, call)
            if is_claim(memory) and memory.author.id == call.asker.id and call.kind is not ConversationKind.DIRECT:
                return Answer(texts.claim_not_pinned(number))
            if memory.pinned:
                return Answer(texts.pinned_already(number))
            if await _pinned(tx, place, call) >= MOST_PINNED:
                return Answer(texts.too_many_pinned(MOST_PINNED))
            await self._apply(tx, place, Pin(number, pinned=True), call)
        return Answer(texts.pinned(number, memory.text))

    async def unpin(self, call: CommandCall) -> Answer:
        """Let one of the asker's memories fade again."""
        number = int(call.options["number"])
        async with self.store.write() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            memory = await own_memory(tx, place.scope, number, call)
            if not memory.pinned:
                return Answer(texts.not_pinned(number))
            await self._apply(tx, place, Pin(number, pinned=False), call)
        return Answer(texts.unpinned(number, memory.text))

    async def _ask_to_forget(self, call: CommandCall, number: int) -> Answer:
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            memory = await own_memory(tx, place.scope, number, call)
        line = f"{' '.join(call.path)} {number}"
        return Answer(texts.ask_to_forget(number, memory.text), confirmation=Confirmation(translated(texts.FORGET_LABEL), line))

    async def _write(self, call: CommandCall, write: Callable[[Transaction, Place, str], Awaitable[Answer]]) -> Answer:
        """Let the call's text be written, or say why it cannot be: it is no memory's text, or the persona remembers nothing."""
        try:
            text = memory_text(readable(str(call.options["text"])))
        except ValueError as problem:
            return Answer(str(problem))
        async with self.store.write() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            if not place.persona.memory.enabled:
                return Answer(texts.memory_is_off(place.persona.name))
            if not await may_remember(tx, place.scope, text, (call.asker,)):
                return Answer(cannot_remember())
            return await write(tx, place, text)

    async def _apply(self, tx: Transaction, place: Place, edit: MemoryEdit, call: CommandCall) -> None:
        await MemoryEditor(tx, place.scope, place.persona.memory, self.clock.now()).apply(edit, origin_of(call))

    async def _page(self, tx: Transaction, memories: Iterable[Memory], persona: Persona) -> Sequence[str]:
        """Return lines for the first memories, as many as fit one message."""
        return fitting(await self._lines(tx, memories, persona))

    async def _lines(self, tx: Transaction, memories: Iterable[Memory], persona: Persona) -> Sequence[str]:
        now, lines = self.clock.now(), []
        for memory in memories:
            link = await source_link(tx, memory.scope.audience, memory.source_message_ids)
            lines.append(texts.memory_line(memory, faded_importance(memory, persona.memory, now), now, link))
        return lines


async def _pinned(tx: Transaction, place: Place, call: CommandCall) -> int:
    """Return how many memories of their own the asker has pinned, as far as it matters."""
    most = place.persona.memory.max_working + MOST_PINNED
    working = await tx.memories.at_level(place.scope, Level.WORKING, fading=place.persona.memory.decay_per_day, limit=most)
    return sum(memory.pinned and is_own(memory, call) for memory in working)


def _above(persona: Persona, text: str) -> Answer:
    """Warn above memories that are not in use."""
    return Answer(text if persona.memory.enabled else texts.unused_memory(persona.name) + text)
