"""What every store's journal must do; part of `bot.testing.store_contract`."""

from dataclasses import replace
from uuid import UUID, uuid4

from bot.domain.memory import Memory
from bot.domain.message import Person
from bot.ports.store import Store
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, GROUP, a_memory, a_scope
from bot.testing.store_memories import SCOPE, entry, faded_and_used, remember


class JournalContract:
    """One test a sentence of the port's docstrings."""

    async def test_the_journal_gives_the_last_entries_newest_first(self, store: Store) -> None:
        tea = Memory(UUID(int=1), SCOPE, 1, "tea", None, ADA, (), START, START)
        coffee = replace(tea, text="coffee")
        lines = [entry(tea, after=tea), entry(tea, before=tea, after=coffee, run="dream"), entry(tea, before=coffee)]

        async with store.write() as tx:
            await tx.memories.add(tea)
            await tx.memories.write_journal(lines[:2])
            await tx.memories.write_journal(lines[2:])

        async with store.read() as tx:
            assert await tx.memories.journal(SCOPE, limit=9) == lines[::-1]
            assert await tx.memories.journal(SCOPE, limit=2) == [lines[2], lines[1]]

    async def test_whole_memories_come_back_as_they_were(self, store: Store) -> None:
        author = Person("1087968824", "「Group」 🐈", is_service=True)
        first = Memory(uuid4(), SCOPE, 1, "「猫」 & <b>\n'\"%_\\", Person("bo", "Bø", is_bot=True), author, (3, 2**40), START, START)
        second = faded_and_used(first, subject=None)
        third = replace(second, importance=1 / 3, ended_at=START, pinned=False)
        lines = [entry(first, before=first, after=second), entry(first, before=second, after=third)]

        async with store.write() as tx:
            await tx.memories.write_journal(lines)

        async with store.read() as tx:
            assert await tx.memories.journal(SCOPE, limit=9) == lines[::-1]

    async def test_a_snapshot_equals_the_memory_that_was_stored(self, store: Store) -> None:
        odd = a_memory("a\0b\ud83d", subject=Person("bo", "B\0o"))

        async with store.write() as tx:
            await tx.memories.add(odd)
            await tx.memories.write_journal([entry(odd, after=odd)])

        async with store.read() as tx:
            (line,) = await tx.memories.journal(odd.scope, limit=9)
            assert line.after == await tx.memories.get(odd.scope, 1)

    async def test_the_journal_of_one_number_holds_no_other(self, store: Store) -> None:
        async with store.write() as tx:
            tea, cake = await remember(tx.memories, "tea"), await remember(tx.memories, "cake")
            lines = [entry(tea, after=tea), entry(cake, after=cake), entry(tea, before=tea)]
            await tx.memories.write_journal(lines)

        async with store.read() as tx:
            assert await tx.memories.journal(SCOPE, number=1, limit=9) == [lines[2], lines[0]]
            assert await tx.memories.journal(SCOPE, number=1, limit=1) == [lines[2]]
            assert await tx.memories.journal(SCOPE, number=3, limit=9) == []

    async def test_a_run_gives_all_its_entries_in_the_order_they_were_written(self, store: Store) -> None:
        async with store.write() as tx:
            here, there = await remember(tx.memories, "tea"), await remember(tx.memories, "tea", scope=a_scope(GROUP))
            lines = [entry(here, after=here, run="one"), entry(here, after=here, run="two"), entry(here, before=here, run="one")]
            await tx.memories.write_journal([entry(there, after=there, run="one")])
            await tx.memories.write_journal([*lines, entry(here)])

        async with store.read() as tx:
            assert await tx.memories.journal_of_run(SCOPE, "one") == [lines[0], lines[2]]
            assert await tx.memories.journal_of_run(SCOPE, "three") == []
            assert await tx.memories.journal_of_run(SCOPE, "") == []

    async def test_a_blanked_journal_still_says_that_it_was_changed_when_and_by_whom(self, store: Store) -> None:
        async with store.write() as tx:
            tea, cake = await remember(tx.memories, "tea", author=BO), await remember(tx.memories, "cake")
            lines = [entry(tea, after=tea), entry(cake, after=cake), entry(tea, before=tea, after=replace(tea, text="new"), run="dream")]
            await tx.memories.write_journal(lines)

            await tx.memories.blank_journal(tea.id)

        async with store.read() as tx:
            kept = await tx.memories.journal(SCOPE, limit=9)
        assert kept == [replace(lines[2], before=None, after=None), lines[1], replace(lines[0], after=None)]
