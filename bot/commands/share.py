"""`/memory share`: people let a group know what they told in a direct chat. The one way over a wall, and its owner alone opens it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.commands import memory_texts, pending_texts
from bot.commands import share_texts as texts
from bot.commands.admission import asker_of, judged_here, subject_in
from bot.commands.numbers import MOST_LISTED, number_choices
from bot.commands.ownership import Place, origin_of, place_of
from bot.commands.privacy_texts import cannot_remember
from bot.domain.chat import ConversationKind, MemoryScope, audience_of
from bot.domain.command import Answer, Choice, Command, CommandCall, Confirmation, Option, OptionKind
from bot.domain.memory import Memory, Remember
from bot.domain.persona import Personas
from bot.memory.edit import MemoryEditor
from bot.memory.gate.verdict import Ruling
from bot.memory.likeness import repeated
from bot.memory.shares import SHARED, copies_of, note_shared, run_of
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction
from bot.wording.say import translated

MOST_ASKED = 1000
"""Questions that are remembered until they are answered."""


def share_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the command by which people share a memory of their direct chats with those who read here."""
    shares = _Shares(store, personas, clock)
    number = Option("number", "The memory's number in our direct chat", OptionKind.NUMBER, suggest=shares.suggest)
    summary = "Let everybody here know something you told me in a direct chat"
    return (Command(("memory", "share"), summary, shares.share, (number,), private=True),)


@dataclass(frozen=True, slots=True)
class _Shares:
    """Copies memories of direct chats, each after its owner has seen what others will read."""

    store: Store
    personas: Personas
    clock: Clock
    asked: dict[tuple[str, MemoryScope, int], str] = field(default_factory=dict)
    """What each question that is open has shown, by who asks, where and about what."""

    async def share(self, call: CommandCall) -> Answer:
        """Show what would be shared, and share it once that is confirmed. A text that has changed meanwhile is shown again."""
        if call.asker.is_service or call.kind is ConversationKind.DIRECT:
            return Answer(memory_texts.nobodys_memory() if call.asker.is_service else texts.only_in_groups())
        number = int(call.options["number"])
        async with self.store.write() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            memory = await tx.memories.get(_direct_scope(place, call), number)
            if memory is None or memory.ended_at is not None:
                return Answer(texts.no_such_memory(place.persona.name, number))
            refused = await self._refused(tx, place, memory, call)
            if refused is not None:
                return refused
            question = (call.asker.id, place.scope, number)
            if call.confirmed and self.asked.pop(question, None) == memory.text:
                return await self._copy(tx, place, memory, call)
        while len(self.asked) >= MOST_ASKED:
            del self.asked[next(iter(self.asked))]
        self.asked[question] = memory.text
        text = texts.ask_to_share(place.persona.name, asker_of(call).asker.display_name, memory.text)
        return Answer(text, confirmation=Confirmation(translated(texts.SHARE_LABEL), f"{' '.join(call.path)} {number}"))

    async def suggest(self, call: CommandCall, typed: str) -> Sequence[Choice]:
        """Return the asker's own memories of direct chats; a platform shows choices to whoever types alone."""
        if call.asker.is_service or call.kind is ConversationKind.DIRECT:
            return ()
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            known = await tx.memories.page(_direct_scope(place, call), limit=MOST_LISTED)
        return number_choices((memory for memory in reversed(known) if memory.ended_at is None), typed)

    async def _refused(self, tx: Transaction, place: Place, memory: Memory, call: CommandCall) -> Answer | None:
        """Return why a memory cannot be shared here: nothing is kept here, or it is known already, or the gate does not let it in."""
        if not place.persona.memory.enabled:
            return Answer(memory_texts.memory_is_off(place.persona.name))
        here = [copy for copy in await copies_of(tx, memory.scope, memory.number, memory.id) if copy.scope == place.scope]
        if here:
            return Answer(texts.shared_already(here[0].number))
        if await repeated(tx, place.scope, memory.text, await subject_in(tx, place, call, memory.text)) is not None:
            return Answer(texts.known_already())
        verdict = await judged_here(tx, place, call, text=memory.text, at=self.clock.now())
        return None if verdict.ruling is Ruling.ACCEPT else Answer(pending_texts.refused(verdict.concern))

    async def _copy(self, tx: Transaction, place: Place, memory: Memory, call: CommandCall) -> Answer:
        now, number = self.clock.now(), await tx.memories.reserve_number(place.scope)
        subject, importance = await subject_in(tx, place, call, memory.text), place.persona.memory.new_importance
        origin = replace(origin_of(asker_of(call)), reason=SHARED, run=run_of(memory.id))
        edit = Remember(number, memory.text, subject=subject, importance=importance)
        if not await MemoryEditor(tx, place.scope, place.persona.memory, now).apply(edit, origin):
            return Answer(cannot_remember())
        await note_shared(tx, memory, place.scope, actor=origin.actor, at=now)
        return Answer(texts.shared(number, memory.text))


def _direct_scope(place: Place, call: CommandCall) -> MemoryScope:
    """Return what the persona that speaks here remembers of the asker's direct chats."""
    return MemoryScope(place.persona.id, audience_of(call.conversation, ConversationKind.DIRECT, call.asker.id))
