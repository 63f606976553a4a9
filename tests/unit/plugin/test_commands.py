"""Whatever a plugin's command does, the asker gets an answer."""

import asyncio
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from bot.domain.command import Answer, Button, Choice, Command, CommandCall, Confirmation, Option, PrefillText
from bot.errors import StoreError
from bot.plugin.commands import guarded
from bot.plugin.guard import attempt_async
from bot.testing.factories import ADA, GROUP, kind_of

CALL = CommandCall(("roll",), {}, ADA, GROUP, kind_of(GROUP))


async def fine(call: CommandCall) -> Answer:
    return Answer("7")


async def fails(call: CommandCall) -> Answer:
    raise RuntimeError("boom")


async def without_store(call: CommandCall) -> Answer:
    raise StoreError("locked")


async def nonsense(call: CommandCall) -> Answer:
    return "7"  # type: ignore[return-value] # nonsense is what is tested


async def suggests(call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(typed, typed)]


async def fails_to_suggest(call: CommandCall, typed: str) -> Sequence[Choice]:
    raise RuntimeError("boom")


def test_a_guarded_command_is_the_same_to_look_at() -> None:
    command = Command(("roll",), "Rolls", fine, (Option("dice", "What"),), slow=True)

    assert guarded(command, "dice").options == command.options
    assert guarded(command, "dice").slow


async def test_a_command_that_works_is_left_alone() -> None:
    assert await guarded(Command(("roll",), "Rolls", fine), "dice").run(CALL) == Answer("7")


@pytest.mark.parametrize(("run", "event"), [(fails, "plugin_failed"), (nonsense, "plugin_nonsense")])
async def test_a_command_that_fails_apologises_and_leaves_a_log(run: object, event: str) -> None:
    with capture_logs() as logs:
        answer = await guarded(Command(("roll",), "Rolls", run), "dice").run(CALL)  # type: ignore[arg-type] # a table of functions

    assert answer == Answer("`/roll` did not work just now. Whoever runs me can see why in my log.", private=True)
    assert [(entry["event"], entry["plugin"], entry["doing"]) for entry in logs] == [(event, "dice", "/roll")]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Answer(7), id="no text"),  # type: ignore[arg-type] # nonsense is what is tested
        pytest.param(Answer("Sure?", confirmation=Confirmation("Yes", "x" * 41)), id="line too long for a button"),
        pytest.param(Answer("Sure?", confirmation=Confirmation("Yes", "\N{CAT FACE}" * 11)), id="too many bytes"),
        pytest.param(Answer("Sure?", confirmation=Confirmation("Yes", "")), id="no line"),
        pytest.param(Answer("Sure?", confirmation=Confirmation(" ", "roll")), id="no label"),
        pytest.param(Answer("Sure?", confirmation="roll"), id="no confirmation"),  # type: ignore[arg-type] # as above
    ],
)
async def test_an_answer_that_no_platform_can_show_is_none(answer: Answer) -> None:
    async def run(call: CommandCall) -> Answer:
        return answer

    with capture_logs() as logs:
        said = await guarded(Command(("roll",), "Rolls", run), "dice").run(CALL)

    assert "did not work" in said.text
    assert [entry["event"] for entry in logs] == ["plugin_nonsense"]


@pytest.mark.parametrize("nonsense", [7, "abc", ["a"], {"a": 1}])
async def test_suggestions_that_are_none_are_left_out(nonsense: object) -> None:
    async def suggest(call: CommandCall, typed: str) -> object:
        return nonsense

    option = Option("dice", "What", suggest=suggest)  # type: ignore[arg-type] # nonsense is what is tested
    (guarded_option,) = guarded(Command(("roll",), "Rolls", fine, (option,)), "dice").options
    assert guarded_option.suggest is not None

    with capture_logs() as logs:
        assert await guarded_option.suggest(CALL, "d") == []
    assert [entry["event"] for entry in logs] == ["plugin_nonsense"]


async def test_an_error_of_our_own_is_for_the_desk_to_tell() -> None:
    with pytest.raises(StoreError):
        await guarded(Command(("roll",), "Rolls", without_store), "dice").run(CALL)


@pytest.mark.parametrize(("suggest", "choices"), [(suggests, [Choice("d", "d")]), (fails_to_suggest, [])])
async def test_suggestions_that_fail_are_none(suggest: object, choices: list[Choice]) -> None:
    option = Option("dice", "What", suggest=suggest)  # type: ignore[arg-type] # a table of functions
    (guarded_option,) = guarded(Command(("roll",), "Rolls", fine, (option,)), "dice").options
    assert guarded_option.suggest is not None

    assert list(await guarded_option.suggest(CALL, "d")) == choices


async def test_what_hangs_is_given_up_after_its_time() -> None:
    with capture_logs() as logs:
        result = await attempt_async(asyncio.Event().wait, plugin="dice", doing="/roll", seconds=0.01)

    assert result is None
    assert [entry["event"] for entry in logs] == ["plugin_too_slow"]


@pytest.mark.parametrize(
    "button",
    [
        pytest.param(Button("On", "x" * 41), id="line too long"),
        pytest.param(Button("On", ""), id="no line"),
        pytest.param(Button("", "roll"), id="no label"),
        pytest.param("roll", id="no button"),
    ],
)
async def test_buttons_that_no_platform_can_show_make_no_answer(button: Button) -> None:
    async def run(call: CommandCall) -> Answer:
        return Answer("On?", buttons=(Button("Roll", "roll"), button))

    with capture_logs() as logs:
        said = await guarded(Command(("roll",), "Rolls", run), "dice").run(CALL)

    assert "did not work" in said.text
    assert [entry["event"] for entry in logs] == ["plugin_nonsense"]


async def begins(call: CommandCall) -> str:
    return "once upon"


async def fails_to_begin(call: CommandCall) -> str:
    raise RuntimeError("boom")


async def begins_with_nonsense(call: CommandCall) -> str:
    return 7  # type: ignore[return-value] # nonsense is what is tested


async def hangs(call: CommandCall) -> str:
    await asyncio.Event().wait()
    return ""


@pytest.mark.parametrize(
    ("prefill", "text", "events"),
    [
        pytest.param(begins, "once upon", [], id="well"),
        pytest.param(fails_to_begin, "", ["plugin_failed"], id="fails"),
        pytest.param(begins_with_nonsense, "", ["plugin_nonsense"], id="nonsense"),
        pytest.param(hangs, "", ["plugin_too_slow"], id="hangs"),
    ],
)
async def test_a_form_opens_whatever_a_plugin_would_put_in_it(prefill: PrefillText, text: str, events: list[str]) -> None:
    option = Option("story", "What", is_long=True, prefill=prefill)
    (guarded_option,) = guarded(Command(("tell",), "Tells", fine, (option,)), "dice", prefill_seconds=0.01).options
    assert guarded_option.prefill is not None

    with capture_logs() as logs:
        assert await guarded_option.prefill(CALL) == text
    assert [entry["event"] for entry in logs] == events
