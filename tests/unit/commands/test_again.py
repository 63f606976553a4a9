"""`/regenerate` and `/continue`, in a whole bot."""

import asyncio

from bot.domain.erasing import OneConversation
from bot.memory.erasing.engine import Eraser
from bot.testing.bot import make_bot
from bot.testing.factories import BO, DIRECT, GROUP, incoming
from bot.testing.scripted_model import ScriptedModel


def spoken(model: ScriptedModel, prompt: int) -> list[str]:
    return [message.text for message in model.prompts[prompt].messages if message.role != "system"]


async def test_a_new_answer_takes_the_place_of_the_last_one_and_of_what_it_did_to_memory() -> None:
    model = ScriptedModel("Hello.<mem_new>Ada likes tea</mem_new>", "Tea!<mem_new>Ada loves tea</mem_new>", "Yes.")

    async with make_bot(model) as bot:
        await bot.say("I like tea, I love tea")
        said = await bot.command("regenerate")
        await bot.quiet()
        memories = [memory.text for memory in await bot.memories()]
        await bot.say("really?")

        assert said.text == "I am answering that anew. 1 change of what I remember is taken back."
        assert said.private
        assert [(sent.text, sent.draft_id) for sent in bot.platform.sent[:2]] == [("Hello.", ""), ("Tea!", "sent-1")]
        assert memories == ["Ada loves tea"]
    assert spoken(model, 1) == ["I like tea, I love tea"]
    assert spoken(model, 2) == ["I like tea, I love tea", "Tea!", "really?"]


async def test_of_a_long_answer_every_message_is_taken_away_and_the_next_goes_on_below_its_last() -> None:
    model = ScriptedModel("long " * 900, "short", "long " * 900, "more")

    async with make_bot(model) as bot:
        await bot.say("tell me everything")
        said = await bot.command("regenerate")
        await bot.quiet()
        assert said.text == "I am answering that anew."
        assert bot.platform.withdrawn == ["sent-2", "sent-3"]
        assert [(sent.text, sent.message_id) for sent in bot.platform.sent[3:]] == [("short", "sent-1")]
        await bot.command("regenerate")
        await bot.quiet()
        await bot.command("continue")
        await bot.quiet()

        assert bot.platform.sent[-1].target.reply_to == bot.platform.sent[-2].message_id
        question = await bot.command("undo")
        assert question.confirmation is not None
        await bot.command(question.confirmation.line, confirmed=True)
        assert bot.platform.withdrawn[2:] == [sent.message_id for sent in bot.platform.sent[4:]]


async def test_an_answer_can_be_given_anew_as_often_as_one_likes() -> None:
    model = ScriptedModel("0", *(f"{number}<mem_new>Ada likes tea {number}</mem_new>" for number in range(1, 8)))

    async with make_bot(model) as bot:
        await bot.say("I like tea 1 2 3 4 5 6 7")
        for _ in range(7):
            await bot.command("regenerate")
            await bot.quiet()

        assert bot.replies[-1] == "7"
        assert [memory.text for memory in await bot.memories()] == ["Ada likes tea 7"]


async def test_a_memory_that_was_changed_is_put_back_as_it_was() -> None:
    model = ScriptedModel("Ok.<mem_new>Ada likes tea</mem_new>", 'Changed.<mem_update id="1">Ada likes coffee</mem_update>', "Nothing new.")

    async with make_bot(model) as bot:
        await bot.say("I like tea")
        await bot.say("I like coffee")
        assert [memory.text for memory in await bot.memories()] == ["Ada likes coffee"]
        await bot.command("regenerate")
        await bot.quiet()

        assert [memory.text for memory in await bot.memories()] == ["Ada likes tea"]


