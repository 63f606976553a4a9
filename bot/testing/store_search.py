"""What every store must find; part of `bot.testing.store_contract`."""

from dataclasses import replace
from itertools import pairwise

import pytest

from bot.domain.memory import Level
from bot.ports.store import Store
from bot.testing.clock import START
from bot.testing.store_memories import SCOPE, remember


async def found(store: Store, words: str, *, limit: int = 9) -> list[str]:
    """Return the texts that words find, best first."""
    async with store.read() as tx:
        return [memory.text for memory, _ in await tx.memories.search(SCOPE, words, limit=limit)]


async def know(store: Store, *texts: str) -> None:
    """Store memories, in order."""
    async with store.write() as tx:
        for text in texts:
            await remember(tx.memories, text)


class SearchContract:
    """One test a sentence of the port's docstring, and some that members would ask."""

    @pytest.mark.parametrize(
        ("words", "text"),
        [
            pytest.param("What is my cat called?", "My cat is called Mochi.", id="question"),
            pytest.param("MOCHI!!", "My cat is called Mochi.", id="case and punctuation"),
            pytest.param("ｍｏｃｈｉ", "My cat is called Mochi.", id="width"),
            pytest.param("any cat news?", "User loves cats.", id="plural"),
            pytest.param("Are you running?", "Bo runs every morning.", id="ending"),
            pytest.param("how is grandmother?", "Grandmother lives in Kyoto", id="stop words"),
            pytest.param("猫の話をしよう", "ユーザーは猫が好きです", id="one character"),
            pytest.param("京都", "京都に住んでいます", id="pair"),
            pytest.param("C#?", "User codes in C#", id="sign"),
        ],
    )
    async def test_words_in_common_are_found_first(self, store: Store, words: str, text: str) -> None:
        await know(store, text, "What I called for: is it you?", "彼は犬の散歩をします", "I got a C in my exams", "It rains in Berlin")

        assert (await found(store, words))[0] == text

    @pytest.mark.parametrize("words", ["what are you?", "", "  ", "?!", "AND", "cat*", "dogs", "%", "'", '"', "犬", "\0", "\ud83d"])
    async def test_nothing_in_common_finds_nothing(self, store: Store, words: str) -> None:
        await know(store, "What are you doing and why?", "ユーザーは猫が好きです")

        assert await found(store, words) == []

    async def test_rare_words_weigh_more(self, store: Store) -> None:
        await know(store, "Ada plays the oboe", *(f"Ada plays chess with friend{number}" for number in range(20)))

        async with store.read() as tx:
            hits = await tx.memories.search(SCOPE, "Who plays chess and the oboe?", limit=30)

        assert hits[0][0].text == "Ada plays the oboe"
        assert all(1 >= before[1] >= after[1] > 0 for before, after in pairwise(hits))

    async def test_more_words_in_common_come_first(self, store: Store) -> None:
        await know(store, "Ada has a red bicycle", "Ada has a red car", "Bo has a bicycle")

        assert (await found(store, "the red bicycle"))[0] == "Ada has a red bicycle"

    async def test_no_more_than_the_limit_are_found(self, store: Store) -> None:
        await know(store, *(f"tea number{number}" for number in range(5)))

        assert len(await found(store, "tea", limit=3)) == 3

    async def test_a_revised_memory_is_found_by_its_new_words_only(self, store: Store) -> None:
        await know(store, "Ada likes tea")

        async with store.write() as tx:
            known = await tx.memories.get(SCOPE, 1)
            assert known is not None
            await tx.memories.put(replace(known, text="Ada likes coffee"))

        assert await found(store, "tea") == []
        assert await found(store, "coffee") == ["Ada likes coffee"]

    async def test_only_memories_of_the_levels_asked_for_are_found(self, store: Store) -> None:
        async with store.write() as tx:
            for level in Level:
                await remember(tx.memories, f"tea {level.name}", level=level)

            hits = [await tx.memories.search(SCOPE, "tea", limit=9, levels=[level]) for level in Level]
            two = await tx.memories.search(SCOPE, "tea", limit=9, levels=(Level.ARCHIVE, Level.WORKING))
            assert [[memory.level for memory, _ in found] for found in hits] == [[level] for level in Level]
            assert {memory.level for memory, _ in two} == {Level.WORKING, Level.ARCHIVE}
            assert len(await tx.memories.search(SCOPE, "tea", limit=9)) == 3
            assert await tx.memories.search(SCOPE, "tea", limit=9, levels=[]) == []

    async def test_a_memory_that_changes_its_level_is_found_there(self, store: Store) -> None:
        async with store.write() as tx:
            deep = replace(await remember(tx.memories, "Ada likes tea"), level=Level.DEEP)
            await tx.memories.put(deep)

            assert await tx.memories.search(SCOPE, "tea", limit=9, levels=[Level.WORKING]) == []
            assert [memory for memory, _ in await tx.memories.search(SCOPE, "tea", limit=9, levels=[Level.DEEP])] == [deep]

    async def test_what_has_ended_is_not_found(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx.memories, "Ada lives in Paris", ended_at=START)

        assert await found(store, "paris") == []

    async def test_one_among_a_thousand_is_found(self, store: Store) -> None:
        await know(store, "My cat is called Mochi.", *(f"The cat saw bird number{number}" for number in range(1000)))

        assert (await found(store, "Which cat is called Mochi?"))[0] == "My cat is called Mochi."
        assert len(await found(store, "cat", limit=8)) == 8

    async def test_frequent_words_decide_between_those_that_share_a_rare_one(self, store: Store) -> None:
        red_things = (f"A red thing of shape{number}" for number in range(400))
        await know(store, "Bo has an old bicycle", "Ada has a red bicycle", "Cy has a new bicycle", *red_things)

        assert (await found(store, "Whose bicycle is red?"))[0] == "Ada has a red bicycle"

    async def test_a_frequent_word_finds_the_one_at_the_level_asked_for(self, store: Store) -> None:
        async with store.write() as tx:
            deep = await remember(tx.memories, "The cat is called Mochi", level=Level.DEEP)
        await know(store, *(f"The cat saw bird number{number}" for number in range(800)))

        async with store.read() as tx:
            hits = await tx.memories.search(SCOPE, "cat", limit=3, levels=[Level.DEEP])
        assert [memory for memory, _ in hits] == [deep]

    async def test_a_long_message_is_looked_up_as_well(self, store: Store) -> None:
        await know(store, "My cat is called Mochi.", "It rains in Berlin")
        chatter = " ".join(f"word{number}" for number in range(400))

        assert await found(store, f"{chatter} mochi") == ["My cat is called Mochi."]
