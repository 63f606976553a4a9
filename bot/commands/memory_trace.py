"""`/memory why` and `/memory history`: where an answer came from, and where a memory did."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.commands import memory_texts as texts
from bot.commands.links import source_link
from bot.commands.ownership import Place, is_own, own_memory, place_of
from bot.commands.paging import PAGE_LENGTH, fitting, page_of
from bot.commands.texts import local_moment
from bot.domain.chat import MemoryScope
from bot.domain.command import Answer, CommandCall
from bot.domain.fading import faded_importance
from bot.domain.memory import JournalEntry, Memory
from bot.domain.message import Role, StoredMessage
from bot.domain.past import CorpusKind
from bot.domain.persona import MemoryPolicy, Personas
from bot.domain.text import utf16_length
from bot.memory.hidden import hidden_there
from bot.memory.speaker import persona_of, personas_there
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction
from bot.wording.say import say

MOST_CHANGES = 200
"""Of one memory that are shown, the last ones."""
LOOK_BACK = 40
"""Messages among which the last answer is looked for."""


@dataclass(frozen=True, slots=True)
class MemoryTrace:
    """What the asker may know of how memories are used and changed: of their own ones all, of others' nothing."""

    store: Store
    personas: Personas
    clock: Clock

    async def why(self, call: CommandCall, answer: StoredMessage | None = None) -> Answer:
        """Show what stood in the prompt of an answer, by default the last one here: the asker's memories, and what was said before."""
        row = answer.id if answer else None
        async with self.store.read() as tx:
            place = await self._place_of(tx, call, answer)
            notes = await tx.messages.recalled(call.conversation, row)
            found = await tx.memories.several(place.scope, [note.number for note in notes])
            past = await _past_lines(tx, call, place, row)
        own = {memory.number: memory for memory in found if is_own(memory, call)}
        lines = [texts.recalled_line(own[note.number], note) for note in notes if note.number in own]
        if not lines and not past:
            return Answer(texts.nothing_recalled(place.persona.name, is_last=answer is None))
        shown_past = fitting(past, length=PAGE_LENGTH // 2)
        left = PAGE_LENGTH - sum(utf16_length(line) + 1 for line in shown_past)
        shown = fitting(lines, length=left)
        return Answer(texts.recalled(place.persona.name, shown, shown_past, is_last=answer is None))

    async def show(self, call: CommandCall) -> Answer:
        """Show one of the asker's memories whole: who said it and when, how near it is, and where that can be read again."""
        number = int(call.options["number"])
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            memory = await own_memory(tx, place.scope, number, call)
            link = await source_link(tx, place.scope.audience, memory.source_message_ids)
        left = faded_importance(memory, place.persona.memory, self.clock.now())
        return Answer(texts.whole_memory(memory, left, place.persona.zone, link))

    async def history(self, call: CommandCall) -> Answer:
        """Show the changes of one of the asker's memories, the newest first."""
        number = int(call.options["number"])
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            memory = await own_memory(tx, place.scope, number, call)
            entries = await tx.memories.journal(place.scope, number=number, limit=MOST_CHANGES)
            links = [await source_link(tx, place.scope.audience, entry.source_message_ids) for entry in entries]
            names = {persona.id: persona.name for persona in await personas_there(tx, self.personas, call.conversation)}
        zone = place.persona.zone
        lines = [
            texts.history_line(
                local_moment(entry.at, zone),
                self._who(entry.actor, call, names),
                entry.reason,
                changes_of(entry, place.persona.memory),
                link,
            )
            for entry, link in zip(entries, links, strict=True)
        ]
        page = page_of(lines, int(call.options.get("page", 1)))
        shown = texts.memory_history(number, memory.text, page.lines, page.note)
        return Answer(shown, buttons=page.buttons(f"memory history {number} "))

    async def _place_of(self, tx: Transaction, call: CommandCall, answer: StoredMessage | None) -> Place:
        """Return the place as it was at an answer, by default the last one: another persona may have spoken then."""
        place = await place_of(tx, self.personas, call, self.clock.now())
        said = [answer] if answer else await tx.messages.history(call.conversation, limit=LOOK_BACK)
        speakers = [message.persona_id for message in said if message.role is Role.ASSISTANT and message.persona_id]
        if not speakers or speakers[-1] == place.persona.id:
            return place
        spoke = await persona_of(tx, self.personas, place.scope.audience, speakers[-1])
        return Place(spoke, MemoryScope(speakers[-1], place.scope.audience))

    def _who(self, actor: str, call: CommandCall, names: Mapping[str, str]) -> str:
        """Return who made a change, as the asker knows them. Other people are not named."""
        kind, _, name = actor.partition(":")
        match kind:
            case "persona":
                return names.get(name, name)
            case "person":
                return say("you") if name == call.asker.id else say("somebody else")
            case "operator" | "dream":
                return say("the operator") if kind == "operator" else say("a dream")
            case _:
                return " ".join(part for part in (kind, name) if part)


async def _past_lines(tx: Transaction, call: CommandCall, place: Place, row: int | None) -> list[str]:
    """Return a line for each thing of the conversation's past that stood in an answer's prompt, as it was kept, with the reason.

    Nothing of others who have opted out since is among them.
    """
    conversation, persona = call.conversation, place.persona
    notes = await tx.messages.recalled_past(conversation, row)
    rows = {kind: [note.id for note in notes if note.kind is kind] for kind in CorpusKind}
    messages = await tx.messages.several(conversation, rows[CorpusKind.TURNS])
    hidden = (await hidden_there(tx, place.scope.audience, [said.author for said in messages])).but(call.asker)
    lines = {
        **{
            (CorpusKind.TURNS, said.id): texts.said_line(said.sent_at.astimezone(persona.zone), said.author.display_name, said.text)
            for said in messages
            if not hidden.hides_message(said)
        },
        **{
            (CorpusKind.STRUCTURED, memory.id): texts.told_line(memory.at.astimezone(persona.zone), memory.title)
            for memory in await tx.pasts.structured(conversation, rows[CorpusKind.STRUCTURED])
            if not hidden.named_in(memory.title)
        },
    }
    return [texts.with_reason(lines[note.kind, note.id], note.reason) for note in notes if (note.kind, note.id) in lines]


def changes_of(entry: JournalEntry, policy: MemoryPolicy, *, with_texts: bool = True) -> list[str]:
    """Return what an entry changed, a few words each; without texts for those whose memory it is not."""
    before, after = entry.before, entry.after
    if before is None or after is None:
        return [texts.made_or_gone(before, after, with_text=with_texts)]
    return [
        *([texts.text_change(before.text, after.text, with_texts=with_texts)] if before.text != after.text else []),
        *([texts.level_change(before.level, after.level)] if before.level != after.level else []),
        *_importance_change(before, after, entry, policy),
        *([say("pinned") if after.pinned else say("no longer pinned")] if before.pinned != after.pinned else []),
        *([say("no longer true since then")] if after.ended_at and not before.ended_at else []),
    ]


def _importance_change(before: Memory, after: Memory, entry: JournalEntry, policy: MemoryPolicy) -> list[str]:
    faded, weighed = (round(faded_importance(memory, policy, entry.at), 2) for memory in (before, after))
    return [texts.importance_change(faded, weighed)] if faded != weighed else []
