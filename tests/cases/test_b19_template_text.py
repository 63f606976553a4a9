"""What the instructions show as an example is never stored, and one event is stored once."""

import json
import re
from dataclasses import replace

import pytest

from bot.domain.job import JobState
from bot.domain.memory import Level
from bot.domain.model import ChatRequest
from bot.domain.persona import MemoryMode, MemoryPolicy
from bot.storage.store import SqlStore
from bot.testing.bot import make_bot
from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.unit.memory.dream_stage import DAY, Sleeper

TAGS = replace(a_persona(), memory=MemoryPolicy(mode=MemoryMode.TAGS))


def the_example(request: ChatRequest) -> str:
    """Answer with the example object of the prompt, unchanged."""
    (example,) = re.findall(r"^\{.*\}$", request.messages[0].text, re.MULTILINE)
    return str(example)


def with_real_numbers(request: ChatRequest) -> str:
    """Answer with the example's texts for memories that are there."""
    example = json.loads(the_example(request))
    example["same"][0]["numbers"] = [1, 2]
    example["dated"][0]["number"] = 3
    return json.dumps({**example, "ended": []})


def in_part(request: ChatRequest) -> str:
    """Answer with a part of the example."""
    return json.dumps({**json.loads(the_example(request)), "same": []})


@pytest.mark.parametrize("echo", [the_example, with_real_numbers, in_part])
async def test_b19_dreams_example_is_rejected_and_counted(store: SqlStore, echo: object) -> None:
    sleeper = Sleeper(store)
    for text in ("Ada likes jazz", "Ada likes bebop jazz", "Ada sails tomorrow"):
        await sleeper.knows(text)
    before = await sleeper.memories()

    report = await sleeper.dreams(ScriptedModel(*[echo] * 4))  # type: ignore[arg-type]  # both answer a request

    assert await sleeper.memories() == before
    assert report.record.state is JobState.DONE
    assert report.counts["rejected"] >= 2


async def test_b19_example_of_what_to_keep_decides_on_no_memory(store: SqlStore) -> None:
    sleeper = Sleeper(store)
    faint = await sleeper.knows("Ada had a cold", level=Level.ARCHIVE, importance=0.0, idle=2 * DAY)

    report = await sleeper.dreams(ScriptedModel(the_example, the_example))

    assert await sleeper.memory(faint.number) == faint
    assert report.counts["rejected"] == 2


async def test_b19_event_that_is_told_six_times_is_stored_once() -> None:
    wordings = ("adopted a cat", "Ada adopted a cat", "I adopted a cat.", "adopted a cat!", "User adopted a cat", "She adopted a cat")
    replies = [f"Lovely!<mem_new>{text}</mem_new>" for text in wordings]
    async with make_bot(ScriptedModel(*replies), personas=[TAGS]) as bot:
        for _ in replies:
            await bot.say("I adopted a cat")

        assert [memory.text for memory in await bot.memories()] == ["adopted a cat"]


async def test_b19_example_of_the_tags_is_not_stored() -> None:
    async with make_bot(ScriptedModel("Noted.<mem_new>one short sentence</mem_new>"), personas=[TAGS]) as bot:
        await bot.say("I like tea")

        assert await bot.memories() == []
        assert bot.replies == ["Noted."]
