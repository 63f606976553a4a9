"""The only writer of memories: every change of what one says or weighs goes through here and leaves a line in the journal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import uuid4

from bot.domain.chat import MemoryScope
from bot.domain.fading import clamped, faded_importance
from bot.domain.memory import (
    MAX_GROUP,
    MAX_TEXT,
    EditOrigin,
    End,
    Forget,
    JournalEntry,
    Level,
    Load,
    Memory,
    MemoryEdit,
    Pin,
    Remember,
    Revise,
    Settle,
    Tag,
)
from bot.domain.persona import MemoryPolicy
from bot.domain.text import one_line, storable
from bot.memory.gate.claims import own_word
from bot.memory.hidden import may_remember
from bot.memory.likeness import repeated
from bot.memory.shares import take_copies
from bot.ports.store import Transaction
from bot.wording.say import figure, say


def memory_text(text: str) -> str:
    """Return the text as a memory keeps it. Raises ValueError when it is blank or too long."""
    kept = storable(text).strip()
    if not kept:
        raise ValueError(say("A memory needs some text."))
    if len(kept) > MAX_TEXT:
        most, length = figure(MAX_TEXT), figure(len(kept))
        raise ValueError(say("A memory holds at most {most} characters; this text has {length}. Shorten it.", most=most, length=length))
    return kept


def changed(memory: Memory, edit: Revise | Tag | Load | Pin | Settle | End, policy: MemoryPolicy, now: datetime) -> Memory:
    """Return what an edit makes of a memory. A pure rule; fading up to `now` is reckoned in whenever the importance is set."""
    importance = faded_importance(memory, policy, now)
    match edit:
        case Revise(_, text):
            revised = replace(memory, text=memory_text(text), updated_at=now, level=Level.WORKING)
            return _weighed(revised, importance + policy.update_boost, now)
        case Tag():
            tagged = replace(memory, level=Level.WORKING, uses=memory.uses + 1, used_at=now)
            return _weighed(tagged, importance + policy.tag_boost, now)
        case Load():
            loaded = replace(memory, level=Level.WORKING, used_at=now)
            return _weighed(loaded, max(importance, policy.demote_below + policy.load_margin), now)
        case Pin(_, pinned):
            return _weighed(replace(memory, pinned=pinned, level=Level.WORKING if pinned else memory.level), importance, now)
        case Settle(_, level, new_importance, reinforced):
            settled = replace(memory, level=level, uses=0 if reinforced else memory.uses)
            return settled if new_importance is None else _weighed(settled, new_importance, now)
        case End():
            return replace(memory, ended_at=now)


@dataclass(frozen=True, slots=True)
class MemoryEditor:
    """Changes the memories of one scope within one transaction."""

    tx: Transaction
    scope: MemoryScope
    policy: MemoryPolicy
    at: datetime

    async def apply(self, edit: MemoryEdit, origin: EditOrigin) -> bool:
        """Store one edit with its journal entry; False when there was nothing to change, or when somebody opted out of being remembered."""
        if isinstance(edit, Remember):
            return await self._remember(edit, origin)
        before = await self.tx.memories.get(self.scope, edit.number)
        if before is None:
            return False
        if isinstance(edit, Forget):
            return await self._forget(before, edit, origin)
        if isinstance(edit, Revise) and not await may_remember(
            self.tx, self.scope, edit.text, (before.subject, before.author, origin.author)
        ):
            return False
        after = changed(before, edit, self.policy, self.at)
        if isinstance(edit, Revise):
            after = own_word(after, origin.author)
        if after == before:
            return False
        await self._put(before, after, origin)
        if after.text != before.text or after.ended_at != before.ended_at:
            await self._drop_fold(before.number)
        return True

    async def move(self, numbers: Sequence[int], level: Level, *, used: bool = False) -> None:
        """Move memories between the working set and the deep ones, without a line in the journal.

        The working set comes and goes with every message; what it holds can be seen in the notes on each reply instead.
        """
        if numbers:
            await self.tx.memories.move(self.scope, numbers, level, used_at=self.at if used else None)

    async def sink(self, sinking: Sequence[tuple[Memory, EditOrigin]], level: Level) -> None:
        """Put memories, given as they are in the store, at a level, each with its line in the journal."""
        if sinking:
            await self.tx.memories.move(self.scope, [memory.number for memory, _ in sinking], level)
            entries = [self._entry(memory, origin, before=memory, after=replace(memory, level=level)) for memory, origin in sinking]
            await self.tx.memories.write_journal(entries)

    async def restore(self, memory: Memory) -> None:
        """Put a memory back exactly as it was, whether it is still there or not; the journal is the caller's."""
        if not await self.tx.memories.put(memory):
            await self.tx.memories.add(memory)
        await self.tx.memories.set_fold(self.scope, None)

    async def take_back(self, number: int) -> None:
        """Delete a memory that an undone run had added; the journal is the caller's."""
        await self.tx.memories.remove(self.scope, number)
        await self.tx.memories.set_fold(self.scope, None)

    async def _remember(self, edit: Remember, origin: EditOrigin) -> bool:
        text, importance = memory_text(edit.text), clamped(edit.importance)
        if not await may_remember(self.tx, self.scope, text, (edit.subject, origin.author)):
            return False
        known = await repeated(self.tx, self.scope, text, edit.subject)
        if known is not None:
            kept = max(importance, faded_importance(known, self.policy, self.at))
            await self._put(known, _weighed(replace(own_word(known, origin.author), level=Level.WORKING), kept, self.at), origin)
            return True
        memory = Memory(
            id=uuid4(),
            scope=self.scope,
            number=edit.number,
            text=text,
            subject=edit.subject,
            author=origin.author,
            source_message_ids=origin.source_message_ids,
            created_at=self.at,
            updated_at=self.at,
            importance=importance,
            group=one_line(storable(edit.group), MAX_GROUP),
        )
        await self.tx.memories.add(memory)
        await self._write(memory, origin, before=None, after=memory)
        return True

    async def _forget(self, before: Memory, edit: Forget, origin: EditOrigin) -> bool:
        await self.tx.memories.remove(self.scope, before.number)
        if edit.for_good:
            await take_copies(self.tx, self.scope, before.number, before.id, self.at)
            await self.tx.memories.blank_journal(before.id)
            await self.tx.erasures.bury(before.id, self.at)
        await self._write(before, origin, before=None if edit.for_good else before, after=None)
        await self._drop_fold(before.number)
        return True

    async def _put(self, before: Memory, after: Memory, origin: EditOrigin) -> None:
        await self.tx.memories.put(after)
        await self._write(before, origin, before=before, after=after)

    async def _write(self, memory: Memory, origin: EditOrigin, *, before: Memory | None, after: Memory | None) -> None:
        await self.tx.memories.write_journal([self._entry(memory, origin, before=before, after=after)])

    def _entry(self, memory: Memory, origin: EditOrigin, *, before: Memory | None, after: Memory | None) -> JournalEntry:
        return JournalEntry(
            memory_id=memory.id,
            scope=self.scope,
            number=memory.number,
            actor=origin.actor,
            reason=origin.reason,
            before=before,
            after=after,
            source_message_ids=origin.source_message_ids,
            at=self.at,
            run=origin.run,
        )

    async def _drop_fold(self, number: int) -> None:
        """Let the working block be laid down anew when the memory stands in it."""
        fold = await self.tx.memories.fold(self.scope)
        if fold is not None and (number in fold.working or number in fold.handles or fold.groups):
            await self.tx.memories.set_fold(self.scope, None)


def _weighed(memory: Memory, importance: float, now: datetime) -> Memory:
    return replace(memory, importance=clamped(importance), weighed_at=now)
