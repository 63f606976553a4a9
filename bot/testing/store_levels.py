"""What every store must know of levels, fading and likeness; part of `bot.testing.store_contract`."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from bot.domain.fading import faded_importance
from bot.domain.memory import HandleGroup, Level, Memory
from bot.domain.persona import MemoryPolicy
from bot.ports.store import Store, Transaction
from bot.testing.clock import START
from bot.testing.factories import ADA, GROUP, a_scope
from bot.testing.store_memories import SCOPE, remember

DAY = timedelta(days=1)


async def strongest(store: Store, level: Level, *, fading: float = 0.02, limit: int = 99) -> list[str]:
    """Return the texts of a level's memories, the strongest first."""
    async with store.read() as tx:
        return [memory.text for memory in await tx.memories.at_level(SCOPE, level, fading=fading, limit=limit)]


async def weak(store: Store, threshold: float, *, days: float, fading: float = 0.05, after: int = 0, limit: int = 99) -> list[str]:
    """Return the texts of the deep memories of which less than a threshold is left after some days."""
    now = START + days * DAY
    async with store.read() as tx:
        found = await tx.memories.faded_below(SCOPE, Level.DEEP, threshold, fading=fading, now=now, after=after, limit=limit)
    return [memory.text for memory in found]


class LevelsContract:
    """One test a sentence of the port's docstrings."""

    async def test_counting_by_level(self, store: Store) -> None:
        async with store.write() as tx:
            for level in (Level.WORKING, Level.DEEP, Level.DEEP, Level.ARCHIVE, Level.ARCHIVE, Level.ARCHIVE):
                await remember(tx.memories, "tea", level=level)

        async with store.read() as tx:
            counts = [await tx.memories.count(SCOPE, levels=[level]) for level in Level]
            assert counts == [1, 2, 3]
            assert await tx.memories.count(SCOPE, levels={Level.ARCHIVE, Level.WORKING}) == 4
            assert await tx.memories.count(SCOPE) == 6
            assert await tx.memories.count(SCOPE, levels=[]) == 0

    async def test_memories_that_are_moved_keep_all_but_their_level(self, store: Store) -> None:
        async with store.write() as tx:
            known = [await remember(tx.memories, "tea", uses=2, used_at=START, pinned=True) for _ in range(3)]
            elsewhere = await remember(tx.memories, "tea", scope=a_scope(GROUP))

            await tx.memories.move(SCOPE, [1, 3, 99], Level.DEEP)
            await tx.memories.move(SCOPE, [], Level.ARCHIVE)

            assert await tx.memories.page(SCOPE, limit=9) == [
                replace(known[0], level=Level.DEEP),
                known[1],
                replace(known[2], level=Level.DEEP),
            ]
            assert await tx.memories.get(elsewhere.scope, 1) == elsewhere

    async def test_a_move_may_note_the_use(self, store: Store) -> None:
        async with store.write() as tx:
            known = await remember(tx.memories, "tea", level=Level.DEEP)

            await tx.memories.move(SCOPE, [1], Level.WORKING, used_at=START + DAY)

            assert await tx.memories.get(SCOPE, 1) == replace(known, level=Level.WORKING, used_at=START + DAY)

    async def test_a_level_gives_pinned_memories_and_then_the_strongest(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "important", level=Level.DEEP, importance=0.9)
            await remember(tx.memories, "pinned", level=Level.DEEP, importance=0.1, pinned=True)
            await remember(tx.memories, "fresh", level=Level.DEEP, importance=0.5, weighed_at=START + 30 * DAY)
            await remember(tx.memories, "elsewhere", level=Level.WORKING, importance=1.0)

        assert await strongest(store, Level.DEEP, fading=0.01) == ["pinned", "important", "fresh"]
        assert await strongest(store, Level.DEEP, fading=0.02) == ["pinned", "fresh", "important"]
        assert await strongest(store, Level.DEEP, fading=0.0, limit=2) == ["pinned", "important"]
        assert await strongest(store, Level.ARCHIVE) == []

    async def test_equally_strong_memories_come_the_newer_number_first(self, store: Store) -> None:
        async with store.write() as tx:
            for text in ("one", "two", "three"):
                await remember(tx.memories, text)

        assert await strongest(store, Level.WORKING) == ["three", "two", "one"]

    async def test_what_has_ended_stands_at_no_level(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "is", level=Level.DEEP)
            await remember(tx.memories, "was", level=Level.DEEP, ended_at=START)

        assert await strongest(store, Level.DEEP) == ["is"]

    async def test_little_is_left_of_what_was_weighed_long_ago(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "old", level=Level.DEEP, importance=0.75)
            await remember(tx.memories, "weighed", level=Level.DEEP, importance=0.75, weighed_at=START + 5 * DAY)
            await remember(tx.memories, "pinned", level=Level.DEEP, importance=0.75, pinned=True)
            await remember(tx.memories, "working", importance=0.75)
            await remember(tx.memories, "weak", level=Level.DEEP, importance=0.2)

        assert await weak(store, 0.25, days=-99) == ["weak"]
        assert await weak(store, 0.25, days=10.5) == ["old", "weak"]
        assert await weak(store, 0.25, days=99) == ["old", "weighed", "weak"]
        assert await weak(store, 0.25, days=99, limit=2) == ["old", "weighed"]
        assert await weak(store, 0.25, days=99, after=1, limit=1) == ["weighed"]
        assert await weak(store, 0.25, days=99, fading=0.0) == ["weak"]

    async def test_what_no_longer_holds_fades_as_all_others(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "was", level=Level.DEEP, ended_at=START)

        assert await weak(store, 0.25, days=11) == ["was"]

    @pytest.mark.parametrize("threshold", [0.0, -1.0])
    async def test_no_less_than_nothing_is_ever_left(self, store: Store, threshold: float) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "gone", level=Level.DEEP, importance=0.0)

        assert await weak(store, threshold, days=99) == []

    async def test_fading_is_reckoned_to_the_last_bit_as_the_pure_rule_does(self, store: Store) -> None:
        fading, now = 0.05, START + 10 * DAY
        moments = [START + timedelta(microseconds=37 * number**3) for number in range(60)]
        async with store.write() as tx:
            for moment in moments:
                await remember(tx.memories, "tea", level=Level.DEEP, importance=0.7 + 0.1 / 3, weighed_at=moment)
            known = await tx.memories.page(SCOPE, limit=99)
            left = {memory.number: faded_importance(memory, MemoryPolicy(decay_per_day=fading), now) for memory in known}

            for threshold in left.values():
                found = await tx.memories.faded_below(SCOPE, Level.DEEP, threshold, fading=fading, now=now, limit=99)
                assert {memory.number for memory in found} == {number for number, rest in left.items() if rest < threshold}

    async def test_used_memories_come_in_number_order(self, store: Store) -> None:
        async with store.write() as tx:
            for uses in (1, 0, 7, 2):
                await remember(tx.memories, f"used {uses}", uses=uses)
            await remember(tx.memories, "elsewhere", uses=1, scope=a_scope(GROUP))

        async with store.read() as tx:
            assert [memory.uses for memory in await tx.memories.used(SCOPE, limit=9)] == [1, 7, 2]
            assert [memory.uses for memory in await tx.memories.used(SCOPE, after=1, limit=1)] == [7]

    async def test_deep_groups_are_the_largest_first_with_their_strongest_few(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "tea", level=Level.DEEP, group="food", importance=0.9)
            weak_one = await remember(tx.memories, "jazz", level=Level.DEEP, group="music", importance=0.1, pinned=True)
            strong_one = await remember(tx.memories, "rock", level=Level.DEEP, group="music", importance=0.9)
            await remember(tx.memories, "folk", level=Level.DEEP, group="music", importance=0.5)
            await remember(tx.memories, "funk", level=Level.DEEP, group="music", ended_at=START)
            await remember(tx.memories, "pop", level=Level.WORKING, group="music")
            (bare,) = [await remember(tx.memories, "rain", level=Level.DEEP)]
            groups = await tx.memories.deep_groups(SCOPE, fading=0.02, handles=2)

        assert groups[0] == HandleGroup("music", 3, (weak_one.handle, strong_one.handle))
        assert [(group.name, group.count) for group in groups[1:]] == [("", 1), ("food", 1)]
        assert groups[1].handles == (bare.handle,)

    async def test_no_more_groups_than_the_limit_come(self, store: Store) -> None:
        async with store.write() as tx:
            for group in ("food", "music", "music", "family", "music", "family"):
                await remember(tx.memories, "fact", level=Level.DEEP, group=group)

            groups = await tx.memories.deep_groups(SCOPE, fading=0.02, handles=1, limit=2)
            assert [(group.name, group.count) for group in groups] == [("music", 3), ("family", 2)]

    async def test_a_group_may_be_asked_for_without_handles(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "tea", level=Level.DEEP, group="food")

            assert await tx.memories.deep_groups(SCOPE, fading=0.02, handles=0) == [HandleGroup("food", 1, ())]
            assert await tx.memories.deep_groups(a_scope(GROUP), fading=0.02, handles=5) == []


