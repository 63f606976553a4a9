"""A model that asks for changes which change nothing is told so, and the limits end the dream."""

import json
import re

import pytest

from bot.domain.job import JobState
from bot.domain.memory import Level
from bot.domain.model import ChatRequest
from bot.memory.dreams.limits import DreamLimits
from bot.storage.store import SqlStore
from bot.testing.scripted_model import ScriptedModel
from tests.unit.memory.dream_stage import Sleeper

FACTS = 300


def replace_all_by_themselves(request: ChatRequest) -> str:
    """Ask to replace each memory's text by the same text, in every way there is."""
    shown = re.findall(r'<memory number="(\d+)"[^>]*>(.*?)</memory>', request.messages[1].text)
    same = [{"numbers": [int(number)], "text": text} for number, text in shown]
    dated = [{"number": int(number), "text": text} for number, text in shown]
    return json.dumps({"same": same, "ended": [], "dated": dated})


@pytest.mark.parametrize(
    "limits",
    [pytest.param(DreamLimits(tokens=10**9), id="calls"), pytest.param(DreamLimits(calls=10**9, tokens=6000), id="tokens")],
)
async def test_b25_replacing_texts_by_themselves_is_refused_and_ends_within_the_limits(store: SqlStore, limits: DreamLimits) -> None:
    sleeper = Sleeper(store, limits=limits)
    for number in range(FACTS):
        await sleeper.knows(f"Ada owns item {number}", level=Level.DEEP)
    before = await sleeper.memories()
    model = ScriptedModel(*[replace_all_by_themselves] * FACTS)

    report = await sleeper.dreams(model)

    assert await sleeper.memories() == before
    assert report.record.state is JobState.DONE
    assert report.counts["rejected"] > 0
    assert "the new text is the old one" in model.prompts[1].messages[-1].text
    assert len(model.prompts) <= min(limits.calls, FACTS // limits.fresh * limits.attempts)
    assert report.counts["tokens"] <= limits.tokens
