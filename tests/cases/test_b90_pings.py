"""Whom an answer may ping, whatever the model writes."""

import pytest

from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot


@pytest.mark.parametrize("who", ["@everyone", "@here", "role", "member"])
async def test_b90_text_that_names_people_appears_and_pings_only_the_asker(who: str) -> None:
    async with DiscordEmulator() as discord:
        guild = discord.guild(bot_permissions=Permission.ADMINISTRATOR)
        general = discord.channel(guild)
        ada, bo = discord.person("Ada", guild), discord.person("Bo", guild)
        role = discord.role(guild, "cooks", mentionable=True)
        named = {"role": role.mention, "member": bo.mention}.get(who, who)

        async with discord_bot(discord, ScriptedModel(f"{named} lunch")):
            discord.member_says(general, ada, f"{discord.bot.mention} say exactly: {named} lunch")
            answer = await discord.bot_says(general)

    assert answer.content == f"{named} lunch"
    assert answer.pinged == {f"user:{ada.id}"}


async def test_b90_later_parts_of_a_long_answer_ping_nobody() -> None:
    async with DiscordEmulator() as discord:
        guild = discord.guild(bot_permissions=Permission.ADMINISTRATOR)
        general = discord.channel(guild)
        ada = discord.person("Ada", guild)

        async with discord_bot(discord, ScriptedModel("@everyone lunch " * 300)):
            discord.member_says(general, ada, f"{discord.bot.mention} call everyone")
            await discord.bot_says(general, 3)

    assert [answer.pinged for answer in discord.said_by_bot(general)] == [{f"user:{ada.id}"}, frozenset(), frozenset()]


async def test_b90_command_that_repeats_a_text_pings_nobody() -> None:
    async with DiscordEmulator() as discord:
        guild = discord.guild(bot_permissions=Permission.ADMINISTRATOR)
        general = discord.channel(guild)
        ada = discord.person("Ada", guild)

        async with discord_bot(discord, ScriptedModel()):
            asked = discord.slash(ada, general, "memory add", text="@everyone likes lunch")
            await asked.answer()

    assert all(answer.pinged == frozenset() for answer in asked.messages)
