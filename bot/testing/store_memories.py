"""What every store's Memories must do; part of `bot.testing.store_contract`."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from bot.domain.chat import Audience, AudienceKind, MemoryScope
from bot.domain.memory import JournalEntry, Memory
from bot.domain.message import Person
from bot.errors import StoreError
from bot.ports.store import Memories, Store
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, GROUP, a_scope

SCOPE = a_scope()
OTHER_SCOPES = (
    a_scope(persona_id="rose"),
    a_scope(person=BO),
    a_scope(GROUP),
    MemoryScope("iris", Audience(AudienceKind.SPACE, SCOPE.audience.id)),
)
"""Each differs from SCOPE in one thing."""


def entry(memory: Memory, *, before: str, after: str) -> JournalEntry:
    """Return a line of the journal."""
    return JournalEntry(
        memory_id=memory.id,
        scope=memory.scope,
        number=memory.number,
        actor="person:ada",
        reason="said so",
        before=before,
        after=after,
        source_message_ids=(1, 2),
        at=START,
    )


async def remember(
    memories: Memories,
    text: str,
    *,
    scope: MemoryScope = SCOPE,
    subject: Person | None = None,
    author: Person = ADA,
    minutes: int = 0,
) -> Memory:
    """Store a memory under the scope's next number, changed `minutes` after the start."""
    number = await memories.reserve_number(scope)
    at = START + timedelta(minutes=minutes)
    memory = Memory(uuid4(), scope, number, text, subject, author, (1, 2), at, at)
    await memories.add(memory)
    return memory


