"""Storing what a dream plans, in short transactions, and taking it back."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from bot.domain.chat import MemoryScope
from bot.domain.memory import EditOrigin, Forget, JournalEntry, Level
from bot.domain.persona import MemoryPolicy
from bot.memory.decay import NIGHT
from bot.memory.dreams.limits import DreamLimits
from bot.memory.dreams.plan import Bundle, Change
from bot.memory.edit import MemoryEditor
from bot.memory.erasing.guard import guarded
from bot.ports.store import Store, Transaction

DREAMER = "dream"
"""The actor in the journal."""
UNDONE = "the dream was undone"


@dataclass(frozen=True, slots=True)
class Writing:
    """Where and as what the changes of a dream are stored."""

    store: Store
    scope: MemoryScope
    policy: MemoryPolicy
    at: datetime
    run: str
    limits: DreamLimits

    async def store_all(self, bundles: Iterable[Bundle]) -> Sequence[Change]:
        """Store bundle by bundle, and return the changes that were stored. A bundle whose memories changed meanwhile is left out."""
        stored: list[Change] = []
        for batch in _batches(bundles, self.limits.batch):
            async with self.store.write() as tx:
                fit = await self._as_planned(tx, batch)
                await self._store(tx, fit)
            stored += [change for bundle in fit for change in bundle.changes]
            await asyncio.sleep(self.limits.rest_seconds)
        return stored

    async def _as_planned(self, tx: Transaction, bundles: Sequence[Bundle]) -> Sequence[Bundle]:
        """Return the bundles whose memories are still as they were when they were planned."""
        numbers = sorted({number for bundle in bundles for number in bundle.before})
        now = {memory.number: memory for memory in await tx.memories.several(self.scope, numbers)}
        return [bundle for bundle in bundles if all(now.get(number) == memory for number, memory in bundle.before.items())]

    async def _store(self, tx: Transaction, bundles: Sequence[Bundle]) -> None:
        editor = MemoryEditor(tx, self.scope, self.policy, self.at)
        for level in Level:
            alone = [bundle for bundle in bundles if bundle.sinking and bundle.sinking.level is level]
            await editor.sink(
                [(memory, self._origin(bundle, bundle.changes[0])) for bundle in alone for memory in bundle.before.values()], level
            )
        for bundle in bundles:
            if bundle.sinking is None:
                await self._store_one(editor, bundle)

    async def _store_one(self, editor: MemoryEditor, bundle: Bundle) -> None:
        """Store a bundle's edits in order, without those of a memory that it forgets in the end."""
        gone = bundle.forgotten
        for change in bundle.changes:
            for edit in change.edits:
                if isinstance(edit, Forget) or edit.number not in gone:
                    await editor.apply(edit, self._origin(bundle, change))

    def _origin(self, bundle: Bundle, change: Change) -> EditOrigin:
        said = sorted({row for number in change.sources for row in bundle.before[number].source_message_ids})
        return EditOrigin(DREAMER, change.reason, NIGHT, tuple(said), self.run)


@dataclass(frozen=True, slots=True)
class Undone:
    """What came of taking a dream back, in memories."""

    restored: int = 0
    skipped: int = 0
    """Changed again since: they stay as they are now."""
    lost: int = 0
    """Forgotten by the dream and gone for good since a later dream, or because somebody asked for it."""


async def take_back(store: Store, scope: MemoryScope, run: str, *, at: datetime, limits: DreamLimits) -> Undone:
    """Put all memories of a scope that a run changed back as they were before it; return what came of it."""
    store = await guarded(store, [scope.audience])
    async with store.read() as tx:
        entries = await tx.memories.journal_of_run(scope, run)
    by_memory = [list(of_one) for _, of_one in groupby(sorted(entries, key=lambda entry: entry.number), key=lambda entry: entry.number)]
    done = Undone()
    for start in range(0, len(by_memory), limits.batch):
        async with store.write() as tx:
            for of_one in by_memory[start : start + limits.batch]:
                done = await _take_back_one(tx, of_one, done, at)
        await asyncio.sleep(limits.rest_seconds)
    return done


async def _take_back_one(tx: Transaction, entries: Sequence[JournalEntry], done: Undone, at: datetime) -> Undone:
    first, last = entries[0], entries[-1]
    if first.before is None and last.after is None:
        return replace(done, lost=done.lost + 1)
    latest = await tx.memories.journal(first.scope, number=first.number, limit=1)
    if not latest or latest[0].run != first.run:
        return replace(done, skipped=done.skipped + 1)
    editor = MemoryEditor(tx, first.scope, MemoryPolicy(), at)
    if first.before is None:
        await editor.take_back(first.number)
    else:
        await editor.restore(first.before)
    undoing = replace(last, actor=DREAMER, reason=UNDONE, before=last.after, after=first.before, at=at, run="")
    await tx.memories.write_journal([undoing])
    return replace(done, restored=done.restored + 1)


def _batches(bundles: Iterable[Bundle], edits: int) -> Iterator[list[Bundle]]:
    """Yield the bundles in order, as many at once as make that many edits."""
    batch: list[Bundle] = []
    for bundle in bundles:
        batch.append(bundle)
        if sum(each.edits for each in batch) >= edits:
            yield batch
            batch = []
    if batch:
        yield batch
