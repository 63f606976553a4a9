"""`/undo` in a whole bot: an exchange leaves history, search, memory and the chat."""

from bot.domain.past import CorpusKey
from bot.testing.bot import make_bot
from bot.testing.factories import BO, DIRECT, GROUP
from bot.testing.scripted_model import ScriptedModel


async def test_the_last_exchange_goes_with_what_it_did_to_memory_and_nothing_else_does() -> None:
    model = ScriptedModel(
        "Ok.<mem_new>Ada likes tea</mem_new>",
        'So.<mem_update id="1">Ada likes coffee</mem_update><mem_new>Ada has a cat called Zitrone</mem_new>',
        "Tea?",
    )

    async with make_bot(model) as bot:
        await bot.say("I like tea")
        await bot.say("I like coffee, and have a cat called Zitrone")
        await bot.settled()
        question = await bot.command("undo")
        assert question.confirmation is not None
        done = await bot.command(question.confirmation.line, confirmed=True)
        await bot.settled()

        assert "- 1 message of yours\n- 1 answer of mine\n- 2 changes of what I remember" in question.text
        assert done.text.startswith(
            "Taken back: 2 messages are gone from my history and search. 2 changes of what I remember are taken back."
        )
        assert [memory.text for memory in await bot.memories()] == ["Ada likes tea"]
        assert bot.platform.withdrawn == ["sent-2"]
        async with bot.store.read() as tx:
            assert [said.text for said in await tx.messages.history(DIRECT, limit=9)] == ["I like tea", "Ok."]
            assert not (await tx.corpora.postings(CorpusKey(DIRECT), frozenset({"zitrone"})))
            journal = await tx.memories.journal((await bot.memories())[0].scope, limit=50)
        assert "Zitrone" not in str(journal)
        await bot.say("what do I drink?")
    assert "coffee" not in model.prompts[2].text


async def test_an_exchange_that_is_not_the_last_any_more_stays() -> None:
    model = ScriptedModel("One.", "Two.")

    async with make_bot(model) as bot:
        await bot.say("first")
        question = await bot.command("undo")
        await bot.say("second")
        assert question.confirmation is not None
        late = await bot.command(question.confirmation.line, confirmed=True)

        assert late.text.startswith("That is not the last exchange any more")
        async with bot.store.read() as tx:
            assert len(await tx.messages.history(DIRECT, limit=9)) == 4


async def test_what_was_changed_since_goes_only_as_it_rests_on_nothing_else_and_is_told() -> None:
    model = ScriptedModel("Ok.<mem_new>Ada likes tea and coffee</mem_new>")

    async with make_bot(model) as bot:
        await bot.say("I like tea and coffee")
        await bot.command("memory edit 1 Ada likes water")
        question = await bot.command("undo")
        done = await bot.command("undo", confirmed=True)

        assert await bot.memories() == []
    assert "of what I remember" not in question.text
    assert "1 memory that rested on nothing else is gone, too." in done.text
    assert "stays as it is" not in done.text


async def test_only_ones_own_messages_go_and_only_who_was_answered_may() -> None:
    model = ScriptedModel("Both of you, hello.")

    async with make_bot(model, burst_seconds=1.0) as bot:
        assert bot.platform.inbox is not None
        await bot.say("what Bo thinks", author=BO, conversation=GROUP, addressed=False)
        await bot.say("hello", conversation=GROUP)
        refused = await bot.command("undo", asker=BO, conversation=GROUP)
        await bot.command("undo", conversation=GROUP, confirmed=True)

        async with bot.store.read() as tx:
            left = [said.text for said in await tx.messages.history(GROUP, limit=9)]
    assert refused.text.startswith("My last answer here was for somebody else")
    assert left == ["what Bo thinks"]
