"""Whole turns with models that are out, refuse, or can do less than asked."""

import pytest

from bot.conversation.notices import notices
from bot.llm.fallback import FallbackModel
from bot.llm.offline import OfflineModel
from bot.llm.openai_model import OpenAIModel, Patience
from bot.testing.bot import make_bot
from bot.testing.clock import FrozenClock
from bot.testing.factories import BO, GROUP
from tests.cases.model_stage import bot_on
from tests.emulators.openai.answers import Ending, Plain, Say, Stream, frame, frames_of, refusal
from tests.emulators.openai.rules import Rules
from tests.emulators.openai.server import OpenAIEmulator

ENGLISH = notices("en")

OUTAGE = Plain("<h1>Bad Gateway</h1>", 502, "text/html")
WRONG_KEY = refusal(401, "Incorrect API key provided: test.")


@pytest.mark.parametrize(
    ("answer", "line", "cause"),
    [
        pytest.param(OUTAGE, ENGLISH.unavailable, "status 502", id="outage"),
        pytest.param(WRONG_KEY, ENGLISH.refused, "OPENAI_API_KEY", id="wrong key"),
        pytest.param(refusal(402, "Insufficient credits"), ENGLISH.credit, "OPENAI_BASE_URL", id="no credit"),
        pytest.param(refusal(403, "No access"), ENGLISH.forbidden, "BAKU_MODEL", id="no rights"),
        pytest.param(refusal(404, "The model does not exist"), ENGLISH.missing, "BAKU_MODEL", id="no such model"),
        pytest.param(refusal(429, "Slow down"), ENGLISH.busy, "limits how often", id="too often"),
        pytest.param(refusal(400, "filtered", code="content_filter"), ENGLISH.filtered, "content filter", id="filtered prompt"),
        pytest.param(Stream((frame(finish="content_filter"),)), ENGLISH.filtered, "content filter", id="filtered answer"),
    ],
)
async def test_people_get_one_friendly_line_and_the_operator_the_cause(
    answer: Plain, line: str, cause: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with OpenAIEmulator(answer) as endpoint, bot_on(endpoint) as bot:
        await bot.say("Hello, my secret is blue")
        await bot.say("Hello again")

        assert bot.replies == [line, "You said: Hello again"]
        assert line not in endpoint.requests[-1].text
    logged = "".join(capsys.readouterr())
    assert cause in logged
    assert "secret is blue" not in logged


async def test_cut_stream_is_asked_for_again_and_seen_once() -> None:
    cut = Stream(frames_of(Say("Good mor"), with_usage=False)[:-1], Ending.DROPPED)
    async with OpenAIEmulator(cut, Say("Good evening.")) as endpoint, bot_on(endpoint) as bot:
        await bot.say("Hello")

        assert bot.replies == ["Good evening."]


async def test_long_conversation_goes_on_in_a_small_window() -> None:
    async with OpenAIEmulator() as endpoint, bot_on(endpoint) as bot:
        for number in range(6):
            await bot.say(f"{number} " + "word " * 60)
        endpoint.rules.most_words = len(endpoint.requests[-1].text.split()) - 100
        await bot.say("Are you there?")
        await bot.say("Still?")

        assert bot.replies[-2:] == ["You said: Are you there?", "You said: Still?"]
        assert len(endpoint.requests) == 9


async def test_answer_cut_by_its_length_arrives_whole() -> None:
    async with OpenAIEmulator(Say("It goes on and o", finish="length"), Say("on.")) as endpoint, bot_on(endpoint) as bot:
        await bot.say("Hello")

        assert bot.replies == ["It goes on and on."]


@pytest.mark.parametrize("takes_tools", [True, False])
async def test_call_in_the_text_is_remembered_and_not_seen(takes_tools: bool) -> None:
    call = '<tool_call>{"name": "UpdatePersonaMemory", "arguments": {"id": 0, "newContent": "Ada likes tea"}}</tool_call>'
    async with OpenAIEmulator(Say(call), Say("Noted."), rules=Rules(takes_tools=takes_tools)) as endpoint, bot_on(endpoint) as bot:
        await bot.say("I like tea")

        assert bot.replies == ["Noted."]
        assert [memory.text for memory in await bot.memories()] == ["Ada likes tea"]


async def test_model_without_tools_remembers_by_tags() -> None:
    async with OpenAIEmulator(rules=Rules(takes_tools=False)) as endpoint, bot_on(endpoint) as bot:
        await bot.say("Please remember that I like tea")
        await bot.say("What do you know?")

        assert bot.replies == ["Noted.", "I know: I like tea"]
        assert ["tools" in request.body for request in endpoint.requests] == [True, False, False]


async def test_next_model_answers_when_the_first_is_out() -> None:
    async with OpenAIEmulator(OUTAGE) as first, OpenAIEmulator() as second:
        models = [OpenAIModel("m", base_url=each.base_url, patience=Patience(retries=0)) for each in (first, second)]

        async with make_bot(FallbackModel(models, FrozenClock())) as bot:
            await bot.say("Hello")

            assert bot.replies == ["You said: Hello"]


async def test_without_any_model_what_was_told_is_found_again_by_date() -> None:
    async with make_bot(OfflineModel()) as bot:
        await bot.say("My cat is called Mochi.")
        await bot.say("What is my cat called?")

        assert bot.replies[0].startswith('I\'ll remember: "My cat is called Mochi."')
        assert "OPENAI_API_KEY or OPENAI_BASE_URL" in bot.replies[0]
        assert bot.replies[1] == 'You told me on 3 May: "My cat is called Mochi."'


async def test_without_any_model_people_in_a_group_are_told_apart() -> None:
    async with make_bot(OfflineModel()) as bot:
        await bot.say("My cat is called Mochi.", conversation=GROUP)
        await bot.say("My cat is called Rex.", conversation=GROUP, author=BO)
        await bot.say("What is my cat called?", conversation=GROUP)
        await bot.say("What is my dog called?", conversation=GROUP, author=BO)

        assert bot.replies[2] == 'You told me on 3 May: "My cat is called Mochi."'
        assert bot.replies[3].startswith("I don't know that.")
