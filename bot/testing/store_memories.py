"""What every store's Memories must do; part of `bot.testing.store_contract`."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from bot.domain.chat import Audience, AudienceKind, MemoryScope
from bot.domain.job import JobRecord, JobState
from bot.domain.memory import Fold, HandleGroup, JournalEntry, Level, Memory
from bot.domain.message import Person
from bot.errors import StoreError
from bot.ports.memories import Memories
from bot.ports.store import Store
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


def entry(memory: Memory, *, before: Memory | None = None, after: Memory | None = None, run: str = "") -> JournalEntry:
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
        run=run,
    )


def faded_and_used(memory: Memory, **changes: Any) -> Memory:
    """Return the memory with other values in everything that time changes, and with further changes."""
    return replace(
        memory,
        updated_at=START + timedelta(days=1, microseconds=1),
        level=Level.ARCHIVE,
        importance=0.1 + 0.2,
        weighed_at=START + timedelta(days=2, microseconds=3),
        uses=3,
        used_at=START + timedelta(days=3),
        pinned=True,
        group="家族 & 'friends'",
        ended_at=None,
        **changes,
    )


async def remember(
    memories: Memories,
    text: str,
    *,
    scope: MemoryScope = SCOPE,
    subject: Person | None = None,
    author: Person = ADA,
    **traits: Any,
) -> Memory:
    """Store a memory under the scope's next number, made at the start; `traits` are any other fields."""
    number = await memories.reserve_number(scope)
    memory = replace(Memory(uuid4(), scope, number, text, subject, author, (1, 2), START, START), **traits)
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

    async def test_several_are_added_at_once_each_found_by_its_own_words(self, store: Store) -> None:
        texts = [(scope, f"Ada likes tea number {number}") for scope in (SCOPE, *OTHER_SCOPES) for number in (1, 2, 3)]
        async with store.write() as tx:
            await tx.memories.add(*(Memory(uuid4(), scope, int(text[-1]), text, ADA, ADA, (), START, START) for scope, text in texts))
            await tx.memories.add()

        async with store.write() as tx:
            for scope, text in texts:
                assert [memory.text for memory, _ in await tx.memories.search(scope, text[-1], limit=9)] == [text]
            assert [await tx.memories.reserve_number(scope) for scope in (SCOPE, *OTHER_SCOPES)] == [4] * 5

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
            assert await tx.memories.several(SCOPE, [number]) == []
            await tx.memories.move(SCOPE, [number], Level.ARCHIVE)
            assert await tx.memories.journal(SCOPE, number=number, limit=9) == []
            assert not await tx.memories.put(replace(kept, number=number))
            assert not await tx.memories.remove(SCOPE, number)
            assert await tx.memories.page(SCOPE, limit=9) == [kept]

    async def test_put_stores_whatever_has_changed_and_changes_no_other(self, store: Store) -> None:
        async with store.write() as tx:
            before = await remember(tx.memories, "Ada likes tea", subject=ADA)
            other = await remember(tx.memories, "Bo likes tea", subject=BO)
            after = faded_and_used(before, text="Bo likes coffee", subject=None, author=BO, source_message_ids=(7,))

            assert await tx.memories.put(after)

        async with store.read() as tx:
            assert await tx.memories.page(SCOPE, limit=9) == [after, other]

    async def test_a_state_that_is_put_back_equals_the_first(self, store: Store) -> None:
        async with store.write() as tx:
            before = await remember(tx.memories, "Ada likes tea", subject=ADA)
            await tx.memories.put(faded_and_used(before, text="Ada likes coffee", subject=None))

            await tx.memories.put(before)

        async with store.read() as tx:
            assert await tx.memories.get(SCOPE, 1) == before
            assert [memory for memory, _ in await tx.memories.search(SCOPE, "tea", limit=9)] == [before]

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
            known = [await remember(tx.memories, f"fact {number}") for number in range(5)]

        async with store.read() as tx:
            assert await tx.memories.page(SCOPE, limit=2) == known[:2]
            assert await tx.memories.page(SCOPE, after=2, limit=9) == known[2:]
            assert await tx.memories.page(SCOPE, after=5, limit=9) == []

    async def test_several_are_those_that_are_there_in_number_order(self, store: Store) -> None:
        async with store.write() as tx:
            known = [await remember(tx.memories, f"fact {number}") for number in range(4)]
            await tx.memories.remove(SCOPE, 2)

        async with store.read() as tx:
            assert await tx.memories.several(SCOPE, [4, 2, 1, 99, 4]) == [known[0], known[3]]
            assert await tx.memories.several(SCOPE, []) == []

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
            others = [await remember(tx.memories, "Ada likes tea", scope=scope, subject=ADA) for scope in OTHER_SCOPES]
            await tx.memories.write_journal([entry(memory, after=memory) for memory in others])
            for scope in OTHER_SCOPES:
                await tx.memories.set_fold(scope, Fold((1,)))

        async with store.write() as tx:
            assert await tx.memories.get(SCOPE, 1) is None
            assert await tx.memories.several(SCOPE, [1]) == []
            assert await tx.memories.by_handle(SCOPE, others[0].handle) is None
            assert await tx.memories.same_text(SCOPE, "Ada likes tea") is None
            assert await tx.memories.fold(SCOPE) is None
            assert await tx.memories.page(SCOPE, limit=9) == []
            assert await tx.memories.at_level(SCOPE, Level.WORKING, fading=0.0, limit=9) == []
            assert await tx.memories.about(SCOPE, "ada", limit=9) == []
            assert await tx.memories.search(SCOPE, "tea", limit=9) == []
            assert await tx.memories.journal(SCOPE, limit=9) == []
            assert await tx.memories.journal(SCOPE, number=1, limit=9) == []
            assert not await tx.memories.put(replace(others[0], scope=SCOPE))
            assert not await tx.memories.remove(SCOPE, 1)

    async def test_a_copy_has_the_same_memories_under_new_ids_and_is_independent(self, store: Store) -> None:
        twin, elsewhere = a_scope(persona_id="twin"), a_scope(GROUP, persona_id="twin")
        async with store.write() as tx:
            await remember(tx.memories, "Ada likes tea")
            known = faded_and_used(await remember(tx.memories, "Ada likes jazz", subject=ADA))
            await tx.memories.put(known)
            await remember(tx.memories, "The club meets on Monday", scope=a_scope(GROUP))
            await tx.memories.remove(SCOPE, 1)

            assert await tx.memories.copy_persona("iris", "twin") == 2
            assert await tx.memories.remove_persona("iris") == 2

        async with store.write() as tx:
            (copy,) = await tx.memories.page(twin, limit=9)
            assert copy == replace(known, id=copy.id, scope=twin)
            assert copy.id != known.id
            assert [memory.text for memory, _ in await tx.memories.search(elsewhere, "monday", limit=9)] == ["The club meets on Monday"]
            assert await tx.memories.reserve_number(twin) == 3

    async def test_a_copy_gets_a_block_of_its_own(self, store: Store) -> None:
        twin = a_scope(persona_id="twin")
        async with store.write() as tx:
            await remember(tx.memories, "Ada likes tea")
            await tx.memories.set_fold(SCOPE, Fold((1,)))
            await tx.memories.set_fold(twin, Fold(()))

            await tx.memories.copy_persona("iris", "twin")

            assert await tx.memories.fold(twin) is None
            assert await tx.memories.fold(SCOPE) == Fold((1,))

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
                await tx.memories.write_journal([entry(memory, after=memory, run="dream")])
                await tx.memories.set_fold(scope, Fold((1,)))

            assert await tx.memories.remove_persona("iris") == 2

        async with store.read() as tx:
            assert await tx.memories.count(SCOPE) == await tx.memories.count(a_scope(GROUP)) == 0
            assert await tx.memories.search(SCOPE, "tea", limit=9) == []
            assert await tx.memories.journal(SCOPE, limit=9) == []
            assert await tx.memories.fold(SCOPE) is None
            assert await tx.memories.scopes(persona_id="iris", limit=9) == []
            assert await tx.memories.count(rose) == len(await tx.memories.journal(rose, limit=9)) == 1
            assert [line.scope for line in await tx.memories.journal_of_run(rose, "dream")] == [rose]
            assert await tx.memories.fold(rose) == Fold((1,))

    async def test_removing_a_persona_takes_what_jobs_noted_about_its_scopes(self, store: Store) -> None:
        rose = a_scope(persona_id="rose")
        ours, theirs = (JobRecord(str(scope), "dream", str(scope), JobState.DONE, START, 1.0, diary="I dreamt.") for scope in (SCOPE, rose))
        async with store.write() as tx:
            await remember(tx.memories, "Ada likes tea")
            await tx.nights.finish(ours)
            await tx.nights.finish(theirs)

            await tx.memories.remove_persona("iris")

            assert await tx.nights.history(limit=9) == [theirs]

    async def test_a_fold_comes_back_as_it_was_kept_until_it_is_dropped(self, store: Store) -> None:
        groups = (HandleGroup("", 40, ("0a1b2c3d",)), HandleGroup("家族 & friends", 2, ()))
        fold = Fold(working=(1, 2**40), left_out=(3,), handles=(9, 4), groups=groups)
        async with store.write() as tx:
            await remember(tx.memories, "Ada likes tea")
            assert await tx.memories.fold(SCOPE) is None
            await tx.memories.set_fold(SCOPE, Fold((1,)))
            await tx.memories.set_fold(SCOPE, fold)

        async with store.write() as tx:
            assert await tx.memories.fold(SCOPE) == fold
            await tx.memories.set_fold(SCOPE, None)
            assert await tx.memories.fold(SCOPE) is None

    async def test_a_fold_may_be_kept_before_there_are_memories(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.memories.set_fold(SCOPE, None)
            await tx.memories.set_fold(SCOPE, Fold(()))

        async with store.write() as tx:
            assert await tx.memories.fold(SCOPE) == Fold(())
            assert await tx.memories.reserve_number(SCOPE) == 1

    async def test_scopes_with_memories_come_in_the_order_of_their_audiences(self, store: Store) -> None:
        audiences = [Audience(kind, audience_id) for kind in AudienceKind for audience_id in ("x:B", "x:a", "x:é", "x:/", "y:猫")]
        async with store.write() as tx:
            for audience in audiences:
                await remember(tx.memories, "tea", scope=MemoryScope("iris", audience))
            await remember(tx.memories, "tea", scope=a_scope(persona_id="rose"))
            await tx.memories.reserve_number(a_scope(GROUP))

        async with store.read() as tx:
            first = await tx.memories.scopes(persona_id="iris", limit=4)
            rest = await tx.memories.scopes(persona_id="iris", after=str(first[-1].audience), limit=99)
        assert [scope.audience for scope in [*first, *rest]] == sorted(audiences, key=str)
        assert {scope.persona_id for scope in [*first, *rest]} == {"iris"}
        assert len(first) == 4

    async def test_a_number_is_given_to_one_memory_only(self, store: Store) -> None:
        async with store.write() as tx:
            kept = await remember(tx.memories, "Ada likes tea")

        with pytest.raises(StoreError):
            async with store.write() as tx:
                await tx.memories.add(Memory(uuid4(), SCOPE, 1, "Ada likes coffee", None, ADA, (), START, START))

        async with store.read() as tx:
            assert await tx.memories.page(SCOPE, limit=9) == [kept]
