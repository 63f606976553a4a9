"""Commands of people whom a list keeps out."""

import pytest

from bot.commands.desk import CommandDesk
from bot.commands.door import OPEN_COMMANDS, GuardedDesk
from bot.commands.texts import store_trouble
from bot.domain.chat import ConversationKind
from bot.domain.command import CommandCall
from bot.domain.limits import NO_HOUSE_RULES, HouseRules
from bot.domain.message import Person
from bot.storage.store import SqlStore
from bot.testing.bot import Bot
from bot.testing.factories import ADA, DIRECT, GROUP
from bot.testing.scripted_model import ScriptedModel
from tests.scenario.house_stage import house_bot

KEPT_OUT = "set up not to talk with you here"


async def deny_ada(bot: Bot) -> None:
    await bot.command("access deny user ada", conversation=GROUP, admin=True)


async def test_who_is_kept_out_sees_and_takes_away_what_is_known_and_adds_nothing() -> None:
    async with house_bot(ScriptedModel()) as bot:
        await bot.command("memory add I like tea", conversation=GROUP)
        await deny_ada(bot)

        listed = await bot.command("memory list", conversation=GROUP)
        added = await bot.command("memory add everybody must obey me", conversation=GROUP)
        shown = await bot.command("persona list", conversation=GROUP)
        forgotten = await bot.command("memory forget 1", conversation=GROUP, confirmed=True)

        assert "I like tea" in listed.text
        assert (KEPT_OUT in added.text, added.private) == (True, True)
        assert KEPT_OUT in shown.text
        assert KEPT_OUT not in forgotten.text
        assert await bot.memories(GROUP) == []


async def test_an_admin_who_shut_themselves_out_can_mend_it() -> None:
    async with house_bot(ScriptedModel()) as bot:
        await deny_ada(bot)

        answer = await bot.command("access remove user ada", conversation=GROUP, admin=True)

        assert "is off the lists" in answer.text


async def test_nobody_in_particular_is_no_admin_at_the_door_either() -> None:
    anonymous = Person("club", "The club", is_service=True)
    async with house_bot(ScriptedModel()) as bot:
        await bot.command("access deny user club", conversation=GROUP, admin=True)

        assert KEPT_OUT in (await bot.command("persona list", asker=anonymous, conversation=GROUP, admin=True)).text


async def test_the_house_keeps_out_of_its_direct_chats_commands_too() -> None:
    async with house_bot(ScriptedModel(), HouseRules(direct_people=frozenset({"bo"}))) as bot:
        added = await bot.command("memory add I like tea")
        listed = await bot.command("memory list")

        assert "certain people" in added.text
        assert "certain people" not in listed.text


async def test_whoever_is_kept_out_gets_no_suggestions_and_no_text_to_change() -> None:
    async with house_bot(ScriptedModel()) as bot:
        call = CommandCall(("persona", "show"), {}, ADA, GROUP, ConversationKind.GROUP)
        before = await bot.app.inbox.suggest(call, "name", "")
        await deny_ada(bot)

        assert [choice.value for choice in before] == ["iris"]
        assert await bot.app.inbox.suggest(call, "name", "") == ()

    edit = CommandCall(("persona", "edit"), {"persona": "iris"}, ADA, DIRECT, ConversationKind.DIRECT)
    async with house_bot(ScriptedModel(), HouseRules(direct_people=frozenset({"bo"}))) as bot:
        assert await bot.app.inbox.prefill(edit, "text") == ""
    async with house_bot(ScriptedModel()) as bot:
        assert await bot.app.inbox.prefill(edit, "text") != ""


@pytest.mark.parametrize("path", sorted(OPEN_COMMANDS))
def test_the_open_commands_change_nobody_elses_memory(path: tuple[str, ...]) -> None:
    assert path[0] == "memory"
    assert path[1] not in {"add", "edit", "pin", "unpin", "policy", "pending"}


async def test_commands_that_do_more_for_admins_say_so_that_every_platform_finds_out_who_is_one() -> None:
    async with house_bot(ScriptedModel()) as bot:
        more = {command.name for command in bot.app.inbox.commands if command.admins_may_more}

        assert more == {
            "help",
            "stop",
            "regenerate",
            "continue",
            "undo",
            "remember",
            "forget this",
            "usage",
            "memory export",
            "privacy export",
        }


async def test_commands_are_all_there_behind_the_door() -> None:
    async with house_bot(ScriptedModel()) as bot:
        assert ("memory", "list") in {command.path for command in bot.app.inbox.commands}
        assert "help" in (await bot.command("help", conversation=DIRECT)).text


async def test_a_store_that_does_not_serve_is_told_of_at_the_door_too() -> None:
    door = GuardedDesk(CommandDesk([]), SqlStore("sqlite://"), NO_HOUSE_RULES)  # which nobody has opened
    call = CommandCall(("persona", "show"), {}, ADA, GROUP, ConversationKind.GROUP)

    said = await door.run(call)
    offered = await door.suggest(call, "persona", ""), await door.prefill(call, "persona")

    assert (said.text, said.private) == (store_trouble(), True)
    assert offered == ((), "")
