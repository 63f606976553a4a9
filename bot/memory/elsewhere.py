"""What a persona remembers of the other public rooms of a server, where an admin has opened them to one another.

No memory ever moves: each stays in the room where it was told. It is only read elsewhere, and only as long as everybody can read that
room, by what the platform says at that moment.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from bot.domain.chat import AudienceKind, ConversationKey, MemoryScope, audience_of, parse_key
from bot.domain.memory import JournalEntry, Level, Memory
from bot.domain.naming import named
from bot.domain.turn import Turn
from bot.memory.gate.claims import attributed
from bot.memory.gate.judge import is_fit
from bot.memory.grounding import invented
from bot.memory.hidden import hidden_there, shown_memories
from bot.ports.platform import PublicPlaces
from bot.ports.store import Store, Transaction

SETTING = "audience"
WHOLE_SPACE = "space"
"""The value of the setting where an admin has let the public rooms of a server share."""
MOST_ROOMS = 20
MOST_HITS = 3
"""Memories that one room brings for the words of a message."""
MOST_OWN = 3
"""Memories about the asker that one room brings."""
MOST_SHOWN = 10
LEAST_SCORE = 0.15
LONGEST_JOURNAL = 50
"""A memory with a longer history is not read elsewhere: nobody looks through all of it."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Reads the other public rooms of a turn's server."""

    store: Store
    places: PublicPlaces

    async def told(self, turn: Turn) -> str:
        """Return what was told in other rooms and belongs to the turn, a line each; empty where nothing may be shared."""
        if not self._may_read(turn):
            return ""
        async with self.store.read() as tx:
            settings = await tx.settings.all(turn.conversation.platform, turn.conversation.space_id)
            if settings.get(SETTING) != WHOLE_SPACE or not await self.places.is_public(turn.conversation):
                return ""
            found = [hit async for scope in self._rooms(tx, turn) for hit in await _found(tx, scope, turn)]
        best = sorted(found, key=lambda hit: -hit[1])[:MOST_SHOWN]
        return "\n".join(f"{named(memory.subject or memory.author)}: {attributed(memory)}" for memory, _ in best)

    def _may_read(self, turn: Turn) -> bool:
        """Say whether the turn takes place in a public room: everybody could read each of its messages when it was said."""
        shares = turn.is_group and turn.persona.memory.enabled and not turn.is_passing
        return shares and turn.scope.audience.kind is AudienceKind.CONVERSATION and all(message.is_public for message in turn.messages)

    async def _rooms(self, tx: Transaction, turn: Turn) -> AsyncIterator[MemoryScope]:
        """Yield what is remembered of the first few other rooms of the server that everybody can read."""
        here, kind = turn.conversation, turn.kind
        prefix = str(audience_of(ConversationKey(here.platform, here.space_id, "", ""), kind, "")).removesuffix(":")
        after, rooms = prefix, 0
        while page := await tx.memories.scopes(persona_id=turn.persona.id, after=after, limit=MOST_ROOMS):
            for scope in page:
                if not str(scope.audience).startswith(prefix):
                    return
                room = parse_key(scope.audience.id)
                if room != here and await self.places.is_public(room):
                    yield scope
                    rooms += 1
                    if rooms == MOST_ROOMS:
                        return
            after = str(page[-1].audience)


async def _found(tx: Transaction, scope: MemoryScope, turn: Turn) -> Sequence[tuple[Memory, float]]:
    """Return the memories of a room that share words with the turn, and some about the asker, as far as they may be read elsewhere."""
    levels = (Level.WORKING, Level.DEEP)
    hits = [hit for hit in await tx.memories.search(scope, turn.text, limit=MOST_HITS, levels=levels) if hit[1] >= LEAST_SCORE]
    known = {memory.number for memory, _ in hits}
    about = [memory for memory in await tx.memories.about(scope, turn.asker.id, limit=LONGEST_JOURNAL) if memory.number not in known]
    own = [memory for memory in about if memory.level in levels and memory.ended_at is None and _is_about(memory, turn)]
    wanted = [*hits, *((memory, 0.0) for memory in own[-MOST_OWN:])]
    hidden = await hidden_there(tx, scope.audience, (person for memory, _ in wanted for person in (memory.subject, memory.author)))
    shown = {memory.number for memory in shown_memories([memory for memory, _ in wanted], hidden)}
    fit = [(memory, score) for memory, score in wanted if memory.number in shown and is_fit(memory.text, (turn.persona.name,))]
    return [(memory, score) for memory, score in fit if await was_public(tx, memory)]


def _is_about(memory: Memory, turn: Turn) -> bool:
    return memory.subject is not None and memory.subject.id == turn.asker.id and not turn.asker.is_service


async def was_public(tx: Transaction, memory: Memory) -> bool:
    """Say whether all that a memory says, and ever said, was told by people where everybody could read it; False in doubt."""
    entries = await tx.memories.journal(memory.scope, number=memory.number, limit=LONGEST_JOURNAL)
    told = [entry for entry in entries if _changes_text(entry)]
    if len(entries) == LONGEST_JOURNAL or not any(entry.before is None and entry.after is not None for entry in told):
        return False
    if not memory.source_message_ids or not all(entry.source_message_ids for entry in told):
        return False
    rows = {*memory.source_message_ids, *(row for entry in told for row in entry.source_message_ids)}
    said = [await tx.messages.get(memory.scope.audience, row) for row in sorted(rows)]
    texts = [message.text for message in said if message is not None and message.is_public]
    name = memory.subject.display_name if memory.subject else ""
    return len(texts) == len(rows) and not invented(memory.text, texts, name=name)


def _changes_text(entry: JournalEntry) -> bool:
    return entry.before is None or entry.after is None or entry.before.text != entry.after.text
