"""docs/privacy.md is true: its commands run, its numbers are those of the code."""

import re

import pytest

from bot.app.app import App
from bot.commands.parse import ParsedLine, parse_line
from bot.domain.command import Answer
from bot.domain.message import Person
from bot.domain.privacy import MARGIN_DAYS, RETENTION_DAYS, Keeping
from bot.jobs.retention import Retention
from bot.testing.bot import a_world, make_bot
from bot.testing.factories import DIRECT, GROUP
from bot.testing.scripted_model import ScriptedModel
from tests.docs.pages import Page

PAGE = Page("docs/privacy.md")
NAMED = tuple(dict.fromkeys(re.findall(r"`/([^`]+)`", PAGE.text)))
COMMANDS = App(a_world(ScriptedModel(), [])).inbox.commands
OF_PRIVACY = [command for command in COMMANDS if command.path[0] in {"privacy", "forget"} or command.path == ("memory", "export")]


@pytest.mark.parametrize("conversation", [DIRECT, GROUP], ids=["direct", "group"])
@pytest.mark.parametrize("line", NAMED)
async def test_each_command_does_something(line: str, conversation: object) -> None:
    place = GROUP if conversation is GROUP else DIRECT
    async with make_bot(ScriptedModel("Good to know.")) as bot:
        await bot.command("memory add I like tea", conversation=place)
        await bot.say("I like tea", conversation=place)
        parsed = parse_line(line, bot.app.inbox.commands)
        assert isinstance(parsed, ParsedLine), parsed

        answer: Answer = await bot.command(line, conversation=place, admin=True)
        if answer.confirmation is not None:
            assert (await bot.command(answer.confirmation.line, conversation=place, admin=True, confirmed=True)).text

    assert answer.private
    assert answer.text
    assert not re.search(r"no such|There is no (?!server)|Nothing about", answer.text)


@pytest.mark.parametrize("command", OF_PRIVACY, ids=lambda command: command.name)
def test_every_command_on_privacy_is_named(command: object) -> None:
    name = getattr(command, "name", "")

    assert name == "privacy show" or any(line.startswith(name) for line in NAMED)


def test_the_days_are_those_of_the_code() -> None:
    assert f"after {RETENTION_DAYS} days" in PAGE.text
    assert f"stays {MARGIN_DAYS} days" in PAGE.text
    assert Keeping().days == RETENTION_DAYS
    assert Retention.__dataclass_fields__["keeping"].default_factory is Keeping


async def test_whoever_opts_out_is_told_what_the_page_says() -> None:
    async with make_bot(ScriptedModel()) as bot:
        told = (await bot.command("privacy optout", asker=Person("9", "Nine"))).text

    for name in ("/privacy erase", "/privacy optin"):
        assert f"`{name}`" in told
        assert f"`{name}`" in PAGE.text


def test_the_lines_for_operators_are_options_of_the_command() -> None:
    (lines,) = PAGE.blocks("sh")

    assert re.findall(r"--(\w+) \S+ --out", lines) == ["person", "conversation", "space"]