class MemoriesContract:
    """One test a sentence of the port's docstrings."""

    async def test_numbers_count_from_one_in_each_scope(self, store: Store) -> None:
        async with store.write() as tx:
            first = [await tx.memories.reserve_number(SCOPE) for _ in range(3)]
            others = [await tx.memories.reserve_number(scope) for scope in OTHER_SCOPES]

        assert first == [1, 2, 3]
        assert others == [1, 1, 1, 1]

    async def test_a_kept_number_is_never_returned_again(self, store: Store) -> None:
        async with store.write() as tx:
            memory = await remember(tx.memories, "Ada likes tea")
            await tx.memories.reserve_number(SCOPE)
        async with store.write() as tx:
            await tx.memories.remove(SCOPE, memory.number)
            await tx.memories.remove_persona("iris")

        async with store.write() as tx:
            assert await tx.memories.reserve_number(SCOPE) == 3

    async def test_an_added_number_counts_as_handed_out(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.memories.add(Memory(uuid4(), SCOPE, 7, "Ada likes tea", None, ADA, (), START, START))

            assert await tx.memories.reserve_number(SCOPE) == 8

    async def test_a_memory_comes_back_as_it_was_added(self, store: Store) -> None:
        subject = Person("bo", "Bø 🐈", is_bot=True)
        author = Person("1087968824", "Group", is_service=True)
        later = START + timedelta(microseconds=1)
        memory = Memory(uuid4(), SCOPE, 1, "「猫」 & <b>\n'\"%_", subject, author, (3, 2**40), START, later)

        async with store.write() as tx:
            await tx.memories.add(memory)

        async with store.read() as tx:
            assert await tx.memories.get(SCOPE, 1) == memory

    async def test_times_come_back_aware_and_in_utc(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "Ada likes tea")

        async with store.read() as tx:
            found = await tx.memories.get(SCOPE, 1)
        assert found is not None
        assert found.created_at.utcoffset() == timedelta(0)

    @pytest.mark.parametrize("number", [0, -1, 2, 2**31, 2**63, 10**40])
    async def test_an_unknown_number_is_no_memory(self, store: Store, number: int) -> None:
        async with store.write() as tx:
            kept = await remember(tx.memories, "Ada likes tea")

            assert await tx.memories.get(SCOPE, number) is None
            assert not await tx.memories.revise(SCOPE, number, "x", START)
            assert not await tx.memories.remove(SCOPE, number)
            assert await tx.memories.page(SCOPE, limit=9) == [kept]

    async def test_revise_replaces_text_and_updated_time_alone(self, store: Store) -> None:
        async with store.write() as tx:
            before = await remember(tx.memories, "Ada likes tea", subject=ADA)
            other = await remember(tx.memories, "Bo likes tea", subject=BO)

            assert await tx.memories.revise(SCOPE, 1, "Ada likes coffee", START + timedelta(days=1))

        async with store.read() as tx:
            after = await tx.memories.get(SCOPE, 1)
            assert await tx.memories.get(SCOPE, 2) == other
        assert after is not None
        assert (after.text, after.updated_at) == ("Ada likes coffee", START + timedelta(days=1))
        assert (after.id, after.created_at, after.subject) == (before.id, before.created_at, before.subject)

    async def test_remove_deletes_the_memory_alone(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "Ada likes tea")
            other = await remember(tx.memories, "Ada likes cake")

            assert await tx.memories.remove(SCOPE, 1)
            assert not await tx.memories.remove(SCOPE, 1)

        async with store.read() as tx:
            assert await tx.memories.page(SCOPE, limit=9) == [other]
            assert await tx.memories.search(SCOPE, "tea", limit=9) == []

    async def test_count_is_that_of_the_scope(self, store: Store) -> None:
        async with store.write() as tx:
            for scope in (SCOPE, SCOPE, *OTHER_SCOPES):
                await remember(tx.memories, "tea", scope=scope)

        async with store.read() as tx:
            assert await tx.memories.count(SCOPE) == 2
            assert await tx.memories.count(a_scope(persona_id="nobody")) == 0

    async def test_pages_follow_the_numbers(self, store: Store) -> None:
        async with store.write() as tx:
            known = [await remember(tx.memories, f"fact {number}", minutes=-number) for number in range(5)]

        async with store.read() as tx:
            assert await tx.memories.page(SCOPE, limit=2) == known[:2]
            assert await tx.memories.page(SCOPE, after=2, limit=9) == known[2:]
            assert await tx.memories.page(SCOPE, after=5, limit=9) == []

    async def test_latest_begins_with_the_last_changed_and_then_the_higher_number(self, store: Store) -> None:
        async with store.write() as tx:
            for minutes in (1, 3, 2, 3):
                await remember(tx.memories, "fact", minutes=minutes)
            await tx.memories.revise(SCOPE, 1, "fact", START + timedelta(minutes=9))

        async with store.read() as tx:
            assert [memory.number for memory in await tx.memories.latest(SCOPE, limit=9)] == [1, 4, 2, 3]
            assert [memory.number for memory in await tx.memories.latest(SCOPE, limit=2)] == [1, 4]

    async def test_about_a_person_is_what_has_them_as_subject_or_author(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "one", subject=BO, author=ADA)
            await remember(tx.memories, "two", subject=ADA, author=BO)
            await remember(tx.memories, "three", subject=ADA, author=ADA)
            await remember(tx.memories, "four", subject=None, author=BO)

        async with store.read() as tx:
            assert [memory.text for memory in await tx.memories.about(SCOPE, "bo", limit=9)] == ["one", "two", "four"]
            assert [memory.text for memory in await tx.memories.about(SCOPE, "bo", after=1, limit=1)] == ["two"]

    async def test_nothing_is_found_across_scopes(self, store: Store) -> None:
        async with store.write() as tx:
            for scope in OTHER_SCOPES:
                memory = await remember(tx.memories, "Ada likes tea", scope=scope, subject=ADA)
                await tx.memories.write_journal([entry(memory, before="", after="Ada likes tea")])

        async with store.write() as tx:
            assert await tx.memories.get(SCOPE, 1) is None
            assert await tx.memories.page(SCOPE, limit=9) == []
            assert await tx.memories.latest(SCOPE, limit=9) == []
            assert await tx.memories.about(SCOPE, "ada", limit=9) == []
            assert await tx.memories.search(SCOPE, "tea", limit=9) == []
            assert await tx.memories.journal(SCOPE, limit=9) == []
            assert not await tx.memories.revise(SCOPE, 1, "coffee", START)
            assert not await tx.memories.remove(SCOPE, 1)

    async def test_a_copy_has_the_same_memories_under_new_ids_and_is_independent(self, store: Store) -> None:
        twin, elsewhere = a_scope(persona_id="twin"), a_scope(GROUP, persona_id="twin")
        async with store.write() as tx:
            known = [await remember(tx.memories, "Ada likes tea"), await remember(tx.memories, "Ada likes jazz", subject=ADA)]
            await remember(tx.memories, "The club meets on Monday", scope=a_scope(GROUP))
            await tx.memories.remove(SCOPE, 1)

            assert await tx.memories.copy_persona("iris", "twin") == 2
            assert await tx.memories.remove_persona("iris") == 2

        async with store.write() as tx:
            (copy,) = await tx.memories.page(twin, limit=9)
            assert (copy.number, copy.text, copy.subject, copy.created_at) == (2, "Ada likes jazz", ADA, known[1].created_at)
            assert copy.id not in {memory.id for memory in known}
            assert [memory.text for memory, _ in await tx.memories.search(elsewhere, "monday", limit=9)] == ["The club meets on Monday"]
            assert await tx.memories.reserve_number(twin) == 3

    async def test_a_persona_that_remembers_takes_no_copy(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "Ada likes tea")
            await remember(tx.memories, "Ada likes jazz", scope=a_scope(GROUP, persona_id="twin"))

            with pytest.raises(ValueError, match="twin"):
                await tx.memories.copy_persona("iris", "twin")

    async def test_removing_a_persona_takes_its_memories_and_journal_and_no_others(self, store: Store) -> None:
        rose = a_scope(persona_id="rose")
        async with store.write() as tx:
            for scope in (SCOPE, a_scope(GROUP), rose):
                memory = await remember(tx.memories, "Ada likes tea", scope=scope)
                await tx.memories.write_journal([entry(memory, before="", after="Ada likes tea")])

            assert await tx.memories.remove_persona("iris") == 2

        async with store.read() as tx:
            assert await tx.memories.count(SCOPE) == await tx.memories.count(a_scope(GROUP)) == 0
            assert await tx.memories.search(SCOPE, "tea", limit=9) == []
            assert await tx.memories.journal(SCOPE, limit=9) == []
            assert await tx.memories.count(rose) == len(await tx.memories.journal(rose, limit=9)) == 1

    async def test_the_journal_gives_the_last_entries_newest_first(self, store: Store) -> None:
        memory = Memory(UUID(int=1), SCOPE, 1, "tea", None, ADA, (), START, START)
        lines = [
            entry(memory, before="", after="tea"),
            entry(memory, before="tea", after="coffee"),
            entry(memory, before="coffee", after=""),
        ]

        async with store.write() as tx:
            await tx.memories.add(memory)
            await tx.memories.write_journal(lines[:2])
            await tx.memories.write_journal(lines[2:])

        async with store.read() as tx:
            assert await tx.memories.journal(SCOPE, limit=2) == [lines[2], lines[1]]

    async def test_a_number_is_given_to_one_memory_only(self, store: Store) -> None:
        async with store.write() as tx:
            kept = await remember(tx.memories, "Ada likes tea")

        with pytest.raises(StoreError):
            async with store.write() as tx:
                await tx.memories.add(Memory(uuid4(), SCOPE, 1, "Ada likes coffee", None, ADA, (), START, START))

        async with store.read() as tx:
            assert await tx.memories.page(SCOPE, limit=9) == [kept]
