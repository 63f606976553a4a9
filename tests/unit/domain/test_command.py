"""Who counts as an admin, and who may run what: one rule for all commands and platforms."""

from dataclasses import replace

import pytest

from bot.domain.command import Answer, Button, Command, CommandCall, WhoMay, button_rows, is_admin, may_run
from bot.domain.message import Person
from bot.testing.factories import ADA, DIRECT, GROUP, kind_of

MEMBER = CommandCall(("set",), {}, ADA, GROUP, kind_of(GROUP))
NOBODY = Person("club", "The club", is_service=True)


async def run(call: CommandCall) -> Answer:
    return Answer("")


@pytest.mark.parametrize(
    ("call", "is_one"),
    [
        pytest.param(MEMBER, False, id="member of a group"),
        pytest.param(replace(MEMBER, asker_is_admin=True), True, id="admin of a group"),
        pytest.param(replace(MEMBER, conversation=DIRECT, kind=kind_of(DIRECT)), True, id="anybody in their own chat"),
        pytest.param(replace(MEMBER, asker=NOBODY, asker_is_admin=True), False, id="nobody in particular"),
    ],
)
def test_admins_may_run_all_and_everybody_what_is_for_everybody(call: CommandCall, is_one: bool) -> None:
    for_all = Command(("set",), "Set", run)

    assert is_admin(call) is is_one
    assert may_run(replace(for_all, who=WhoMay.ADMINS), call) is is_one
    assert may_run(for_all, call)


def test_buttons_that_turn_stand_in_other_rows_than_those_that_choose() -> None:
    choices, turns = [Button(str(number), "x") for number in range(4)], [Button(label, "x", turns=True) for label in "‹›"]

    rows = button_rows([*choices, *turns], 3)

    assert [[button.label for button in row] for row in rows] == [["0", "1", "2"], ["3"], ["‹", "›"]]
