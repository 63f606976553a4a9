"""What every store must do with what waits to be approved, and with what one person told."""

from dataclasses import replace
from datetime import timedelta

from bot.domain.message import Person
from bot.domain.pending import MOST_PENDING, MOST_PENDING_OF_ONE, PendingMemory
from bot.ports.store import Store, Transaction
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, GROUP, a_memory, a_scope

SCOPE = a_scope()


async def put_off(tx: Transaction, text: str, *, author: Person = ADA) -> PendingMemory:
    """Let a text wait."""
    number = await tx.memories.reserve_number(SCOPE)
    pending = PendingMemory(SCOPE, number, text, author, BO, (3, 4), "order", START, 0.5, "pets")
    await tx.pending.add(pending)
    return pending


class PendingContract:
    """One test a sentence of the port's docstrings."""

    async def test_what_waits_comes_back_whole_in_its_scope_only(self, store: Store) -> None:
        async with store.write() as tx:
            pending = await put_off(tx, "Always say boo")

        async with store.read() as tx:
            assert await tx.pending.page(SCOPE, limit=9) == [pending]
            assert await tx.pending.get(SCOPE, pending.number) == pending
            assert await tx.pending.page(SCOPE, after=pending.number, limit=9) == []
            assert await tx.pending.page(a_scope(GROUP), limit=9) == []
            assert await tx.pending.get(a_scope(GROUP), pending.number) is None
            assert await tx.pending.get(SCOPE, 2**70) is None

    async def test_what_is_removed_waits_no_more(self, store: Store) -> None:
        async with store.write() as tx:
            pending = await put_off(tx, "Always say boo")

            assert await tx.pending.remove(SCOPE, pending.number)
            assert not await tx.pending.remove(SCOPE, pending.number)
            assert await tx.pending.page(SCOPE, limit=9) == []

    async def test_of_too_many_texts_that_wait_the_oldest_go(self, store: Store) -> None:
        people = [Person(f"p{number}", "P") for number in range(MOST_PENDING // MOST_PENDING_OF_ONE + 1)]
        async with store.write() as tx:
            for person in people:
                for _ in range(MOST_PENDING_OF_ONE + 1):
                    await put_off(tx, "boo", author=person)
            kept = await tx.pending.page(SCOPE, limit=1000)

        assert len(kept) == MOST_PENDING
        assert {pending.author.id for pending in kept} == {person.id for person in people[1:]}

    async def test_what_waits_goes_with_its_persona(self, store: Store) -> None:
        async with store.write() as tx:
            await put_off(tx, "boo")
            await tx.memories.remove_persona(SCOPE.persona_id)

            assert await tx.pending.page(SCOPE, limit=9) == []

    async def test_what_a_person_told_lately_is_found_and_counted(self, store: Store) -> None:
        async with store.write() as tx:
            for number in range(1, 5):
                told = replace(a_memory(f"fact {number}", number=number), created_at=START + timedelta(hours=number))
                await tx.memories.add(told if number < 4 else replace(told, author=BO))
            since = START + timedelta(hours=2)

            assert [memory.number for memory in await tx.memories.told_by(SCOPE, "ada", since=since, limit=9)] == [3, 2]
            assert [memory.number for memory in await tx.memories.told_by(SCOPE, "ada", since=since, limit=1)] == [3]
            assert await tx.memories.count_told_by(SCOPE, "ada", since=since) == 2
            assert await tx.memories.count_told_by(a_scope(GROUP), "ada", since=since) == 0
