from datetime import UTC, datetime

from bot.conversation.host import ConversationHost
from bot.domain.message import Role
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import DIRECT, a_persona
from bot.testing.scripted_model import ScriptedModel

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


def host_of(bot: Bot) -> ConversationHost:
    return ConversationHost(bot.store, bot.personas, bot.clock, bot.app.queue, DIRECT)


async def test_new_conversation_is_opened_with_the_greeting_and_an_old_one_is_not() -> None:
    async with make_bot(ScriptedModel("Hello.")) as bot:
        before = await host_of(bot).greeting()
        await bot.say("hi")
        after = await host_of(bot).greeting()

    assert (before, after) == ("Good day.", "")


async def test_the_greeting_that_was_shown_is_the_first_line_and_comes_again_until_somebody_writes() -> None:
    async with make_bot(ScriptedModel("Hello.")) as bot:
        host = host_of(bot)
        await host.record_greeting("Good day.", NOON)
        await host.record_greeting("Good day.", NOON)
        again = await host.greeting()
        await bot.say("hi")
        async with bot.store.read() as tx:
            said = await tx.messages.history(DIRECT, limit=9)

    assert again == "Good day."
    assert [(line.role, line.text) for line in said] == [
        (Role.ASSISTANT, "Good day."),
        (Role.USER, "hi"),
        (Role.ASSISTANT, "Hello."),
    ]


async def test_another_persona_greets_in_its_own_words() -> None:
    async with make_bot(ScriptedModel(), personas=[a_persona("iris"), a_persona("otto", name="Otto")]) as bot:
        host = host_of(bot)
        await host.record_greeting("Good day.", NOON)
        await bot.app.bind(DIRECT, "otto")
        await host.record_greeting("Good day.", NOON)
        async with bot.store.read() as tx:
            said = await tx.messages.history(DIRECT, limit=9)

    assert [line.persona_id for line in said] == ["iris", "otto"]


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


async def test_a_persona_is_named_as_chosen_unless_it_is_the_default_one() -> None:
    async with make_bot(ScriptedModel(), personas=[a_persona("iris"), a_persona("otto", name="Otto")]) as bot:
        before = await host_of(bot).chosen()
        await bot.app.bind(DIRECT, "otto")
        after = await host_of(bot).chosen()

    assert (before, after) == ("", "Otto")
