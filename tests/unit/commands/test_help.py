import pytest

from bot.domain.command import Choice, CommandCall
from bot.testing.factories import ADA, GROUP, kind_of
from tests.unit.commands.conftest import Typist


async def test_help_shows_every_command_as_it_is_typed(typist: Typist) -> None:
    answer = await typist.type("/help")

    for command in typist.desk.commands:
        assert f"`/{command.name}" in answer.text
        assert command.summary in answer.text
    assert "`/memory edit <number> <text>` — Correct something I remember about you\n" in answer.text
    assert "`/persona use <persona> [place] [greet]` — Choose who speaks here (admins)\n" in answer.text


@pytest.mark.parametrize("line", ["/help memory", "/memory", "/help /MEMORY"])
async def test_help_on_a_group_shows_its_commands_only(typist: Typist, line: str) -> None:
    answer = await typist.type(line)

    assert answer.text.startswith("**/memory**\n\n- `/memory list [after]` — ")
    assert "persona" not in answer.text


async def test_help_on_a_command_explains_its_options(typist: Typist) -> None:
    answer = await typist.type("/help persona use")

    assert answer.text == (
        "`/persona use <persona> [place] [greet]`\n\nChoose who speaks here (admins)\n\n"
        "- `persona` — The persona's name\n"
        "- `place` — here, channel, category or server; here when left out (may be left out)\n"
        "- `greet` — Whether it says its greeting, yes or no; yes when left out (may be left out)"
    )


async def test_help_on_what_is_not_there_names_the_nearest(typist: Typist) -> None:
    answer = await typist.type("/help memroy")

    assert answer.text == "There is no command “/memroy”. Did you mean `/memory`?"


async def test_commands_are_suggested_while_they_are_typed(typist: Typist) -> None:
    call = CommandCall(("help",), {}, ADA, GROUP, kind_of(GROUP))

    assert await typist.desk.suggest(call, "command", "/hel") == [Choice("help – See what you can type", "help")]
