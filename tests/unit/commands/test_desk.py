"""Rights, options and failures are dealt with in one place."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.commands.desk import MOST_CHOICES, CommandDesk
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, OptionKind, WhoMay
from bot.domain.message import Person
from bot.errors import BotError, StoreDamaged, StoreError, ToolFailed
from bot.testing.factories import ADA, DIRECT, GROUP, kind_of

CALL = CommandCall(("echo",), {"text": "hi"}, ADA, GROUP, kind_of(GROUP))


async def echo(call: CommandCall) -> Answer:
    return Answer(f"{dict(call.options)}")


async def text_now(call: CommandCall) -> str:
    return f"It says {call.options['text']}"


async def many(call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(typed + "x" * 200, str(number)) for number in range(40)]


ECHO = Command(
    ("echo",), "Says it again", echo, (Option("text", "What to say", suggest=many), Option("times", "How often", OptionKind.NUMBER, False))
)


def failing(error: BotError) -> Command:
    async def fail(call: CommandCall) -> Answer:
        raise error

    async def fail_to_suggest(call: CommandCall, typed: str) -> Sequence[Choice]:
        raise error

    async def fail_to_prefill(call: CommandCall) -> str:
        raise error

    return Command(("echo",), "Fails", fail, (Option("text", "What", suggest=fail_to_suggest, prefill=fail_to_prefill),))


async def test_options_arrive_checked_and_numbers_as_numbers() -> None:
    answer = await CommandDesk([ECHO]).run(replace(CALL, options={"text": " hi ", "times": "3", "stale": "x"}))

    assert answer.text == "{'text': 'hi', 'times': 3}"


async def test_a_missing_option_says_how_the_command_is_typed() -> None:
    answer = await CommandDesk([ECHO]).run(replace(CALL, options={"text": "  "}))

    assert answer == Answer("`/echo` needs one more text: what to say. Type it as `/echo <text> [times]`.", private=True)


async def test_a_command_that_is_not_there_names_the_nearest() -> None:
    answer = await CommandDesk([ECHO]).run(replace(CALL, path=("ecko",)))

    assert answer == Answer("There is no command “/ecko”. Did you mean `/echo`?", private=True)


@pytest.mark.parametrize(
    ("call", "may"),
    [
        pytest.param(CALL, False, id="member of a group"),
        pytest.param(replace(CALL, asker_is_admin=True), True, id="admin of a group"),
        pytest.param(replace(CALL, conversation=DIRECT, kind=kind_of(DIRECT)), True, id="anybody in their own chat"),
        pytest.param(replace(CALL, asker=Person("g", "G", is_service=True), asker_is_admin=True), False, id="nobody in particular"),
    ],
)
async def test_a_command_for_admins_runs_for_admins_only(call: CommandCall, may: bool) -> None:
    answer = await CommandDesk([replace(ECHO, who=WhoMay.ADMINS)]).run(call)

    assert ("hi" in answer.text) is may
    assert answer.private is not may


async def test_a_private_command_answers_in_private() -> None:
    assert (await CommandDesk([replace(ECHO, private=True)]).run(CALL)).private
    assert not (await CommandDesk([ECHO]).run(CALL)).private


@pytest.mark.parametrize("error", [StoreError("locked"), StoreDamaged("torn")])
async def test_trouble_with_the_store_gives_a_friendly_line_and_a_log(error: StoreError) -> None:
    with capture_logs() as logs:
        answer = await CommandDesk([failing(error)]).run(CALL)

    assert answer.text == "I cannot reach my memory just now, and nothing was changed. Try again in a moment."
    assert [(entry["event"], entry["problem"]) for entry in logs] == [("command_without_store", str(error))]


async def test_another_error_of_our_own_is_told_in_its_words() -> None:
    answer = await CommandDesk([failing(ToolFailed("The kettle is broken; use another."))]).run(CALL)

    assert answer == Answer("The kettle is broken; use another.", private=True)


async def test_no_more_choices_than_a_platform_shows_and_no_longer_ones() -> None:
    choices = await CommandDesk([ECHO]).suggest(CALL, "text", "a")

    assert len(choices) == MOST_CHOICES
    assert all(len(choice.label) == 100 for choice in choices)


@pytest.mark.parametrize(("path", "option"), [(("echo",), "times"), (("echo",), "none"), (("none",), "text")])
async def test_where_nothing_can_be_suggested_there_are_no_choices(path: tuple[str, ...], option: str) -> None:
    assert await CommandDesk([ECHO]).suggest(replace(CALL, path=path), option, "a") == ()


async def test_choices_of_a_command_for_admins_are_for_admins_only() -> None:
    desk = CommandDesk([replace(ECHO, who=WhoMay.ADMINS)])

    assert await desk.suggest(CALL, "text", "a") == ()
    assert await desk.suggest(replace(CALL, asker_is_admin=True), "text", "a")


async def test_what_stands_in_a_form_is_for_who_may_run_the_command_and_nothing_where_there_is_trouble() -> None:
    form = replace(ECHO, options=(Option("text", "What", prefill=text_now), Option("more", "What else")), who=WhoMay.ADMINS)
    admin = replace(CALL, asker_is_admin=True)

    assert await CommandDesk([form]).prefill(admin, "text") == "It says hi"
    assert [await CommandDesk([form]).prefill(admin, option) for option in ("more", "none")] == ["", ""]
    assert await CommandDesk([form]).prefill(CALL, "text") == ""
    assert await CommandDesk([form]).prefill(replace(admin, path=("none",)), "text") == ""
    assert await CommandDesk([failing(StoreError("locked"))]).prefill(CALL, "text") == ""


async def test_suggestions_without_a_store_are_none() -> None:
    assert await CommandDesk([failing(StoreError("locked"))]).suggest(CALL, "text", "a") == ()


async def test_of_two_commands_with_one_name_the_first_counts() -> None:
    desk = CommandDesk([ECHO, failing(StoreError("locked"))])

    assert "hi" in (await desk.run(CALL)).text
    assert desk.commands == (ECHO,)


async def test_the_asker_is_answered_in_their_language_and_by_none_of_the_next() -> None:
    desk = CommandDesk([ECHO])

    answers = [await desk.run(replace(CALL, path=("ecko",), language=language)) for language in ("de-AT", "ja", "fi")]

    assert [answer.text for answer in answers] == [
        "Einen Befehl „/ecko“ gibt es nicht. Meintest du `/echo`?",
        "「/ecko」というコマンドはありません。`/echo` のことですか。",
        "There is no command “/ecko”. Did you mean `/echo`?",
    ]