async def test_only_who_was_answered_and_admins_get_another_answer_and_only_to_the_last_message() -> None:
    model = ScriptedModel("Hello.", "Hello again.")

    async with make_bot(model) as bot:
        nothing = await bot.command("regenerate", conversation=GROUP)
        await bot.say("hi", conversation=GROUP)
        others = await bot.command("regenerate", asker=BO, conversation=GROUP)
        await bot.command("regenerate", asker=BO, conversation=GROUP, admin=True)
        await bot.quiet()
        await bot.say("by the way", author=BO, conversation=GROUP, addressed=False)
        late = await bot.command("regenerate", conversation=GROUP)

        assert nothing.text == "There is no answer of mine here yet. Just write."
        assert others.text.startswith("My last answer here was for somebody else")
        assert late.text == "Somebody has written since my last answer, so it stays as it is. Just ask me again."
        assert bot.replies == ["Hello.", "Hello again."]


async def test_nothing_is_asked_for_twice_while_an_answer_is_written() -> None:
    model = ScriptedModel("One.", waits_for=asyncio.Event())

    async with make_bot(model) as bot:
        await bot.app.inbox.receive(incoming("hi", message_id="q1"))
        await model.asked.wait()

        assert (await bot.command("regenerate")).text.startswith("I am just writing here.")
        assert (await bot.command("continue")).text.startswith("I am just writing here.")
        assert (await bot.command("undo")).text.startswith("I am just writing here.")
        assert model.waits_for is not None
        model.waits_for.set()
        await bot.quiet()


async def test_a_new_answer_is_overtaken_by_an_erasure_and_brings_nothing_back() -> None:
    model = ScriptedModel("One.", "Two.")

    async with make_bot(model) as bot:
        await bot.say("my secret is tea")
        model.waits_for = asyncio.Event()
        model.asked.clear()
        await bot.command("regenerate")
        await model.asked.wait()
        await Eraser(bot.store, bot.clock).erase(OneConversation(DIRECT))
        model.waits_for.set()
        await bot.quiet()

        async with bot.store.read() as tx:
            assert await tx.messages.history(DIRECT, limit=9) == []
            assert await tx.outbox.draft(DIRECT) == ""
        assert bot.replies == ["One."]


async def test_the_persona_goes_on_where_its_answer_ended_and_the_request_is_no_part_of_the_history() -> None:
    model = ScriptedModel("Once upon a time", "there was a bee.<mem_new>Ada likes bees</mem_new>", "The end.")

    async with make_bot(model) as bot:
        await bot.say("A story, please")
        said = await bot.command("continue")
        await bot.quiet()
        await bot.say("and then?")

        assert said.text == "I am going on."
        assert bot.replies == ["Once upon a time", "there was a bee.", "The end."]
        assert bot.platform.sent[1].target.reply_to == "sent-1"
        assert await bot.memories() == []
    assert spoken(model, 1)[:2] == ["A story, please", "Once upon a time"]
    assert spoken(model, 1)[2].startswith("(Nobody has said anything new.")
    assert spoken(model, 2) == ["A story, please", "Once upon a time", "there was a bee.", "and then?"]


async def test_an_answer_that_went_on_is_given_anew_as_one() -> None:
    model = ScriptedModel("One", "two.", "All anew.")

    async with make_bot(model) as bot:
        await bot.say("hi")
        await bot.command("continue")
        await bot.quiet()
        await bot.command("regenerate")
        await bot.quiet()

        assert bot.platform.sent[-1].draft_id == "sent-1"
        assert bot.platform.withdrawn == ["sent-2"]
    assert spoken(model, 2) == ["hi"]


async def test_answers_by_command_count_against_the_limits() -> None:
    model = ScriptedModel(*("Hello.",) * 3)

    async with make_bot(model) as bot:
        await bot.command("limits set person 2", conversation=GROUP, admin=True)
        await bot.say("hi", conversation=GROUP)
        await bot.command("regenerate", conversation=GROUP)
        await bot.quiet()
        refused = await bot.command("regenerate", conversation=GROUP)

        assert refused.text.startswith("That was a lot in a short time.")
        assert len(bot.replies) == 2
