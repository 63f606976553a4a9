"""What every Store must do. Subclass StoreContract in a test module and give it a `store` fixture: an open, empty store."""

import asyncio
from dataclasses import replace

import pytest

from bot.domain.chat import BindingTarget, binding_targets
from bot.domain.memory import Level
from bot.domain.model import Usage
from bot.errors import StoreError
from bot.ports.store import Store
from bot.testing.clock import START
from bot.testing.factories import DIRECT, GROUP, a_scope
from bot.testing.store_corpora import CorporaContract
from bot.testing.store_erasing import ErasuresContract
from bot.testing.store_graph import EntitiesContract, MembersContract, RelationsContract
from bot.testing.store_home import DraftsContract, PlacesContract, SpacePersonasContract
from bot.testing.store_journal import JournalContract
from bot.testing.store_levels import LevelsContract, LikenessContract
from bot.testing.store_likenesses import LikenessesContract
from bot.testing.store_line import LineContract
from bot.testing.store_memories import MemoriesContract, remember
from bot.testing.store_messages import TOPIC, MessagesContract, OutboxContract, heard
from bot.testing.store_nights import NightsContract, SettingsContract
from bot.testing.store_past import PastContract
from bot.testing.store_people import ExpiryContract, OptOutContract, PassingContract
from bot.testing.store_search import SearchContract
from bot.testing.store_spending import SpendingContract


class BindingsContract:
    """One test a sentence of the port's docstrings."""

    async def test_the_first_place_with_a_persona_decides(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.bindings.bind(BindingTarget("telegram", "-100"), "wide")
            await tx.bindings.bind(BindingTarget("telegram", "-100", "-100", "7"), "narrow")

        async with store.read() as tx:
            assert await tx.bindings.find(binding_targets(TOPIC)) == "narrow"
            assert await tx.bindings.find(binding_targets(TOPIC)[1:]) == "wide"
            assert await tx.bindings.find([BindingTarget("telegram", "-100", "-100", "8")]) is None
            assert await tx.bindings.find([]) is None

    async def test_a_new_binding_replaces_the_one_before(self, store: Store) -> None:
        target = BindingTarget("discord", "club", "lounge")
        async with store.write() as tx:
            await tx.bindings.bind(target, "iris")
        async with store.write() as tx:
            await tx.bindings.bind(target, "rose")

        async with store.read() as tx:
            assert await tx.bindings.find([target]) == "rose"


class UsageContract:
    """One test a sentence of the port's docstrings."""

    async def test_totals_are_the_sums_of_the_conversation(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.usage.add(DIRECT, "iris", Usage("a", 10, 2, 1), START)
            await tx.usage.add(DIRECT, "rose", Usage("b", 2**40, 3), START)
            await tx.usage.add(GROUP, "iris", Usage("a", 100, 100), START)

        async with store.read() as tx:
            assert await tx.usage.totals(DIRECT) == Usage("", 2**40 + 10, 5, 1)
            assert await tx.usage.totals(TOPIC) == Usage("", 0, 0, 0)


class StoreContract(
    MessagesContract,
    OutboxContract,
    MemoriesContract,
    LevelsContract,
    LikenessContract,
    SearchContract,
    JournalContract,
    NightsContract,
    SettingsContract,
    PastContract,
    CorporaContract,
    LikenessesContract,
    BindingsContract,
    SpacePersonasContract,
    PlacesContract,
    DraftsContract,
    EntitiesContract,
    MembersContract,
    RelationsContract,
    UsageContract,
    OptOutContract,
    PassingContract,
    ExpiryContract,
    ErasuresContract,
    SpendingContract,
    LineContract,
):
    """All of it: the repositories, and the transactions over them."""

    async def test_a_write_that_raises_leaves_nothing(self, store: Store) -> None:
        async def fail() -> None:
            async with store.write() as tx:
                await remember(tx.memories, "Ada likes tea")
                await heard(tx, "1")
                raise RuntimeError("on purpose")

        with pytest.raises(RuntimeError, match="on purpose"):
            await fail()

        async with store.write() as tx:
            assert await tx.memories.count(a_scope()) == 0
            assert await tx.messages.waiting(DIRECT) == []
            assert await tx.memories.reserve_number(a_scope()) == 1

    async def test_a_write_that_is_cancelled_leaves_nothing_and_blocks_nobody(self, store: Store) -> None:
        begun = asyncio.Event()

        async def hang() -> None:
            async with store.write() as tx:
                await heard(tx, "1")
                begun.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(hang())
        await begun.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

        async with asyncio.timeout(5), store.write() as tx:
            assert [message.message_id for message in await heard(tx, "1")] == ["1"]

    async def test_writing_in_a_read_raises(self, store: Store) -> None:
        with pytest.raises(StoreError):
            async with store.read() as tx:
                await heard(tx, "1")

        async with store.write() as tx:
            assert len(await heard(tx, "1")) == 1

    async def test_a_read_sees_one_state_while_others_write(self, store: Store) -> None:
        async with store.read() as before:
            assert await before.messages.waiting(DIRECT) == []
            async with store.write() as tx:
                await heard(tx, "1")

            assert await before.messages.waiting(DIRECT) == []
        async with store.read() as after:
            assert len(await after.messages.waiting(DIRECT)) == 1

    async def test_of_two_that_change_one_memory_neither_undoes_what_the_other_did(self, store: Store) -> None:
        async def use() -> None:
            async with store.write() as tx:
                known = await tx.memories.get(a_scope(), 1)
                assert known is not None
                await tx.memories.put(replace(known, uses=known.uses + 1))

        async with store.write() as tx:
            await remember(tx.memories, "Ada likes tea")
        await asyncio.gather(*(use() for _ in range(12)))

        async with store.read() as tx:
            assert [memory.uses for memory in await tx.memories.page(a_scope(), limit=9)] == [12]

    async def test_of_two_that_are_told_the_same_at_once_one_finds_what_the_other_stored(self, store: Store) -> None:
        async def hear() -> None:
            async with store.write() as tx:
                if await tx.memories.same_text(a_scope(), "Ada likes tea") is None:
                    await remember(tx.memories, "Ada likes tea")

        await asyncio.gather(*(hear() for _ in range(12)))

        async with store.read() as tx:
            assert await tx.memories.count(a_scope()) == 1

    async def test_many_tasks_write_and_read_at_once(self, store: Store) -> None:
        async def write(number: int) -> None:
            async with store.write() as tx:
                await remember(tx.memories, f"fact {number}")
            async with store.read() as tx:
                await tx.memories.at_level(a_scope(), Level.WORKING, fading=0.02, limit=50)

        async with asyncio.TaskGroup() as tasks:
            for number in range(40):
                tasks.create_task(write(number))

        async with store.read() as tx:
            known = await tx.memories.page(a_scope(), limit=99)
        assert [memory.number for memory in known] == list(range(1, 41))
