"""Threads on Discord and what they were made from: real client, real sockets, real store."""

from dataclasses import replace

from bot.domain.chat import ConversationKey
from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot


async def test_what_a_thread_was_made_from_is_read_but_never_answered_and_stays_erased() -> None:
    model = ScriptedModel("Here.", "And here.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        ada = discord.person("Ada", guild)
        spoken, erased = (discord.member_says(general, ada, f"iris, {text}") for text in ("the kettle", "my locker code"))

        async with discord_bot(discord, model, personas=[replace(a_persona("iris"), triggers=("iris",))]) as app:
            await app.inbox.delete(ConversationKey("discord", str(guild.id), str(general.id)), [str(erased.id)])
            for number, message in enumerate((spoken, erased), 1):
                thread = discord.thread_from(message, f"thread {number}", ada)
                discord.member_says(thread, ada, "among ourselves")
                discord.member_says(thread, ada, f"{discord.bot.mention} well?")
                await discord.bot_says(thread)

    assert "the kettle" in model.prompts[0].text
    assert "locker" not in model.prompts[1].text
    assert len(model.prompts) == 2
