"""The bot's own lines are never taken for something that a person said."""

from dataclasses import replace

from bot.domain.message import Person, Role
from bot.domain.persona import MemoryMode, MemoryPolicy
from bot.memory.grounding import grounded
from bot.testing.bot import make_bot
from bot.testing.factories import ADA, a_persona, stored
from bot.testing.scripted_model import ScriptedModel
from tests.unit.memory.dream_stage import Sleeper

TAGS = replace(a_persona(), memory=MemoryPolicy(mode=MemoryMode.TAGS))
US = Person("iris", "Iris", is_bot=True)


async def test_b11_greeting_that_both_say_is_one_event_of_the_persons() -> None:
    twice = "Good evening!<mem_new>Ada said good evening</mem_new><mem_new>said good evening</mem_new>"
    async with make_bot(ScriptedModel(twice), personas=[TAGS]) as bot:
        await bot.say("good evening")

        (memory,) = await bot.memories()

    assert (memory.subject, memory.author) == (ADA, ADA)


def test_b11_what_only_the_bot_said_is_no_fact_about_anybody() -> None:
    theirs, ours = stored("good evening"), stored("Good evening, Lisbon is lovely.", row=2, author=US, role=Role.ASSISTANT)

    assert grounded("said good evening", [theirs, ours])
    assert not grounded("said Lisbon is lovely", [theirs, ours])
    assert not grounded("said good evening", [ours])


async def test_b11_dream_is_shown_no_line_of_a_conversation() -> None:
    dreamer = ScriptedModel('{"same": [], "ended": [], "dated": []}')
    async with make_bot(ScriptedModel("Lisbon is lovely.<mem_new>likes tea</mem_new>"), personas=[TAGS]) as bot:
        await bot.say("I like tea in the morning")
        await Sleeper(bot.store).dreams(dreamer)

    shown = "".join(prompt.text for prompt in dreamer.prompts)
    assert "likes tea" in shown
    assert "Lisbon" not in shown
    assert "morning" not in shown


async def test_b11_what_the_persona_itself_said_is_not_stored_as_the_persons_in_the_next_turn() -> None:
    model = ScriptedModel("Lisbon is lovely in spring.", "Yes.<mem_new>thinks that Lisbon is lovely in spring</mem_new>")
    async with make_bot(model, personas=[TAGS]) as bot:
        await bot.say("hello")
        await bot.say("go on")

        assert await bot.memories() == []
        assert bot.replies[-1] == "Yes."
