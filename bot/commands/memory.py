"""`/memory`: people see, add, correct and delete what a persona remembers about them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from bot.commands import texts
from bot.domain.chat import ConversationKind, MemoryScope, audience_of, binding_targets
from bot.domain.command import Answer, Command, CommandCall, Confirmation, Option, OptionKind, RunCommand
from bot.domain.memory import EditOrigin, Forget, Memory, Remember, Revise
from bot.domain.persona import Persona, Personas
from bot.domain.text import utf16_length
from bot.memory.edit import MemoryEditor, memory_text
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction

PAGE_LIMIT = 20
PAGE_LENGTH = 1600
"""UTF-16 units of a page's memories: with heading and footer it fits one message on every platform."""
SEARCH_LIMIT = 200
"""In a group a search also finds others' memories, which are left out afterwards."""

_NUMBER = Option("number", "The memory's number, as the list shows it", OptionKind.NUMBER)
_TEXT = Option("text", "The fact in one sentence, at most 500 characters")
_WORDS = Option("words", "Words to look for")
_AFTER = Option("after", "Begin after this number", OptionKind.NUMBER, required=False)


def memory_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the commands by which people look after their own memories."""
    own = _OwnMemories(store, personas, clock)
    return (
        _command("list", "See what I remember about you", own.list_page, (_AFTER,)),
        _command("search", "Search what I remember about you", own.search, (_WORDS,)),
        _command("add", "Tell me something to remember about you", own.add, (_TEXT,)),
        _command("edit", "Correct something I remember about you", own.edit, (_NUMBER, _TEXT)),
        _command("forget", "Make me forget something about you", own.forget, (_NUMBER,)),
    )


def _command(word: str, summary: str, run: RunCommand, options: tuple[Option, ...]) -> Command:
    async def run_for_somebody(call: CommandCall) -> Answer:
        return Answer(texts.nobodys_memory()) if call.asker.is_service else await run(call)

    return Command(("memory", word), summary, run_for_somebody, options, private=True)


@dataclass(frozen=True, slots=True)
class _OwnMemories:
    """What a persona remembers about the asker, in the audience where they ask."""

    store: Store
    personas: Personas
    clock: Clock

    async def list_page(self, call: CommandCall) -> Answer:
        """Show the memories after a number, as many as one message holds."""
        after = int(call.options.get("after", 0))
        async with self.store.read() as tx:
            persona, scope = await self._place(tx, call)
            if call.kind is ConversationKind.DIRECT:
                memories = await tx.memories.page(scope, after=after, limit=PAGE_LIMIT + 1)
            else:
                memories = await tx.memories.about(scope, call.asker.id, after=after, limit=PAGE_LIMIT + 1)
        if not memories:
            enabled = persona.memory.enabled
            return Answer(texts.no_more_memories(after) if after > 0 else texts.no_memories(persona.name, enabled=enabled))
        page = _page(memories, persona)
        last = memories[len(page) - 1].number
        more_after = last if len(page) < len(memories) else None
        return _above(persona, texts.memory_list(persona.name, page, example=memories[0].number, more_after=more_after))

    async def search(self, call: CommandCall) -> Answer:
        """Show the memories that share words with what was asked, best first."""
        words = str(call.options["words"])
        async with self.store.read() as tx:
            persona, scope = await self._place(tx, call)
            hits = await tx.memories.search(scope, words, limit=SEARCH_LIMIT)
        own = [memory for memory, _ in hits if _is_own(memory, call)]
        return _above(persona, texts.found(words, _page(own, persona))) if own else Answer(texts.nothing_found(words))

    async def add(self, call: CommandCall) -> Answer:
        """Store a fact about the asker."""
        try:
            text = memory_text(str(call.options["text"]))
        except ValueError as problem:
            return Answer(str(problem))
        async with self.store.write() as tx:
            persona, scope = await self._place(tx, call)
            if not persona.memory.enabled:
                return Answer(texts.memory_is_off(persona.name))
            number = await tx.memories.reserve_number(scope)
            await MemoryEditor(tx, scope, persona.memory, self.clock.now()).apply(Remember(number, text, subject=call.asker), _origin(call))
        return Answer(texts.added(number, text))

    async def edit(self, call: CommandCall) -> Answer:
        """Give one of the asker's memories another text."""
        number = int(call.options["number"])
        try:
            text = memory_text(str(call.options["text"]))
        except ValueError as problem:
            return Answer(str(problem))
        async with self.store.write() as tx:
            persona, scope = await self._place(tx, call)
            if not persona.memory.enabled:
                return Answer(texts.memory_is_off(persona.name))
            if await _own_memory(tx, scope, number, call) is None:
                return Answer(texts.no_such_memory(number))
            changed = await MemoryEditor(tx, scope, persona.memory, self.clock.now()).apply(Revise(number, text), _origin(call))
        return Answer(texts.changed(number, text) if changed else texts.already_so(number))

    async def forget(self, call: CommandCall) -> Answer:
        """Delete one of the asker's memories, after asking."""
        number = int(call.options["number"])
        if not call.confirmed:
            return await self._ask_to_forget(call, number)
        async with self.store.write() as tx:
            persona, scope = await self._place(tx, call)
            if await _own_memory(tx, scope, number, call) is None:
                return Answer(texts.no_such_memory(number))
            await MemoryEditor(tx, scope, persona.memory, self.clock.now()).apply(Forget(number), _origin(call))
        return Answer(texts.forgotten(number))

    async def _ask_to_forget(self, call: CommandCall, number: int) -> Answer:
        async with self.store.read() as tx:
            _, scope = await self._place(tx, call)
            memory = await _own_memory(tx, scope, number, call)
        if memory is None:
            return Answer(texts.no_such_memory(number))
        line = f"{' '.join(call.path)} {number}"
        return Answer(texts.ask_to_forget(number, memory.text), confirmation=Confirmation(texts.FORGET_LABEL, line))

    async def _place(self, tx: Transaction, call: CommandCall) -> tuple[Persona, MemoryScope]:
        """Return who speaks where the asker is, and what memory that is."""
        persona = self.personas.get(await tx.bindings.find(binding_targets(call.conversation)))
        return persona, MemoryScope(persona.id, audience_of(call.conversation, call.kind, call.asker.id))


