"""Admins see and set what the bot answers and spends in their server."""

from dataclasses import replace

import pytest

from bot.commands.desk import CommandDesk
from bot.commands.limits import limits_commands
from bot.domain.command import CommandCall
from bot.domain.limits import GENEROUS, LIMITS, HouseRules
from bot.domain.model import Usage
from bot.domain.persona import Personas
from bot.domain.text import utf16_length
from bot.testing.factories import ADA, DIRECT, GROUP, kind_of
from tests.unit.commands.conftest import IRIS, ROSE, Typist

HOUSE = HouseRules(replace(GENEROUS, tokens_day=1_000_000))


@pytest.fixture
def desk(typist: Typist) -> Typist:
    personas = Personas({persona.id: persona for persona in (IRIS, ROSE)}, "iris")
    return replace(typist, desk=CommandDesk(limits_commands(typist.store, personas, typist.clock, HOUSE)))


async def told(desk: Typist, line: str) -> str:
    return (await desk.type(line, conversation=GROUP, admin=True)).text


async def spend(desk: Typist, tokens: int, persona_id: str) -> None:
    async with desk.store.write() as tx:
        await tx.usage.add(GROUP, persona_id, Usage("m", tokens, 1), desk.clock.now())


async def test_all_limits_are_shown_with_what_is_used(desk: Typist) -> None:
    await spend(desk, 1200, "iris")
    await spend(desk, 33, "rose")
    desk.clock.move(seconds=24 * 3600)
    await spend(desk, 9, "iris")
    await told(desk, "/limits set person 4")

    page = await told(desk, "/limits show")

    rows = [line.split() for line in page.split("```")[1].splitlines() if line]
    assert rows == [
        ["limit", "at", "most", "used"],
        ["person", "4*"],
        ["conversation", "30"],
        ["server", "120"],
        ["tokens_day", "1,000,000", "10"],
        ["tokens_month", "–", "1,245"],
        ["persona_day", "–", "10"],
        ["persona_month", "–", "1,211"],
        ["bots", "never"],
    ]
    assert utf16_length(page) <= 2000
    assert max(len(line) for line in page.split("```")[1].splitlines()) <= 40


async def test_a_limit_is_set_and_taken_back(desk: Typist) -> None:
    set_to = await told(desk, "/limits set tokens_day 50,000")
    reset = await told(desk, "/limits set tokens_day reset")

    assert set_to == (
        "`tokens_day` (tokens that I may use here in a day) is 50,000 here from now on. `/limits set tokens_day reset` takes that back."
    )
    assert reset == "`tokens_day` (tokens that I may use here in a day) is 1,000,000 here from now on."


async def test_no_admin_widens_what_the_operator_has_set(desk: Typist) -> None:
    answer = await told(desk, "/limits set person 500")

    assert "is 10 here from now on. Whoever runs me allows no more than that, so 500 stays without effect." in answer


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("/limits set persn 3", "Did you mean `person`?", id="misspelt"),
        pytest.param("/limits set person lots", "`person` is a whole number from 0 to 1,000", id="no number"),
        pytest.param("/limits set person -3", "`person` is a whole number from 0 to 1,000", id="negative"),
    ],
)
async def test_a_mistake_is_answered_with_what_to_type(desk: Typist, line: str, said: str) -> None:
    assert said in await told(desk, line)
    assert "*" not in (await told(desk, "/limits show")).split("```")[1]


async def test_others_than_admins_are_refused(desk: Typist) -> None:
    answers = [await desk.type(line, conversation=GROUP) for line in ("/limits show", "/limits set person 1")]

    assert all("Only admins" in answer.text for answer in answers)


async def test_in_a_direct_chat_people_limit_themselves(desk: Typist) -> None:
    await desk.type("/limits set person 2")

    assert "2*" in (await desk.type("/limits show", conversation=DIRECT)).text
    assert "2*" not in await told(desk, "/limits show")


async def test_names_are_suggested_with_what_they_mean(desk: Typist) -> None:
    call = CommandCall(("limits", "set"), {}, ADA, GROUP, kind_of(GROUP), asker_is_admin=True)

    choices = await desk.desk.suggest(call, "name", "persona")

    assert [choice.value for choice in choices] == ["persona_day", "persona_month"]
    assert len(await desk.desk.suggest(call, "name", "")) == len(LIMITS)
