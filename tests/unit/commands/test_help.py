import pytest

from bot.app.app import App
from bot.commands.help_themes import Theme, examples_of, theme_of
from bot.commands.parse import ParsedLine, parse_line
from bot.domain.command import Answer, Choice, Command, CommandCall, WhoMay
from bot.llm.offline import OfflineModel
from bot.testing.bot import a_world
from bot.testing.factories import ADA, GROUP, kind_of
from tests.unit.commands.conftest import Typist

COMMANDS = App(a_world(OfflineModel(), [])).inbox.commands
OVERVIEW_LENGTH = 1900


async def asked(typist: Typist, line: str, *, admin: bool) -> Answer:
    return await typist.type(line, conversation=GROUP, admin=admin)


async def test_help_names_every_command_by_theme_and_leads_to_each_theme(typist: Typist) -> None:
    answer = await typist.type("/help")

    for command in typist.desk.commands:
        assert f"`/{command.path[0]}`" in answer.text
        assert command.path[-1] in answer.text
    assert "- **Memory**: `/memory` list · search · add" in answer.text
    assert [(button.label, button.line) for button in answer.buttons][:2] == [("Talking", "help #talking"), ("Memory", "help #memory")]
    assert len(answer.text) <= OVERVIEW_LENGTH


async def test_members_are_shown_what_they_may_run_alone(typist: Typist) -> None:
    member, admin = await asked(typist, "/help", admin=False), await asked(typist, "/help", admin=True)

    assert "Server set-up" not in member.text
    assert "Server set-up" in admin.text
    assert "create" not in (await asked(typist, "/help #personas", admin=False)).text
    assert "Only admins may use `/dream now` here" in (await asked(typist, "/help dream", admin=False)).text
    assert "Only admins may use `/persona use` here" in (await asked(typist, "/help persona use", admin=False)).text


@pytest.mark.parametrize("theme", [theme for theme in Theme if theme is not Theme.MORE])
async def test_a_theme_lists_its_commands_in_pages_that_fit(typist: Typist, theme: Theme) -> None:
    answer = await typist.type(f"/help #{theme}")
    pages = [answer, *([await typist.type(f"/help #{theme} 2")] if answer.buttons[0].label == "›" else [])]

    wanted = {command.name for command in typist.desk.commands if theme_of(command) is theme}
    assert {name for name in wanted if not any(f"`/{name}" in page.text for page in pages)} == set()
    assert all(len(page.text) <= OVERVIEW_LENGTH for page in pages)


@pytest.mark.parametrize("line", ["/help memory", "/memory", "/help /MEMORY"])
async def test_help_on_a_group_shows_its_commands_only(typist: Typist, line: str) -> None:
    answer = await typist.type(line)

    assert answer.text.startswith("**/memory**\n\n- `/memory list [after]` — ")
    assert "persona" not in answer.text


async def test_help_on_a_command_explains_its_options_with_examples(typist: Typist) -> None:
    answer = await typist.type("/help persona use")

    assert answer.text == (
        "`/persona use <persona> [place] [greet]`\n\nChoose who speaks here (admins)\n\n"
        "- `persona` — The persona's name\n"
        "- `place` — here, channel, category or server; here when left out (may be left out)\n"
        "- `greet` — Whether it says its greeting, yes or no; yes when left out (may be left out)\n\n"
        "For example:\n- `/persona use iris here`"
    )
    assert "- `/persona edit iris reminder reset`" in (await typist.type("/help persona edit")).text


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_examples_are_lines_of_their_command(command: Command) -> None:
    parsed = [parse_line(line, COMMANDS) for line in examples_of(command)]

    assert parsed
    assert [line.path for line in parsed if isinstance(line, ParsedLine)] == [command.path] * len(parsed)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_of_baku_has_a_theme(command: Command) -> None:
    assert theme_of(command) is not Theme.MORE


async def test_help_on_what_is_not_there_names_the_nearest(typist: Typist) -> None:
    answer = await typist.type("/help memroy")

    assert answer.text == "There is no command “/memroy”. Did you mean `/memory`?"


async def test_commands_are_suggested_while_they_are_typed_to_those_who_may_run_them(typist: Typist) -> None:
    call = CommandCall(("help",), {}, ADA, GROUP, kind_of(GROUP))

    assert await typist.desk.suggest(call, "command", "/hel") == [Choice("help – See what you can type", "help")]
    assert not any(choice.value.startswith("dream") for choice in await typist.desk.suggest(call, "command", "dre"))


def test_help_asks_the_platform_who_is_an_admin() -> None:
    command = next(known for known in COMMANDS if known.path == ("help",))

    assert (command.who, command.admins_may_more) == (WhoMay.EVERYONE, True)
