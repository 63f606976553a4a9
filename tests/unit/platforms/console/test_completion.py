import pytest

from bot.domain.chat import ConversationKind, console_conversation
from bot.domain.command import CommandCall
from bot.platforms.console.adapter import LEAVING
from bot.platforms.console.completion import Completion
from tests.unit.platforms.console.stage import ADA, ScriptedInbox


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("hello", [], id="a message"),
        pytest.param("/", ["exit", "memory forget", "memory list", "quit"], id="a slash"),
        pytest.param("/mem", ["memory forget", "memory list"], id="a group"),
        pytest.param("/memory f", ["memory forget"], id="a command"),
        pytest.param("/memory list", [], id="a whole command"),
        pytest.param("/memory list ", [], id="no option"),
        pytest.param("/memory forget ", ["3"], id="an option"),
        pytest.param("/memory forget 3 ", [], id="past the last option"),
    ],
)
async def test_commands_and_their_options_are_completed(typed: str, offered: list[str]) -> None:
    call = CommandCall((), {}, ADA, console_conversation(), ConversationKind.DIRECT)
    completion = Completion(ScriptedInbox(), call, LEAVING)

    found = await completion.suggestions(typed)

    assert [each.text for each in found] == offered
    assert all(typed[len(typed) - each.replaces :] in each.text for each in found)
