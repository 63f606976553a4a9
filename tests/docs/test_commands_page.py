"""docs/commands.md lists every command and every value of a memory policy, as they are."""

import re

import pytest

from bot.app.app import App
from bot.commands.policy_texts import written
from bot.commands.texts import usage
from bot.domain.command import Command
from bot.domain.persona import SEED, MemoryPolicy
from bot.llm.offline import OfflineModel
from bot.memory.policy import RULES
from bot.testing.bot import a_world
from tests.docs.pages import Page

PAGE = Page("docs/commands.md")
COMMANDS = App(a_world(OfflineModel(), [])).inbox.commands


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_has_its_row(command: Command) -> None:
    assert f"| {usage(command)} | {command.summary} | {command.who} |" in PAGE.text


def test_the_page_lists_no_other_command() -> None:
    listed = re.findall(r"^\| `/", PAGE.text, re.MULTILINE)

    assert len(listed) == len(COMMANDS)


@pytest.mark.parametrize("name", RULES)
def test_a_value_of_the_policy_has_its_row(name: str) -> None:
    usual, seed = (written(getattr(policy, name)) for policy in (MemoryPolicy(), SEED))

    assert f"| `{name}` | {usual} | {seed} | {RULES[name].allowed} | {RULES[name].meaning} |" in PAGE.text
