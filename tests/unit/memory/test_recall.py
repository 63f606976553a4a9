from collections.abc import Sequence

from bot.domain.memory import Recall
from bot.memory.recall import TAG_TOKENS, recall
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import a_memory, a_scope
from bot.testing.scripted_model import ScriptedModel
from bot.testing.tokens import WordTokens

ROOM_FOR_TWO = 2 * (TAG_TOKENS + 4)


async def remember(bot: Bot, texts: Sequence[str]) -> None:
    async with bot.store.write() as tx:
        for text in texts:
            await tx.memories.add(a_memory(text, number=await tx.memories.reserve_number(a_scope())))


async def recalled(bot: Bot, words: str, budget_tokens: int) -> Recall:
    async with bot.store.read() as tx:
        return await recall(tx, a_scope(), words, budget_tokens=budget_tokens, tokens=WordTokens())


async def test_nothing_is_recalled_where_nothing_is_known() -> None:
    async with make_bot(ScriptedModel()) as bot:
        assert await recalled(bot, "anything", 1000) == Recall()


async def test_all_memories_stand_in_the_prompt_while_they_fit() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await remember(bot, ["has a cat", "likes tea"])

        found = await recalled(bot, "hello", 1000)

    assert [memory.text for memory in found.working] == ["has a cat", "likes tea"]
    assert found.left_out == 0


async def test_memory_that_does_not_fit_comes_back_when_the_message_shares_its_words() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await remember(bot, ["Grandmother lives in Kyoto", "has a cat", "likes tea", "plays chess", "reads a lot"])

        found = await recalled(bot, "how is grandmother?", 4 * (TAG_TOKENS + 2))

    assert [memory.text for memory in found.working] == ["has a cat", "likes tea", "plays chess", "reads a lot"][-len(found.working) :]
    assert [hit.memory.text for hit in found.pulled] == ["Grandmother lives in Kyoto"]
    assert found.left_out == 5 - len(found.working) - 1


async def test_one_long_memory_shuts_out_nobody() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await remember(bot, ["has a cat", "likes tea", "word " * 90])

        found = await recalled(bot, "hello", ROOM_FOR_TWO)

    assert [memory.text for memory in found.working] == ["has a cat", "likes tea"]
