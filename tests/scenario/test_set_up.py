"""Admins set a place up with buttons and see all that is set, on each platform."""

from functools import partial
from pathlib import Path

from bot.domain.chat import TELEGRAM
from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.objects import Message, Overwrite
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.messages import Message as TelegramMessage
from tests.scenario.console_stage import piped
from tests.scenario.discord_stage import discord_bot
from tests.scenario.telegram_stage import telegram_bot

PERSONAS = [a_persona("iris", name="Iris"), a_persona("basil", name="Basil")]


def has_more_versions(message: TelegramMessage, count: int) -> bool:
    return len(message.versions) > count


async def test_a_discord_server_is_set_up_from_missing_rights_to_what_to_try_next() -> None:
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        boss = discord.person("Boss", guild, roles=[discord.role(guild, "manager", Permission.MANAGE_GUILD)])
        general = discord.channel(guild, "general", overwrites=[Overwrite(guild.id, deny=Permission.READ_MESSAGE_HISTORY)])

        async with discord_bot(discord, ScriptedModel(), personas=PERSONAS) as app:
            shown = await discord.slash(boss, general, "setup").answer()

            async def press(label: str) -> Message:
                before = shown.content
                discord.click(boss, shown, label)
                await discord.changes.until(lambda: shown.content != before, f"what {label!r} does")
                return shown

            rights = shown.content
            seen = [(await press(label)).content.splitlines()[0] for label in ("Next ›", "Basil", "Next ›", "Every message", "Next ›")]
            question = (await press("They share")).content
            await press("Share in this server")
            for label in ("Next ›", "Deutsch", "Europe/Vienna", "Next ›"):
                await press(label)
            end = shown.content
            settings = await discord.slash(boss, general, "settings").answer()
            async with app.store.read() as tx:
                kept = dict(await tx.settings.all("discord", str(guild.id)))

    assert "Read Message History" in rights
    assert [line.partition(":")[0] for line in seen] == [f"**Set-up {number} of 5" for number in (2, 2, 3, 3, 4)]
    assert "Shall what is told in one room be known in the others?" in question
    assert kept == {"speak.mode": "every", "audience": "space", "language": "de", "time_zone": "Europe/Vienna"}
    assert all(value in end for value in ("**Basil**", "**every**", "**server**", "**de**", "**Europe/Vienna**", "What to try next:"))
    assert "**Basil** – who speaks here (set for everywhere)" in settings.content
    assert settings.ephemeral
    assert len(discord.said_by_bot(general)) == 0


async def test_a_telegram_group_is_set_up_from_the_private_chat_in_which_the_steps_come() -> None:
    async with TelegramEmulator() as telegram:
        owner = telegram.scene.person("Ada")
        group, dm = telegram.scene.group("Tea house", owner), telegram.scene.private(owner)

        async with telegram_bot(telegram, ScriptedModel(), personas=PERSONAS) as app:
            telegram.people.says(group, owner, "/setup")
            shown = await telegram.next_reply(dm)
            for count, button in enumerate(("Next ›", "Basil", "Next ›", "My name and keywords too"), len(shown.versions)):
                telegram.people.presses(shown, owner, button)
                await telegram.until(partial(has_more_versions, shown, count))
            telegram.people.says(group, owner, "/settings")
            settings = await telegram.next_reply(dm)
            async with app.store.read() as tx:
                kept = dict(await tx.settings.all(TELEGRAM, str(group.id)))

    assert "Set-up 3 of 5: When I speak" in shown.text
    assert "✓ My name and keywords too" in shown.button_texts
    assert kept == {"speak.mode": "names"}
    assert "Basil – who speaks here (set for everywhere)" in settings.text


async def test_in_a_terminal_the_choices_are_lines_that_can_be_typed(tmp_path: Path) -> None:
    done = await piped(tmp_path, "/setup\n/setup home ja\n/setup home Asia/Tokyo\n/settings\n")

    assert "Set-up 1 of 2: Who speaks" in done.out
    assert "- `/setup home Asia/Tokyo` – Asia/Tokyo ✓" in done.out
    assert "`/timezone`: **Asia/Tokyo**" in done.out
