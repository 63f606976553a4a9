"""The only writer of memories: every change goes through here and leaves a line in the journal."""

from datetime import datetime
from uuid import uuid4

from bot.domain.chat import MemoryScope
from bot.domain.memory import MAX_TEXT, EditOrigin, Forget, JournalEntry, Memory, MemoryEdit, Remember, Revise
from bot.domain.text import storable
from bot.ports.store import Transaction


def memory_text(text: str) -> str:
    """Return the text as a memory keeps it. Raises ValueError when it is blank or too long."""
    kept = storable(text).strip()
    if not kept:
        raise ValueError("A memory needs some text.")
    if len(kept) > MAX_TEXT:
        raise ValueError(f"A memory holds at most {MAX_TEXT} characters; this text has {len(kept)}. Shorten it.")
    return kept


async def apply_edit(tx: Transaction, scope: MemoryScope, edit: MemoryEdit, origin: EditOrigin, at: datetime) -> bool:
    """Store one edit with its journal entry; False when there was nothing to change."""
    match edit:
        case Remember():
            await _remember(tx, scope, edit, origin, at)
            return True
        case Revise(number, text):
            before = await tx.memories.get(scope, number)
            if before is None or before.text == text:
                return False
            await tx.memories.revise(scope, number, memory_text(text), at)
            await tx.memories.write_journal([_entry(before, origin, before.text, text, at)])
            return True
        case Forget(number):
            before = await tx.memories.get(scope, number)
            if before is None:
                return False
            await tx.memories.remove(scope, number)
            await tx.memories.write_journal([_entry(before, origin, before.text, "", at)])
            return True


async def _remember(tx: Transaction, scope: MemoryScope, edit: Remember, origin: EditOrigin, at: datetime) -> None:
    memory = Memory(
        id=uuid4(),
        scope=scope,
        number=edit.number,
        text=memory_text(edit.text),
        subject=edit.subject,
        author=origin.author,
        source_message_ids=origin.source_message_ids,
        created_at=at,
        updated_at=at,
    )
    await tx.memories.add(memory)
    await tx.memories.write_journal([_entry(memory, origin, "", memory.text, at)])


def _entry(memory: Memory, origin: EditOrigin, before: str, after: str, at: datetime) -> JournalEntry:
    return JournalEntry(
        memory_id=memory.id,
        scope=memory.scope,
        number=memory.number,
        actor=origin.actor,
        reason=origin.reason,
        before=before,
        after=after,
        source_message_ids=origin.source_message_ids,
        at=at,
    )
