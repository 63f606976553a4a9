"""Admins keep lists of who may talk to the bot, and where."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.commands.access import access_commands
from bot.commands.desk import CommandDesk
from bot.domain.access import MOST_RULES
from bot.domain.chat import TELEGRAM, ConversationKey
from bot.domain.command import CommandCall
from bot.domain.message import Quote
from bot.testing.factories import ADA, BO, DIRECT, GROUP, kind_of
from tests.unit.commands.conftest import Typist

TOPIC = ConversationKey(TELEGRAM, "group", "-1001", "7")


@pytest.fixture
def desk(typist: Typist) -> Typist:
    return replace(typist, desk=CommandDesk(access_commands(typist.store)))


async def told(desk: Typist, line: str, *, conversation: ConversationKey = GROUP) -> str:
    return (await desk.type(line, conversation=conversation, admin=True)).text


async def settings(desk: Typist, space: Sequence[str] = ("discord", "club")) -> list[str]:
    async with desk.store.read() as tx:
        return list(await tx.settings.all(space[0], space[1]))


async def test_without_lists_everybody_may_talk(desk: Typist) -> None:
    assert "Everybody may talk to me here" in await told(desk, "/access show")


async def test_a_list_is_shown_with_what_it_means(desk: Typist) -> None:
    for line in ("allow <@&7>", "allow <@5>", "allow <#20>", "deny <@9>"):
        await told(desk, f"/access {line}")

    page = await told(desk, "/access show")

    assert page.splitlines()[:3] == ["- **May talk to me:** <@&7>, <@5>", "- **Where:** <#20>", "- **Never:** <@9>"]


async def test_who_is_put_on_one_list_leaves_the_other(desk: Typist) -> None:
    await told(desk, "/access allow <@5>")
    answer = await told(desk, "/access deny <@5>")

    assert answer.startswith("<@5> is denied from now on.")
    assert await settings(desk) == ["access.deny.user:5"]


async def test_who_is_removed_is_on_neither(desk: Typist) -> None:
    await told(desk, "/access deny user 5")

    assert "is off the lists" in await told(desk, "/access remove <@5>")
    assert "is on neither list" in await told(desk, "/access remove <@5>")
    assert await settings(desk) == []


async def test_the_same_twice_changes_nothing(desk: Typist) -> None:
    await told(desk, "/access deny here")

    assert "on that list already" in await told(desk, "/access deny here")
    assert await settings(desk) == ["access.deny.channel:lounge"]


@pytest.mark.parametrize(
    ("line", "conversation", "said"),
    [
        pytest.param("/access deny Ada", GROUP, "I cannot tell whom “Ada” means. Mention them, or write `user 123`", id="a name"),
        pytest.param("/access deny 123", GROUP, "I cannot tell whom “123” means", id="a bare number"),
        pytest.param("/access deny role 5", TOPIC, "no roles on this platform", id="roles where there are none"),
        pytest.param("/access deny @ada", TOPIC, "Write `user 123`, `topic 123`", id="a name on Telegram"),
        pytest.param("/access deny user 5", DIRECT, "nobody else here", id="direct chat"),
        pytest.param("/access show", DIRECT, "nobody else here", id="shown in a direct chat"),
    ],
)
async def test_a_mistake_is_answered_with_what_to_type(desk: Typist, line: str, conversation: ConversationKey, said: str) -> None:
    assert said in await told(desk, line, conversation=conversation)


async def test_a_topic_is_named_by_being_there(desk: Typist) -> None:
    answer = await told(desk, "/access allow here", conversation=TOPIC)

    assert answer.startswith("Channel `7` is allowed from now on.")
    assert await settings(desk, ("telegram", "group")) == ["access.allow.channel:7"]


async def test_the_lists_end_somewhere(desk: Typist) -> None:
    async with desk.store.write() as tx:
        for number in range(MOST_RULES):
            await tx.settings.set("discord", "club", f"access.deny.user:{number}", "1")

    assert f"{MOST_RULES} lines at most" in await told(desk, "/access deny <@1000>")
    assert "is allowed" in await told(desk, "/access allow <@5>")


async def test_others_than_admins_are_refused(desk: Typist) -> None:
    answers = [await desk.type(f"/access {line}", conversation=GROUP) for line in ("show", "allow here", "deny <@5>", "remove <@5>")]

    assert all("Only admins" in answer.text for answer in answers)
    assert await settings(desk) == []


async def test_this_place_is_suggested(desk: Typist) -> None:
    call = CommandCall(("access", "allow"), {}, ADA, GROUP, kind_of(GROUP), asker_is_admin=True)

    assert [choice.value for choice in await desk.desk.suggest(call, "whom", "he")] == ["here"]
    assert await desk.desk.suggest(call, "whom", "x") == []


async def test_who_wrote_the_message_that_the_command_replies_to_is_suggested(desk: Typist) -> None:
    call = CommandCall(("access", "deny"), {}, ADA, GROUP, kind_of(GROUP), asker_is_admin=True, about=Quote("m1", BO, "buy my coins"))

    assert [(choice.label, choice.value) for choice in await desk.desk.suggest(call, "whom", "")][:1] == [("Bo", "user bo")]