async def _own_memory(tx: Transaction, scope: MemoryScope, number: int, call: CommandCall) -> Memory | None:
    memory = await tx.memories.get(scope, number)
    return memory if memory is not None and _is_own(memory, call) else None


def _is_own(memory: Memory, call: CommandCall) -> bool:
    """Return whether the asker may see and change it: all in a direct chat, in a group what is about them or said by them."""
    people = (memory.author, memory.subject)
    return call.kind is ConversationKind.DIRECT or any(person is not None and person.id == call.asker.id for person in people)


def _origin(call: CommandCall) -> EditOrigin:
    return EditOrigin(actor=f"person:{call.asker.id}", reason=f"/{' '.join(call.path)}", author=call.asker)


def _above(persona: Persona, text: str) -> Answer:
    """Warn above memories that are not in use."""
    return Answer(text if persona.memory.enabled else texts.unused_memory(persona.name) + text)


def _page(memories: Iterable[Memory], persona: Persona) -> Sequence[str]:
    """Return lines for the first memories, as many as fit one message and at least one."""
    lines: list[str] = []
    left = PAGE_LENGTH
    for memory in memories:
        line = texts.memory_line(memory.number, memory.text, f"{memory.updated_at.astimezone(ZoneInfo(persona.time_zone)):%Y-%m-%d}")
        left -= utf16_length(line) + 1
        if lines and (left < 0 or len(lines) == PAGE_LIMIT):
            break
        lines.append(line)
    return lines
