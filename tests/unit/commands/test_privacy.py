"""What people are told about their privacy, and their say in it."""

from dataclasses import replace

import pytest

from bot.commands import privacy_texts as texts
from bot.domain.chat import CONSOLE, ConversationKey
from bot.domain.command import Confirmation
from bot.domain.message import Person
from bot.domain.privacy import Keeping
from bot.testing.bot import Bot, a_world, make_bot
from bot.testing.factories import ADA, BO, DIRECT, GROUP
from bot.testing.scripted_model import ScriptedModel

NOBODY = Person("group", "Group", is_service=True)


async def is_out(bot: Bot, person: Person = ADA) -> bool:
    """Say whether a person has opted out."""
    async with bot.store.read() as tx:
        return bool(await tx.people.out("discord", [person.id]))


async def test_the_bare_command_shows_the_page_with_a_button() -> None:
    async with make_bot(ScriptedModel()) as bot:
        answer = await bot.command("privacy")
        same = await bot.command("privacy show")

    assert answer == same
    assert answer.private
    assert answer.confirmation == Confirmation(texts.OPT_OUT_LABEL, "privacy optout")
    for wanted in ("90 days", "stays on the machine", "you alone", "/privacy erase", "/privacy export", "/privacy optout"):
        assert wanted in answer.text


async def test_pressing_the_button_opts_out_and_the_next_page_offers_the_way_back() -> None:
    async with make_bot(ScriptedModel()) as bot:
        assert (await bot.command("privacy optout", confirmed=True)).text == texts.opted_out()
        assert await is_out(bot)
        assert (await bot.command("privacy optout")).text == texts.opted_out_already()

        page = await bot.command("privacy", conversation=GROUP)
        assert page.confirmation == Confirmation(texts.OPT_IN_LABEL, "privacy optin")
        assert "You opted out" in page.text

        assert (await bot.command("privacy optin")).text == texts.opted_in()
        assert (await bot.command("privacy optin")).text == texts.opted_in_already()
        assert not await is_out(bot)


@pytest.mark.parametrize("command", ["optout", "optin", "export"])
async def test_nobody_in_particular_has_no_say(command: str) -> None:
    async with make_bot(ScriptedModel()) as bot:
        answer = await bot.command(f"privacy {command}", asker=NOBODY, conversation=GROUP)

        assert answer.text == texts.nobody()
        assert not await is_out(bot, NOBODY)


async def test_whoever_opted_out_cannot_add_a_memory_and_learns_why() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("privacy optout")

        assert (await bot.command("memory add I like tea")).text == texts.cannot_remember()
        assert await bot.memories() == []


async def test_a_page_tells_hosts_and_whom_to_ask_and_never_more() -> None:
    keeping = Keeping(30, "api.example.org", "vectors.example.org", "ops@example.org")

    page = texts.page("Iris", keeping, 0, is_direct=False, is_out=False, remembers=False)

    for wanted in ("api.example.org", "vectors.example.org", "ops@example.org", "kept until they are erased", "remembers no facts"):
        assert wanted in page.replace("\u200b", "").replace("\\", "")


async def test_admins_shorten_how_long_messages_are_kept() -> None:
    async with make_bot(ScriptedModel()) as bot:
        assert "Only admins" in (await bot.command("privacy retention 7", conversation=GROUP)).text
        assert "after 90 days" in (await bot.command("privacy retention", conversation=GROUP, admin=True)).text
        assert "after 7 days" in (await bot.command("privacy retention 7", conversation=GROUP, admin=True)).text
        assert "after 7 days" in (await bot.command("privacy", conversation=GROUP, asker=BO)).text
        assert "after 90 days" in (await bot.command("privacy")).text
        assert (await bot.command("privacy retention 99999", conversation=GROUP, admin=True)).text == texts.wrong_days(99999)
        assert "after 90 days" in (await bot.command("privacy retention 400", conversation=GROUP, admin=True)).text
        assert "after 90 days" in (await bot.command("privacy retention 0", conversation=GROUP, admin=True)).text


async def test_erasing_asks_first_and_then_takes_everything() -> None:
    async with make_bot(ScriptedModel("Hello.")) as bot:
        await bot.say("I like tea")
        question = await bot.command("privacy erase")
        assert question.confirmation is not None
        assert question.confirmation.line == "privacy erase"

        await bot.command("privacy erase", confirmed=True)

        async with bot.store.read() as tx:
            assert await tx.messages.history(DIRECT, limit=9) == []


async def test_the_terminal_gets_no_button_as_that_would_take_the_next_line() -> None:
    async with make_bot(ScriptedModel()) as bot:
        answer = await bot.command("privacy", conversation=ConversationKey(CONSOLE, "main", "main"))

    assert answer.confirmation is None


def test_a_world_of_tests_keeps_what_is_usual() -> None:
    assert replace(a_world(ScriptedModel(), []).keeping) == Keeping(90)
