"""What every store's Pasts and Leases must do; part of `bot.testing.store_contract`."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.domain.chat import ConversationKey
from bot.domain.past import Chunk, ChunkState, PastState, PastTally, RollingSummary, StructuredMemory
from bot.ports.store import Store, Transaction
from bot.testing.clock import START
from bot.testing.factories import DIRECT, GROUP

TEN_MINUTES = timedelta(minutes=10)


def a_chunk(first_row: int, *, last_row: int | None = None, generation: int = 0, conversation: ConversationKey = DIRECT) -> Chunk:
    """Return a chunk of ten messages, unless it is told where it ends."""
    ended = first_row + 9 if last_row is None else last_row
    return Chunk(0, conversation, generation, first_row, ended, ended - first_row + 1, START, START + timedelta(minutes=ended))


def a_summary(through_row: int, *, generation: int = 0, conversation: ConversationKey = DIRECT) -> RollingSummary:
    """Return a rolling summary that takes in all up to a message."""
    return RollingSummary(conversation, generation, f"All up to {through_row}.", through_row, START)


def a_structured_memory(title: str, *, generation: int = 0, conversation: ConversationKey = DIRECT) -> StructuredMemory:
    """Return a structured memory."""
    return StructuredMemory(0, conversation, generation, title, "Ada 「猫」", ("Ada", "Möchi"), ("a cat",), 3, 7, START)


async def planned(tx: Transaction, *first_rows: int, state: ChunkState = ChunkState.DONE, generation: int = 0) -> list[Chunk]:
    """Plan chunks of ten messages, and bring them to a state."""
    chunks = await tx.pasts.plan(DIRECT, [a_chunk(row, generation=generation) for row in first_rows])
    settled = [replace(chunk, state=state, summary=f"About {chunk.first_row}.") for chunk in chunks]
    for chunk in settled:
        assert await tx.pasts.put(chunk)
    return settled


class PastStateContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_conversation_that_was_not_seen_has_the_empty_state(self, store: Store) -> None:
        async with store.read() as tx:
            assert await tx.pasts.state(DIRECT) == PastState()

    async def test_what_is_given_is_noted_and_the_rest_stays(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.pasts.note(DIRECT, checked_row=2**40, history_floor=3)
            await tx.pasts.note(DIRECT, indexed_row=5, summary_failures=1)
            await tx.pasts.note(DIRECT, related_row=6, history_floor=0)
            await tx.pasts.note(DIRECT)

        async with store.read() as tx:
            state = await tx.pasts.state(DIRECT)
            assert state == PastState(checked_row=2**40, indexed_row=5, related_row=6, summary_failures=1)
            assert await tx.pasts.state(GROUP) == PastState()

    async def test_what_there_is_of_a_generation_is_counted_in_one_look(self, store: Store) -> None:
        async with store.write() as tx:
            assert await tx.pasts.tally(DIRECT, 0, tries=3) == PastTally()
            first, second, third, fourth, fifth = await planned(tx, 1, 11, 21, 31, 41, state=ChunkState.PLANNED)
            for chunk, failures, is_read in ((first, 0, True), (second, 3, False), (third, 2, False), (fourth, 0, True)):
                await tx.pasts.put(replace(chunk, state=ChunkState.DONE, read_failures=failures, is_read=is_read))
            await tx.pasts.add_summary(a_summary(first.last_row))
            (memory,) = await tx.pasts.add_structured([a_structured_memory("one")])
            counted = await tx.pasts.tally(DIRECT, 0, tries=3)
            (one,) = await tx.pasts.plan(DIRECT, [replace(a_chunk(21, last_row=fourth.last_row), state=ChunkState.DONE, depth=1)])
            for chunk in (third, fourth):
                await tx.pasts.put(replace(chunk, state=ChunkState.DONE, condensed_into=one.id))

        async with store.read() as tx:
            assert counted == PastTally(1, 4, 1, 3, last_row=fifth.last_row, last_structured=memory.id)
            assert await tx.pasts.tally(DIRECT, 0, tries=3) == replace(counted, done=3, unread=0, unsummarised=2, has_torn=True)
            assert await tx.pasts.tally(DIRECT, 1, tries=3) == await tx.pasts.tally(GROUP, 0, tries=3) == PastTally()

    async def test_a_generation_is_built_beside_the_one_that_is_shown(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.pasts.note(DIRECT, checked_row=9)
            building = await tx.pasts.begin_building(DIRECT, chunk_tokens=500)

        async with store.read() as tx:
            state = await tx.pasts.state(DIRECT)
        assert state == PastState(generation=0, building=building, building_chunk_tokens=500, checked_row=9)
        assert building > 0

    async def test_a_building_of_the_same_size_goes_on(self, store: Store) -> None:
        async with store.write() as tx:
            building = await tx.pasts.begin_building(DIRECT, chunk_tokens=500)
            await planned(tx, 1, generation=building)
        async with store.write() as tx:
            assert await tx.pasts.begin_building(DIRECT, chunk_tokens=500) == building
            assert await tx.pasts.count(DIRECT, building) == 1

    async def test_a_building_of_another_size_begins_anew_and_empty(self, store: Store) -> None:
        async with store.write() as tx:
            before = await tx.pasts.begin_building(DIRECT, chunk_tokens=500)
            await planned(tx, 1, generation=before)
            building = await tx.pasts.begin_building(DIRECT, chunk_tokens=900)

        async with store.read() as tx:
            assert building > before
            assert await tx.pasts.count(DIRECT, before) == await tx.pasts.count(DIRECT, building) == 0
            assert (await tx.pasts.state(DIRECT)).building_chunk_tokens == 900

    async def test_a_finished_generation_is_shown_and_older_ones_are_dropped(self, store: Store) -> None:
        async with store.write() as tx:
            await planned(tx, 1, 11)
            await tx.pasts.add_summary(a_summary(9))
            await tx.pasts.add_structured([a_structured_memory("old")])
            await tx.pasts.plan(GROUP, [a_chunk(1, conversation=GROUP)])
            building = await tx.pasts.begin_building(DIRECT, chunk_tokens=0)
            await planned(tx, 1, generation=building)
        async with store.write() as tx:
            assert await tx.pasts.finish_building(DIRECT) == 4

        async with store.read() as tx:
            assert await tx.pasts.state(DIRECT) == PastState(generation=building)
            assert await tx.pasts.count(DIRECT, 0) == 0
            assert await tx.pasts.summary(DIRECT, 0) is None
            assert await tx.pasts.structured_page(DIRECT, 0, limit=9) == []
            assert await tx.pasts.count(DIRECT, building) == await tx.pasts.count(GROUP, 0) == 1

    async def test_finishing_what_was_not_begun_drops_nothing(self, store: Store) -> None:
        async with store.write() as tx:
            await planned(tx, 1)
            assert await tx.pasts.finish_building(DIRECT) == 0
            assert await tx.pasts.count(DIRECT, 0) == 1

    async def test_no_generation_comes_twice(self, store: Store) -> None:
        async with store.write() as tx:
            first = await tx.pasts.begin_building(DIRECT, chunk_tokens=0)
            await tx.pasts.finish_building(DIRECT)
            assert await tx.pasts.begin_building(DIRECT, chunk_tokens=0) > first

    async def test_a_dropped_generation_is_gone_and_its_rows_are_counted(self, store: Store) -> None:
        async with store.write() as tx:
            await planned(tx, 1, 11)
            await planned(tx, 1, generation=1)
            await tx.pasts.add_summary(a_summary(9))
            await tx.pasts.add_structured([a_structured_memory("old")])

            assert await tx.pasts.drop_generation(DIRECT, 0) == 4
            assert await tx.pasts.drop_generation(GROUP, 1) == 0
            assert await tx.pasts.count(DIRECT, 0) == 0
            assert await tx.pasts.count(DIRECT, 1) == 1


class ChunksContract:
    """One test a sentence of the port's docstrings."""

    async def test_planned_chunks_come_back_with_their_ids_as_they_were_planned(self, store: Store) -> None:
        async with store.write() as tx:
            chunks = await tx.pasts.plan(DIRECT, [a_chunk(1), a_chunk(11)])

        assert [replace(chunk, id=0) for chunk in chunks] == [a_chunk(1), a_chunk(11)]
        assert len({chunk.id for chunk in chunks}) == 2
        async with store.read() as tx:
            assert await tx.pasts.chunks(DIRECT, 0, limit=9) == chunks

    async def test_a_chunk_of_a_known_place_is_left_out(self, store: Store) -> None:
        async with store.write() as tx:
            await planned(tx, 1)
            deeper = replace(a_chunk(1), depth=1)
            fresh = await tx.pasts.plan(DIRECT, [a_chunk(1, last_row=5), deeper, a_chunk(1, generation=1)])

            assert [(chunk.depth, chunk.generation) for chunk in fresh] == [(1, 0), (0, 1)]
            assert (await tx.pasts.chunks(DIRECT, 0, limit=9))[0].last_row == 10

    async def test_a_chunk_is_stored_anew_whatever_has_changed(self, store: Store) -> None:
        async with store.write() as tx:
            (chunk,) = await tx.pasts.plan(DIRECT, [a_chunk(1)])
            told = replace(chunk, summary="「猫」\n<b>", state=ChunkState.PARKED, failures=3, is_read=True, read_failures=2, last_row=2**40)
            assert await tx.pasts.put(told)

        async with store.read() as tx:
            assert await tx.pasts.chunks(DIRECT, 0, limit=9) == [told]

    async def test_a_chunk_that_is_gone_is_not_stored(self, store: Store) -> None:
        async with store.write() as tx:
            (chunk,) = await tx.pasts.plan(DIRECT, [a_chunk(1)])
            await tx.pasts.drop_generation(DIRECT, 0)
            await tx.pasts.plan(GROUP, [a_chunk(1, conversation=GROUP)])

            assert not await tx.pasts.put(chunk)
            assert await tx.pasts.count(GROUP, 0) == 1

    async def test_chunks_after_a_row_come_oldest_first(self, store: Store) -> None:
        async with store.write() as tx:
            late, early = await planned(tx, 21, 1)
            (waiting,) = await planned(tx, 11, state=ChunkState.PLANNED)

            assert await tx.pasts.chunks(DIRECT, 0, limit=9) == [early, waiting, late]
            assert await tx.pasts.chunks(DIRECT, 0, limit=2) == [early, waiting]
            assert await tx.pasts.chunks(DIRECT, 0, after_row=1, limit=1) == [waiting]
            assert await tx.pasts.chunks(DIRECT, 0, states=[ChunkState.DONE], limit=9) == [early, late]
            assert await tx.pasts.chunks(DIRECT, 0, states=[], limit=9) == []
            assert await tx.pasts.chunks(DIRECT, 1, limit=9) == await tx.pasts.chunks(GROUP, 0, limit=9) == []

    async def test_the_last_chunks_are_those_that_are_done(self, store: Store) -> None:
        async with store.write() as tx:
            chunks = await planned(tx, 1, 11, 21)
            await planned(tx, 31, state=ChunkState.PARKED)
            await planned(tx, 41, state=ChunkState.PLANNED)

            assert await tx.pasts.last_chunks(DIRECT, 0, limit=2) == chunks[1:]
            assert await tx.pasts.last_chunks(DIRECT, 0, before_row=21, limit=9) == chunks[:2]
            assert await tx.pasts.last_chunks(DIRECT, 0, before_row=20, limit=9) == chunks[:1]
            assert await tx.pasts.last_chunks(GROUP, 0, limit=9) == []

    async def test_what_was_condensed_is_kept_and_no_longer_listed(self, store: Store) -> None:
        async with store.write() as tx:
            chunks = await planned(tx, 1, 11, 21)
            (whole,) = await tx.pasts.plan(DIRECT, [replace(a_chunk(1, last_row=20), depth=1, state=ChunkState.DONE)])
            parts = [replace(chunk, condensed_into=whole.id) for chunk in chunks[:2]]
            for part in reversed(parts):
                await tx.pasts.put(part)

        async with store.read() as tx:
            assert await tx.pasts.chunks(DIRECT, 0, limit=9) == [whole, chunks[2]]
            assert await tx.pasts.last_chunks(DIRECT, 0, limit=9) == [whole, chunks[2]]
            assert await tx.pasts.condensed(DIRECT, whole.id) == parts
            assert await tx.pasts.condensed(DIRECT, chunks[2].id) == await tx.pasts.condensed(GROUP, whole.id) == []
            assert await tx.pasts.count(DIRECT, 0) == 2

    async def test_the_last_row_counts_chunks_of_every_state(self, store: Store) -> None:
        async with store.write() as tx:
            await planned(tx, 1)
            await planned(tx, 11, state=ChunkState.PLANNED)

            assert await tx.pasts.last_row(DIRECT, 0) == 20
            assert await tx.pasts.last_row(DIRECT, 1) == await tx.pasts.last_row(GROUP, 0) == 0

    async def test_chunks_are_counted_by_their_states(self, store: Store) -> None:
        async with store.write() as tx:
            await planned(tx, 1, 11)
            await planned(tx, 21, state=ChunkState.PARKED)

            assert await tx.pasts.count(DIRECT, 0) == 3
            assert await tx.pasts.count(DIRECT, 0, states=[ChunkState.PARKED, ChunkState.PLANNED]) == 1


