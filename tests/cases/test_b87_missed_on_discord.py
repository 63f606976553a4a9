"""B87 on Discord: of what was said while the bot was away, recent questions are answered once, old ones are noted, and nothing vanishes.

Discord keeps no queue for bots: the adapter reads back the last day of each channel when it returns.
"""

import time
from datetime import timedelta

from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.clock import ManualClock
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot

TWO_HOURS = timedelta(hours=2).total_seconds()


async def test_b87_recent_questions_are_answered_once_and_old_ones_noted(database_url: str) -> None:
    model = ScriptedModel("First.", "Third.", "Fourth.")
    clock = ManualClock(time.time() - TWO_HOURS)
    async with DiscordEmulator(clock) as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        ada = discord.person("Ada", guild)
        async with discord_bot(discord, model, database=database_url):
            discord.member_says(general, ada, f"{discord.bot.mention} one")
            await discord.bot_says(general)
        discord.member_says(general, ada, f"{discord.bot.mention} two")
        clock.advance(TWO_HOURS)
        recent = discord.member_says(general, ada, f"{discord.bot.mention} three")

        async with discord_bot(discord, model, database=database_url):
            answer = await discord.bot_says(general, 2)
        async with discord_bot(discord, model, database=database_url):
            discord.member_says(general, ada, f"{discord.bot.mention} four")
            last = await discord.bot_says(general, 3)

    assert (answer.content, answer.reply_to) == ("Third.", recent)
    assert "two" in model.prompts[1].text
    assert (last.content, len(discord.said_by_bot(general)), len(model.prompts)) == ("Fourth.", 3, 3)
