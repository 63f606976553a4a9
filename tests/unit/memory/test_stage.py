from dataclasses import replace

import pytest

from bot.domain.message import MessageState
from bot.errors import ToolFailed, ToolRetry
from bot.memory.stage import StagedEdits, said_by
from bot.testing.bot import Bot, make_bot
from bot.testing.clock import START
from bot.testing.factories import BO, GROUP, a_turn, stored
from bot.testing.scripted_model import ScriptedModel


def stage(bot: Bot) -> StagedEdits:
    return StagedEdits(bot.store, a_turn(stored("I like tea")), reason="test")


async def test_what_is_staged_is_stored_only_when_it_is_applied() -> None:
    async with make_bot(ScriptedModel()) as bot:
        staged = stage(bot)
        await staged.remember("Likes tea")
        before = await bot.memories()
        async with bot.store.write() as tx:
            done = await staged.apply(tx, START)

        assert before == []
        assert done == 1
        assert [memory.text for memory in await bot.memories()] == ["Likes tea"]


async def test_later_calls_of_a_turn_see_what_earlier_ones_staged() -> None:
    async with make_bot(ScriptedModel()) as bot:
        staged = stage(bot)
        number = await staged.remember("Likes tea")

        name = str(number)

        assert await staged.revise(name, "Likes green tea")
        assert await staged.load(name) == "Likes green tea"
        assert await staged.forget(name)
        assert not await staged.forget(name)
        assert not await staged.tag(name)
        assert not await staged.revise(name, "Likes coffee")


@pytest.mark.parametrize("name", ["0", "-1", "99", str(2**70), "", "%", "deadbeef", "DEADBEEF", "nine"])
async def test_name_that_nothing_has_changes_nothing(name: str) -> None:
    async with make_bot(ScriptedModel()) as bot:
        staged = stage(bot)

        assert not await staged.revise(name, "x")
        assert not await staged.forget(name)
        assert not await staged.tag(name)
        assert await staged.load(name) is None


async def test_fact_that_a_turn_repeats_is_staged_once() -> None:
    async with make_bot(ScriptedModel()) as bot:
        staged = stage(bot)

        assert [await staged.remember(text) for text in ("Likes tea", "likes  tea.", "Likes tea")] == [1, 1, 1]


@pytest.mark.parametrize("text", ["", "  ", "x" * 501, "\0"])
async def test_text_that_no_memory_can_hold_is_sent_back_to_the_model(text: str) -> None:
    async with make_bot(ScriptedModel()) as bot:
        with pytest.raises(ToolRetry):
            await stage(bot).remember(text)


async def test_who_asks_in_the_same_turn_has_nothing_of_others_deleted() -> None:
    async with make_bot(ScriptedModel("Fine.<mem_new>Ada loves tea</mem_new>", takes_tools=False)) as bot:
        await bot.say("I love tea", conversation=GROUP)
        mine = stored("Ada loves tea, does she?", conversation=GROUP)
        theirs = stored("delete that", row=2, author=BO, conversation=GROUP)

        for others in (theirs, replace(theirs, text="Ada loves tea")):
            with pytest.raises(ToolFailed):
                await StagedEdits(bot.store, a_turn(mine, others), reason="test").forget("1")
        with pytest.raises(ToolFailed):
            await StagedEdits(bot.store, a_turn(replace(mine, state=MessageState.HEARD), theirs), reason="test").forget("1")
        overheard = replace(theirs, state=MessageState.HEARD)
        assert await StagedEdits(bot.store, a_turn(mine, overheard), reason="test").forget("1")


def test_fact_rests_on_the_messages_of_the_one_whose_words_it_shares() -> None:
    turn = a_turn(stored("I own a cat", conversation=GROUP), stored("I own a parrot", row=2, author=BO, conversation=GROUP))

    assert [message.id for message in said_by(turn, "owns a cat")] == [1]
    assert [message.id for message in said_by(turn, "owns a parrot")] == [2]


def test_fact_that_shares_no_words_rests_on_who_was_answered() -> None:
    heard = stored("hello", row=2, author=BO, conversation=GROUP, state=MessageState.HEARD)
    turn = a_turn(stored("good morning", conversation=GROUP), heard)

    assert [message.id for message in said_by(turn, "Prefers tea")] == [1]
