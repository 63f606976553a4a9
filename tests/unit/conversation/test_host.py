from bot.conversation.host import ConversationHost
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import DIRECT, a_persona
from bot.testing.scripted_model import ScriptedModel


def host_of(bot: Bot) -> ConversationHost:
    return ConversationHost(bot.store, bot.personas, bot.app.queue, DIRECT)


async def test_new_conversation_is_opened_with_the_greeting_and_an_old_one_is_not() -> None:
    async with make_bot(ScriptedModel("Hello.")) as bot:
        before = await host_of(bot).greeting()
        await bot.say("hi")
        after = await host_of(bot).greeting()

    assert (before, after) == ("Good day.", "")


async def test_speaker_is_the_persona_that_is_bound_there() -> None:
    cast = [a_persona("iris"), a_persona("otto", name="Otto")]

    async with make_bot(ScriptedModel(), personas=cast) as bot:
        await bot.app.bind(DIRECT, "otto")

        assert await host_of(bot).speaker() == "Otto"


async def test_host_is_settled_when_nothing_is_under_way() -> None:
    async with make_bot(ScriptedModel("Hello.")) as bot:
        await bot.say("hi")
        await host_of(bot).settled()

        assert bot.replies == ["Hello."]