class SummariesContract:
    """One test a sentence of the port's docstrings."""

    async def test_the_newest_version_of_the_summary_is_found(self, store: Store) -> None:
        async with store.write() as tx:
            for row in (9, 19, 29):
                await tx.pasts.add_summary(a_summary(row))
            await tx.pasts.add_summary(a_summary(2**40, conversation=GROUP))

        async with store.read() as tx:
            assert await tx.pasts.summary(DIRECT, 0) == a_summary(29)
            assert await tx.pasts.summary(DIRECT, 0, before_row=29) == a_summary(19)
            assert await tx.pasts.summary(DIRECT, 0, before_row=9) is None
            assert await tx.pasts.summary(DIRECT, 1) is None
            assert await tx.pasts.summary(GROUP, 0) == a_summary(2**40, conversation=GROUP)

    async def test_a_version_of_the_same_messages_replaces_the_one_before(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.pasts.add_summary(a_summary(9))
            again = replace(a_summary(9), text="Anew.", at=START + timedelta(days=1))
            await tx.pasts.add_summary(again)

            assert await tx.pasts.summary(DIRECT, 0) == again

    async def test_only_the_newest_dozen_versions_stay(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.pasts.add_summary(a_summary(1, generation=1))
            for row in range(1, 15):
                await tx.pasts.add_summary(a_summary(row))

            assert await tx.pasts.summary(DIRECT, 0, before_row=4) == a_summary(3)
            assert await tx.pasts.summary(DIRECT, 0, before_row=3) is None
            assert await tx.pasts.summary(DIRECT, 1) == a_summary(1, generation=1)

    async def test_structured_memories_come_back_as_they_were_made(self, store: Store) -> None:
        made = [a_structured_memory("one"), a_structured_memory("two")]
        async with store.write() as tx:
            stored = await tx.pasts.add_structured(made)
            other = await tx.pasts.add_structured([a_structured_memory("else", conversation=GROUP)])

        ids = [memory.id for memory in stored]
        assert [replace(memory, id=0) for memory in stored] == made
        async with store.read() as tx:
            assert await tx.pasts.structured(DIRECT, [*reversed(ids), ids[0], other[0].id, 2**40]) == stored
            assert await tx.pasts.structured(DIRECT, []) == []

    async def test_structured_memories_are_paged_in_the_order_of_their_ids(self, store: Store) -> None:
        async with store.write() as tx:
            stored = await tx.pasts.add_structured([a_structured_memory(title) for title in "abc"])
            await tx.pasts.add_structured([a_structured_memory("new", generation=1)])

        async with store.read() as tx:
            assert await tx.pasts.structured_page(DIRECT, 0, limit=2) == stored[:2]
            assert await tx.pasts.structured_page(DIRECT, 0, after=stored[1].id, limit=9) == stored[2:]
            assert await tx.pasts.structured_page(GROUP, 0, limit=9) == []

    async def test_the_id_of_a_dropped_structured_memory_is_not_used_again(self, store: Store) -> None:
        async with store.write() as tx:
            (old,) = await tx.pasts.add_structured([a_structured_memory("old")])
            await tx.pasts.drop_generation(DIRECT, 0)
            (new,) = await tx.pasts.add_structured([a_structured_memory("new")])

        assert new.id > old.id


class LeasesContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_lease_is_held_by_one_until_its_time_is_over(self, store: Store) -> None:
        async with store.write() as tx:
            assert await tx.leases.take("past", "a", lasts=TEN_MINUTES)
            assert await tx.leases.take("brief", "a", lasts=timedelta(0))
        async with store.write() as tx:
            assert not await tx.leases.take("past", "b", lasts=TEN_MINUTES)
            assert await tx.leases.take("other", "b", lasts=TEN_MINUTES)
            assert await tx.leases.take("brief", "b", lasts=TEN_MINUTES)

        async with store.read() as tx:
            leases = await tx.leases.all()
        assert [(lease.name, lease.owner) for lease in leases] == [("brief", "b"), ("other", "b"), ("past", "a")]
        ends_in = [lease.until - datetime.now(UTC) for lease in leases]
        assert all(TEN_MINUTES - timedelta(minutes=1) < left <= TEN_MINUTES for left in ends_in)

    async def test_a_lease_of_ones_own_is_renewed(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.leases.take("past", "a", lasts=timedelta(0))
            assert await tx.leases.take("past", "a", lasts=TEN_MINUTES)
            assert not await tx.leases.take("past", "b", lasts=TEN_MINUTES)

    async def test_a_lease_that_was_given_back_is_free(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.leases.take("past", "a", lasts=TEN_MINUTES)
            await tx.leases.release("past", "b")
            assert not await tx.leases.take("past", "b", lasts=TEN_MINUTES)
            await tx.leases.release("past", "a")
            assert await tx.leases.all() == []
            assert await tx.leases.take("past", "b", lasts=TEN_MINUTES)

    async def test_of_many_who_try_at_once_one_gets_it(self, store: Store) -> None:
        async def take(owner: str) -> bool:
            async with store.write() as tx:
                return await tx.leases.take("past", owner, lasts=TEN_MINUTES)

        taken = await asyncio.gather(*(take(f"worker {number}") for number in range(12)))

        assert taken.count(True) == 1


class PastContract(PastStateContract, ChunksContract, SummariesContract, LeasesContract):
    """All of what the background writes."""
