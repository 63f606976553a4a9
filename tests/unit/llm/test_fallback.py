"""Several models as one."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from bot.domain.model import ModelEvent, TextDelta
from bot.errors import AnswerFiltered, ContextOverflow, ModelError, ModelRefused, ModelTrouble, ModelUnavailable, ToolsUnsupported
from bot.llm.fallback import FallbackModel
from bot.testing.clock import FrozenClock
from bot.testing.model_contract import NOTE, asking, collect, events_of, text_of
from bot.testing.scripted_model import ScriptedModel

OUT = ModelUnavailable("first is out")
REFUSED = ModelRefused("first refuses")


@pytest.mark.parametrize("error", [OUT, REFUSED])
async def test_next_model_answers_when_one_fails_before_its_first_event(error: Exception) -> None:
    first, second = ScriptedModel(error), ScriptedModel("Hello.")
    model = FallbackModel([first, second], FrozenClock())

    assert text_of(await events_of(model, asking("Hi"))) == "Hello."


async def test_failure_after_an_event_is_raised() -> None:
    first, second = ScriptedModel([TextDelta("Hel"), OUT]), ScriptedModel("Hello.")
    model = FallbackModel([first, second], FrozenClock())
    events: list[ModelEvent] = []

    with pytest.raises(ModelUnavailable, match="first is out"):
        await collect(model, asking("Hi"), events)

    assert events == [TextDelta("Hel")]
    assert second.prompts == []


async def test_only_the_first_model_is_asked_by_the_name_in_the_request() -> None:
    first, second = ScriptedModel(OUT), ScriptedModel("Hello.")
    request = replace(asking("Hi"), model="large")

    await events_of(FallbackModel([first, second], FrozenClock()), request)

    assert (first.prompts[0].model, second.prompts[0].model) == ("large", "")


async def test_error_of_a_single_model_is_passed_on_as_it_is() -> None:
    with pytest.raises(ModelRefused) as caught:
        await events_of(FallbackModel([ScriptedModel(REFUSED)], FrozenClock()), asking("Hi"))

    assert caught.value is REFUSED


@pytest.mark.parametrize(
    ("errors", "kind"),
    [
        pytest.param([REFUSED, ModelUnavailable("second is out")], ModelUnavailable, id="one may work later"),
        pytest.param([REFUSED, ModelRefused("second refuses")], ModelRefused, id="none will work"),
    ],
)
async def test_failure_of_all_names_all(errors: list[Exception], kind: type[Exception]) -> None:
    model = FallbackModel([ScriptedModel(error) for error in errors], FrozenClock())

    with pytest.raises(kind, match=" second ") as caught:
        await events_of(model, asking("Hi"))

    assert str(REFUSED) in str(caught.value)


async def test_model_that_failed_three_times_in_a_row_rests_for_a_minute() -> None:
    clock = FrozenClock()
    first, second = ScriptedModel(OUT, OUT, OUT, "I am back."), ScriptedModel(*["Hello."] * 4)
    model = FallbackModel([first, second], clock)

    for _ in range(4):
        await events_of(model, asking("Hi"))
    clock.move(seconds=60)

    assert len(first.prompts) == 3
    assert text_of(await events_of(model, asking("Hi"))) == "I am back."


async def test_model_that_fails_again_after_its_rest_rests_again() -> None:
    clock = FrozenClock()
    first, second = ScriptedModel(*[OUT] * 4), ScriptedModel(*["Hello."] * 5)
    model = FallbackModel([first, second], clock)

    for _ in range(3):
        await events_of(model, asking("Hi"))
    clock.move(seconds=61)
    for _ in range(2):
        await events_of(model, asking("Hi"))

    assert len(first.prompts) == 4


@pytest.mark.parametrize("trouble", [ModelTrouble.KEY, ModelTrouble.RIGHTS, ModelTrouble.CREDIT, ModelTrouble.MISSING])
async def test_model_that_only_its_operator_can_mend_rests_at_once_and_for_longer(trouble: ModelTrouble) -> None:
    clock = FrozenClock()
    first, second = ScriptedModel(ModelRefused("no", trouble), "I am back."), ScriptedModel(*["Hello."] * 4)
    model = FallbackModel([first, second], clock)

    answers = [text_of(await events_of(model, asking("Hi"))) for _ in range(2)]
    clock.move(seconds=599)
    answers.append(text_of(await events_of(model, asking("Hi"))))
    clock.move(seconds=1)
    answers.append(text_of(await events_of(model, asking("Hi"))))

    assert answers == ["Hello.", "Hello.", "Hello.", "I am back."]


async def test_model_that_asks_to_wait_is_left_alone_for_so_long() -> None:
    clock = FrozenClock()
    first, second = ScriptedModel(ModelUnavailable("busy", ModelTrouble.BUSY, retry_after=7), "I am back."), ScriptedModel("One.", "Two.")
    model = FallbackModel([first, second], clock)

    answers = [text_of(await events_of(model, asking("Hi"))) for _ in range(2)]
    clock.move(seconds=7)

    assert [*answers, text_of(await events_of(model, asking("Hi")))] == ["One.", "Two.", "I am back."]


async def test_after_its_rest_one_turn_alone_tries_a_model() -> None:
    clock, back = FrozenClock(), asyncio.Event()
    first = ScriptedModel(ModelRefused("no", ModelTrouble.KEY), "I am back.", "And here.")
    second = ScriptedModel("Hello.", "Hello.")
    model = FallbackModel([first, second], clock)
    await events_of(model, asking("Hi"))
    clock.move(seconds=600)
    first.waits_for = back
    first.asked.clear()

    trial = asyncio.create_task(events_of(model, asking("Hi")))
    await first.asked.wait()
    meanwhile = text_of(await events_of(model, asking("Hi")))
    back.set()

    assert (meanwhile, text_of(await trial)) == ("Hello.", "I am back.")
    assert text_of(await events_of(model, asking("Hi"))) == "And here."


async def test_trial_that_is_given_up_leaves_the_next_one_open() -> None:
    clock = FrozenClock()
    first, second = ScriptedModel(ModelRefused("no", ModelTrouble.KEY), "I am back.", "Again."), ScriptedModel("Hello.")
    model = FallbackModel([first, second], clock)
    await events_of(model, asking("Hi"))
    clock.move(seconds=600)

    trial = model.stream(asking("Hi"))
    await anext(trial)
    assert isinstance(trial, AsyncGenerator)
    await trial.aclose()

    assert text_of(await events_of(model, asking("Hi"))) == "Again."


@pytest.mark.parametrize("problem", [ContextOverflow("too long", limit=9), AnswerFiltered("filtered")])
async def test_what_only_one_prompt_is_to_blame_for_sends_nobody_to_rest(problem: ModelError) -> None:
    first, second = ScriptedModel(*[problem] * 4), ScriptedModel(*["Hello."] * 4)
    model = FallbackModel([first, second], FrozenClock())

    for _ in range(4):
        assert text_of(await events_of(model, asking("Hi"))) == "Hello."

    assert first.replies_left == 0


async def test_prompt_that_is_too_long_for_one_of_the_failing_models_may_be_shortened() -> None:
    model = FallbackModel([ScriptedModel(OUT), ScriptedModel(ContextOverflow("too long", limit=9, asked=10))], FrozenClock())

    with pytest.raises(ContextOverflow) as caught:
        await events_of(model, asking("Hi"))

    assert (caught.value.limit, caught.value.asked) == (9, 10)


async def test_success_ends_a_row_of_failures() -> None:
    first, second = ScriptedModel(OUT, OUT, "Hi.", OUT, OUT, "Hi."), ScriptedModel(*["Hello."] * 4)
    model = FallbackModel([first, second], FrozenClock())

    for _ in range(6):
        await events_of(model, asking("Hi"))

    assert first.replies_left == 0


async def test_when_all_rest_all_are_asked() -> None:
    model = FallbackModel([ScriptedModel(OUT, OUT, OUT, "Hi.")], FrozenClock())

    for _ in range(3):
        with pytest.raises(ModelUnavailable):
            await events_of(model, asking("Hi"))

    assert text_of(await events_of(model, asking("Hi"))) == "Hi."


async def test_it_takes_tools_when_the_model_asked_next_does() -> None:
    first, second = ScriptedModel(OUT, OUT, OUT), ScriptedModel(*["Hello."] * 3, takes_tools=False)
    model = FallbackModel([first, second], FrozenClock())
    before = model.takes_tools

    for _ in range(3):
        await events_of(model, asking("Hi"))

    assert (before, model.takes_tools) == (True, False)


async def test_it_sees_images_when_the_model_asked_next_does() -> None:
    first, second = ScriptedModel(ModelRefused("no", ModelTrouble.KEY)), ScriptedModel("Hello.", takes_images=False)
    model = FallbackModel([first, second], FrozenClock())
    before = model.takes_images

    await events_of(model, asking("Hi"))

    assert (before, model.takes_images) == (True, False)


async def test_model_that_takes_no_tools_says_so_through_it() -> None:
    model = FallbackModel([ScriptedModel(OUT), ScriptedModel(takes_tools=False)], FrozenClock())

    with pytest.raises(ToolsUnsupported):
        await events_of(model, asking("Hi", tools=(NOTE,)))


async def test_closing_it_closes_all() -> None:
    models = [ScriptedModel(name="a"), ScriptedModel(name="b")]
    fallback = FallbackModel(models, FrozenClock())

    await fallback.close()

    assert fallback.name == "a"
    assert [model.closed for model in models] == [True, True]


def test_it_needs_a_model() -> None:
    with pytest.raises(ValueError, match="at least one model"):
        FallbackModel([], FrozenClock())


async def test_nobody_rests_longer_because_the_clock_was_set_back() -> None:
    clock = FrozenClock()
    first, second = ScriptedModel(OUT, OUT, OUT, "I am back."), ScriptedModel("One.", "Two.", "Three.")
    model = FallbackModel([first, second], clock)
    for _ in range(3):
        await events_of(model, asking("Hi"))

    clock.move(seconds=-86400)

    assert text_of(await events_of(model, asking("Hi"))) == "I am back."


async def test_a_name_that_one_persona_asks_for_puts_no_model_to_rest_for_all() -> None:
    first, second = ScriptedModel(ModelRefused("no such model", ModelTrouble.MISSING), "Still here."), ScriptedModel("Hello.")
    model = FallbackModel([first, second], FrozenClock())

    wished = text_of(await events_of(model, replace(asking("Hi"), model="misspelt")))
    others = text_of(await events_of(model, asking("Hi")))

    assert (wished, others) == ("Hello.", "Still here.")
