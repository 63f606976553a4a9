from dataclasses import replace

import pytest

from bot.commands.settings import THEMES
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import GROUP, a_persona
from bot.testing.scripted_model import ScriptedModel

THREAD = replace(GROUP, thread_id="t1")


async def lines_of(bot: Bot) -> dict[str, str]:
    answer = await bot.command("settings", conversation=THREAD, admin=True)
    assert len(answer.text) <= 2000
    rows = (row.removeprefix("- `/").partition("`: ") for row in answer.text.splitlines() if row.startswith("- `/"))
    return {command: row for command, _, row in rows}


async def test_all_that_is_set_is_shown_with_its_value_its_origin_and_its_command() -> None:
    async with make_bot(ScriptedModel(), personas=[a_persona(), a_persona("otto", name="Otto")]) as bot:
        before = await lines_of(bot)
        for line in (
            "persona use otto server",
            "persona schedule otto 22:00 06:00 UTC",
            "persona invite iris channel no",
            "speak mode every channel",
            "speak streams off",
            "memory policy decay_per_day 0.03",
            "limits set person 3",
            "access deny user 5",
            "privacy retention 7",
            "language de",
            "timezone Asia/Tokyo here",
        ):
            await bot.command(line, conversation=THREAD, admin=True)
        await bot.command("memory scope server", conversation=THREAD, admin=True, confirmed=True)
        after = await lines_of(bot)

    assert before["persona use"] == "**Iris** – who speaks here (as usual)"
    assert before["speak mode"] == "**mentions** – what I answer in a group (as usual)"
    assert before["access show"] == "**everybody** – who may talk to me (as usual)"
    assert "speak streams" not in before
    assert after == {
        **before,
        "persona use": "**Otto** – who speaks here (set for everywhere)",
        "persona invite": "**iris** – further personas that answer here (set for this channel)",
        "persona schedule": "**22:00-06:00 UTC otto** – hours of other personas (set here)",
        "speak mode": "**every** – what I answer in a group (set for this channel)",
        "speak streams": "**off** – people see my answers grow (set here)",
        "memory policy": "**on, default** – how strongly I remember (1 set here)",
        "memory scope": "**server** – whether public channels share what I remember (set for everywhere)",
        "dream schedule": "**03:00 (UTC)** – when I dream (as usual)",
        "limits set": "**person 3** – limits of this place's own (1 set here)",
        "access show": "**0 allowed, 1 denied** – who may talk to me (1 set here)",
        "privacy retention": "**7** – days for which messages are kept (set for everywhere)",
        "language": "**de** – the language of my own notices (set for everywhere)",
        "timezone": "**Asia/Tokyo** – the time zone (set here)",
    }


async def test_a_direct_chat_shows_what_is_ones_own() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("privacy optout")
        answer = await bot.command("settings")

    assert answer.text.startswith("**What is set in our chat**")
    assert "- `/privacy optin`: **off** – whether I may remember you" in answer.text
    assert "/speak" not in answer.text
    assert "settings access" not in [button.line for button in answer.buttons]


@pytest.mark.parametrize("theme", THEMES)
async def test_buttons_lead_to_the_themes_and_back(theme: str) -> None:
    async with make_bot(ScriptedModel()) as bot:
        overview = await bot.command("settings", conversation=GROUP, admin=True)
        answer = await bot.command(f"settings {theme}", conversation=GROUP, admin=True)
        shown = await bot.command(" ".join(THEMES[theme]), conversation=GROUP, admin=True)

    assert f"settings {theme}" in [button.line for button in overview.buttons]
    assert answer.text == shown.text
    assert answer.buttons[-1].line == "settings"
    assert (answer.private, len(overview.buttons) <= 20) == (True, True)


async def test_settings_are_for_admins() -> None:
    async with make_bot(ScriptedModel()) as bot:
        assert "Only admins may use" in (await bot.command("settings", conversation=GROUP)).text