async def stored(tx: Transaction, memory_id: str, number: int, text: str = "tea") -> Memory:
    """Store a memory under an id that begins with these digits."""
    memory = Memory(UUID(memory_id.ljust(32, "0")), SCOPE, number, text, None, ADA, (), START, START)
    await tx.memories.add(memory)
    return memory


class LikenessContract:
    """One test a sentence of the port's docstrings."""

    @pytest.mark.parametrize("handle", ["7c8855bf", "7C8855BF"])
    async def test_a_handle_names_the_memory_whose_id_begins_with_it(self, store: Store, handle: str) -> None:
        async with store.write() as tx:
            memory = await stored(tx, "7c8855bf", 1)
            await stored(tx, "7c8855c0", 2)
            await stored(tx, "7c8855beffffffffffffffffffffffff", 3)

        async with store.read() as tx:
            assert await tx.memories.by_handle(SCOPE, handle) == memory

    async def test_a_handle_that_two_share_names_none(self, store: Store) -> None:
        async with store.write() as tx:
            await stored(tx, "7c8855bf0", 1)
            await stored(tx, "7c8855bff", 2)

        async with store.read() as tx:
            assert await tx.memories.by_handle(SCOPE, "7c8855bf") is None

    @pytest.mark.parametrize("handle", ["", "%", "a", "7c8855b", "7c8855bf0", "7c8855b%", "7c8855bg", "7c8855b\n", "٧٧٧٧٧٧٧٧", "00000000"])
    async def test_any_other_text_names_none(self, store: Store, handle: str) -> None:
        async with store.write() as tx:
            await stored(tx, "7c8855bf", 1)

            assert await tx.memories.by_handle(SCOPE, handle) is None

    @pytest.mark.parametrize("text", ["Likes Tea", "likes  tea", "LIKES TEA.", " likes tea !", "ｌｉｋｅｓ　ｔｅａ。"])
    async def test_the_same_text_is_found_in_other_dress(self, store: Store, text: str) -> None:
        async with store.write() as tx:
            memory = await remember(tx.memories, "Likes Tea", level=Level.ARCHIVE)
            await remember(tx.memories, "Likes Tea", scope=a_scope(GROUP))

        async with store.read() as tx:
            assert await tx.memories.same_text(SCOPE, text) == memory

    @pytest.mark.parametrize("text", ["Likes teas", "Like stea", "Likes green tea", "Likes tea: a lot", "", "."])
    async def test_another_text_is_not_the_same(self, store: Store, text: str) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "Likes Tea")

            assert await tx.memories.same_text(SCOPE, text) is None

    async def test_the_same_text_follows_what_is_put_and_does_not_find_what_has_ended(self, store: Store) -> None:
        async with store.write() as tx:
            memory = await remember(tx.memories, "Likes Tea")
            ended = await remember(tx.memories, "Has a cat", ended_at=START)
            revised = replace(memory, text="Likes coffee")
            await tx.memories.put(revised)

            assert await tx.memories.same_text(SCOPE, "likes tea") is None
            assert await tx.memories.same_text(SCOPE, "likes coffee") == revised
            assert await tx.memories.same_text(SCOPE, "has a cat") is None
            assert await tx.memories.put(replace(ended, ended_at=None))
            assert await tx.memories.same_text(SCOPE, "has a cat") is not None

    async def test_the_longest_texts_are_compared_as_well(self, store: Store) -> None:
        text = "\ufdfa" * 499  # eighteen characters each in its plain form
        async with store.write() as tx:
            memory = await remember(tx.memories, text)

            assert await tx.memories.same_text(SCOPE, f"{text}!") == memory
            assert await tx.memories.same_text(SCOPE, f"{text}x") is None
