"""Other bots are third parties: their words and promises are their own."""

from bot.domain.message import Person, Role
from bot.memory.grounding import grounded
from bot.testing.bot import make_bot
from bot.testing.factories import ADA, GROUP, incoming, stored
from bot.testing.scripted_model import ScriptedModel
from tests.conformance.memory_tool import update

BOT_A = Person("bot-a", "Rook", is_bot=True)


async def test_b12_other_bots_line_stands_under_its_name_and_not_among_our_own() -> None:
    model = ScriptedModel("No, I have not answered yet.")
    async with make_bot(model) as bot:
        await bot.say("game at seven?", conversation=GROUP, addressed=False)
        await bot.receive(incoming("I will come", message_id="a1", author=BOT_A, conversation=GROUP, addressed=True))
        await bot.say("did you agree?", conversation=GROUP)

        assert bot.replies == ["No, I have not answered yet."]

    (prompt,) = model.prompts
    (line,) = [message for message in prompt.messages if "I will come" in message.text]
    assert (line.role, line.text) == (Role.USER, "Rook (id bot-a): I will come")
    assert [message for message in prompt.messages if message.role is Role.ASSISTANT] == []


def test_b12_promise_of_another_bot_is_no_fact() -> None:
    asked = stored("game at seven?", author=ADA)
    promised = stored("I will come with my board", row=2, author=BOT_A)
    asked_again = stored("did you agree?", row=3, author=ADA)

    assert not grounded("will come with a board", [asked, promised, asked_again])
    assert grounded("plans a game at seven", [asked, promised, asked_again])


async def test_b12_promise_of_another_bot_is_not_stored_when_the_model_tries_to() -> None:
    model = ScriptedModel(update(0, "will come with the chess board at seven"), "I have not answered yet.")
    async with make_bot(model) as bot:
        await bot.receive(incoming("I will come with my chess board at seven", message_id="a1", author=BOT_A, conversation=GROUP))
        await bot.say("did you agree?", conversation=GROUP)

        assert await bot.memories(GROUP) == []
        assert bot.replies == ["I have not answered yet."]
