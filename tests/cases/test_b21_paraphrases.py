"""A fact in nine wordings stands in the prompt once, and what contradicts it beside it, with its date."""

import re
from dataclasses import replace

from bot.domain.persona import MemoryMode, MemoryPolicy
from bot.storage.store import SqlStore
from bot.testing.bot import make_bot
from bot.testing.clock import FrozenClock
from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.unit.memory.dream_stage import Sleeper

PARAPHRASES = (
    "likes tea",
    "Ada likes tea.",
    "I love tea",
    "The user is fond of tea",
    "She really enjoys tea",
    "is a tea lover",
    "Ada is a big fan of tea",
    "likes tea a lot",
    "User adores tea!",
)
CONTRADICTION = "no longer likes tea"
TAGS = replace(a_persona(), memory=MemoryPolicy(mode=MemoryMode.TAGS))


async def test_b21_nine_paraphrases_and_a_contradiction_make_two_lines_of_the_prompt() -> None:
    clock = FrozenClock()
    replies = [f"Noted.<mem_new>{text}</mem_new>" for text in (*PARAPHRASES, CONTRADICTION)]
    model = ScriptedModel(*replies, "You told me.")
    async with make_bot(model, personas=[TAGS], clock=clock) as bot:
        for _ in replies:
            await bot.say("about tea")
            clock.move(seconds=86400)
        await bot.say("what about tea?")

    lines = re.findall(r"<memory id='(\d+)' updated_at='([\d-]+).*?>(.*?)</memory>", model.prompts[-1].text)
    assert lines == [("1", "2026-05-03", "likes tea"), ("2", "2026-05-12", "no longer likes tea")]


async def test_b21_paraphrases_from_elsewhere_become_one_in_a_dream(store: SqlStore) -> None:
    sleeper = Sleeper(store)
    for text in (*PARAPHRASES, CONTRADICTION):
        await sleeper.knows(text)

    await sleeper.dreams()

    assert [memory.text for memory in await sleeper.memories()] == ["likes tea", CONTRADICTION]
