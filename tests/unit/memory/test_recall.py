from collections.abc import Sequence
from dataclasses import replace

from bot.domain.memory import Forget, Level, Memory, Recall, Revise
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import MemoryEditor
from bot.memory.recall import recall
from bot.memory.working import TAG_TOKENS, WorkingSet
from bot.testing.bot import Bot, make_bot
from bot.testing.clock import START
from bot.testing.factories import a_memory, a_scope
from bot.testing.scripted_model import ScriptedModel
from bot.testing.tokens import WordTokens
from tests.unit.memory.origins import ORIGIN

USUAL = MemoryPolicy()
ROOM_FOR_TWO = MemoryPolicy(working_tokens=2 * (TAG_TOKENS + 4))


async def remember(bot: Bot, texts: Sequence[str], *, level: Level = Level.WORKING, importance: float = 0.75) -> None:
    async with bot.store.write() as tx:
        for text in texts:
            memory = a_memory(text, number=await tx.memories.reserve_number(a_scope()))
            await tx.memories.add(replace(memory, level=level, importance=importance))


async def recalled(bot: Bot, words: str, policy: MemoryPolicy = USUAL) -> Recall:
    async with bot.store.write() as tx:
        return await recall(WorkingSet(tx, a_scope(), policy, WordTokens(), START), words)


def texts(memories: Sequence[Memory]) -> list[str]:
    return [memory.text for memory in memories]


async def test_nothing_is_recalled_where_nothing_is_known() -> None:
    async with make_bot(ScriptedModel()) as bot:
        assert await recalled(bot, "anything") == Recall()


async def test_block_stays_as_it_was_when_a_memory_is_added() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await remember(bot, ["has a cat"])
        first = await recalled(bot, "hello")
        await remember(bot, ["likes tea"])
        second = await recalled(bot, "hello")

    assert second.working == first.working
    assert [hit.memory.text for hit in second.fresh] == ["likes tea"]
    assert second.left_out == 0


async def test_first_memory_of_all_gets_its_block_at_once() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await recalled(bot, "hello")
        await remember(bot, ["likes tea"])

        assert texts((await recalled(bot, "hello")).working) == ["likes tea"]


async def test_block_is_laid_down_anew_when_too_much_stands_outside() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await remember(bot, ["has a cat"])
        await recalled(bot, "hello")
        await remember(bot, [f"fact {number}" for number in range(20)])
        found = await recalled(bot, "hello")

    assert len(found.working) == 21
    assert found.fresh == ()


async def test_edit_and_deletion_change_the_block_at_once() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await remember(bot, ["has a cat", "likes tea", "plays chess"])
        await recalled(bot, "hello")
        async with bot.store.write() as tx:
            editor = MemoryEditor(tx, a_scope(), MemoryPolicy(), START)
            await editor.apply(Revise(1, "has two cats"), ORIGIN)
            await editor.apply(Forget(2), ORIGIN)

        assert texts((await recalled(bot, "hello")).working) == ["has two cats", "plays chess"]


async def test_memory_without_room_is_told_when_the_message_asks_for_it() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await remember(bot, ["Grandmother lives in Kyoto"], importance=0.5)
        await remember(bot, ["has a cat", "likes tea", "plays chess"])
        silent = await recalled(bot, "hello", ROOM_FOR_TWO)
        asked = await recalled(bot, "how is grandmother?", ROOM_FOR_TWO)

    assert silent.fresh == ()
    assert silent.left_out == 2
    assert [hit.memory.text for hit in asked.fresh] == ["Grandmother lives in Kyoto"]
    assert asked.working == silent.working


async def test_one_long_memory_shuts_out_nobody() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await remember(bot, ["word " * 90], importance=1.0)
        await remember(bot, ["has a cat", "likes tea"])

        assert texts((await recalled(bot, "hello", ROOM_FOR_TWO)).working) == ["has a cat", "likes tea"]
