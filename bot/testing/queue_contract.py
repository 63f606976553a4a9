"""What every TurnQueue must do. Subclass it in a test module and give it a `queue` fixture."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.domain.chat import ConversationKey
from bot.errors import DeliveryDelayed
from bot.ports.queue import TakeTurns, TurnQueue
from bot.ports.store import Store

ONE = ConversationKey("console", "one", "one")
TWO = ConversationKey("console", "two", "two")


@asynccontextmanager
async def serving(queue: TurnQueue, take_turns: TakeTurns) -> AsyncIterator[None]:
    """Run the queue as long as the context is open."""
    task = asyncio.create_task(queue.run(take_turns))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


class QueueContract:
    """One test a sentence of the port's docstring. Give it a `store` fixture, too, for what is asked in transactions."""

    async def test_ring_leads_to_a_look(self, queue: TurnQueue) -> None:
        seen: list[ConversationKey] = []

        async def look(conversation: ConversationKey) -> None:
            seen.append(conversation)

        async with serving(queue, look):
            await queue.ring(ONE)
            await queue.idle()

        assert seen == [ONE]

    async def test_one_conversation_is_looked_at_by_one_at_a_time(self, queue: TurnQueue) -> None:
        running, most, looks = 0, 0, 0

        async def look(_conversation: ConversationKey) -> None:
            nonlocal running, most, looks
            running, looks = running + 1, looks + 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1

        async with serving(queue, look):
            for _ in range(20):
                await queue.ring(ONE)
                await asyncio.sleep(0)
            await queue.idle()

        assert most == 1
        assert looks >= 2

    async def test_ring_during_a_look_leads_to_one_more(self, queue: TurnQueue) -> None:
        looks = 0

        async def look(_conversation: ConversationKey) -> None:
            nonlocal looks
            looks += 1
            if looks == 1:
                await queue.ring(ONE)
                await queue.ring(ONE)

        async with serving(queue, look):
            await queue.ring(ONE)
            await queue.idle()

        assert looks == 2

    async def test_who_looks_hears_of_a_ring_meanwhile_and_of_no_other_conversation(self, queue: TurnQueue) -> None:
        looking, heard = asyncio.Event(), list[bool]()

        async def look(conversation: ConversationKey) -> None:
            if conversation == ONE and not heard:
                with queue.rings(ONE) as ring:
                    looking.set()
                    await asyncio.wait_for(ring.wait(), timeout=5)
                    heard.append(ring.is_set())

        async with serving(queue, look):
            await queue.ring(ONE)
            await looking.wait()
            await queue.ring(TWO)
            await asyncio.sleep(0)
            assert not heard
            await queue.ring(ONE)
            await queue.idle()

        assert heard == [True]

    async def test_conversations_run_in_parallel(self, queue: TurnQueue) -> None:
        together = asyncio.Barrier(2)

        async def look(_conversation: ConversationKey) -> None:
            await together.wait()

        async with serving(queue, look), asyncio.timeout(5):
            await queue.ring(ONE)
            await queue.ring(TWO)
            await queue.idle()

        assert not together.broken

    async def test_failed_look_is_repeated_and_stops_nobody(self, queue: TurnQueue) -> None:
        seen: list[ConversationKey] = []

        async def look(conversation: ConversationKey) -> None:
            seen.append(conversation)
            if conversation == ONE and seen.count(ONE) == 1:
                raise RuntimeError("a look that fails")

        async with serving(queue, look):
            await queue.ring(ONE)
            await queue.ring(TWO)
            await queue.idle()

        assert seen.count(ONE) == 2
        assert seen.count(TWO) == 1

    async def test_look_whose_answer_has_to_wait_is_repeated_when_its_time_has_come(self, queue: TurnQueue) -> None:
        seen: list[ConversationKey] = []

        async def look(conversation: ConversationKey) -> None:
            seen.append(conversation)
            if seen.count(ONE) == 1 and conversation == ONE:
                await queue.ring(ONE)
                raise DeliveryDelayed("not now", retry_after=0.05)

        async with serving(queue, look):
            await queue.ring(ONE)
            await queue.idle()

        assert 2 <= seen.count(ONE) <= 3

    async def test_what_is_asked_in_a_transaction_is_looked_at_after_its_commit(self, queue: TurnQueue, store: Store) -> None:
        seen: list[bool] = []

        async def look(_conversation: ConversationKey) -> None:
            async with store.read() as tx:
                seen.append("asked" in await tx.settings.all("console", "one"))

        async with serving(queue, look):
            async with store.write() as tx:
                await queue.ask(tx, ONE)
                await queue.ask(tx, ONE)
                await tx.settings.set("console", "one", "asked", "yes")
            await queue.idle()

        assert set(seen) == {True}

    async def test_nothing_comes_of_what_is_asked_in_a_transaction_that_fails(self, queue: TurnQueue, store: Store) -> None:
        seen: list[ConversationKey] = []

        async def look(conversation: ConversationKey) -> None:
            seen.append(conversation)

        async with serving(queue, look):
            with suppress(ValueError):
                async with store.write() as tx:
                    await queue.ask(tx, ONE)
                    raise ValueError("a transaction that fails")
            await queue.ring(TWO)
            await queue.idle()

        assert seen == [TWO]
