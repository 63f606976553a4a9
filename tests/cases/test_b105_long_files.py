"""Attached text files that are far too long."""

from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot


async def test_b105_text_file_of_over_a_million_characters_is_read_in_part_and_answered() -> None:
    text = "Keiko lives in Kyoto. " * 55_000
    model = ScriptedModel("That is a long file.")
    async with DiscordEmulator() as discord:
        ada = discord.person("Ada")
        direct = discord.dm(ada)

        async with discord_bot(discord, model):
            discord.member_says(direct, ada, "read this", attachments=[discord.file("long.txt", text.encode())])
            answer = await discord.bot_says(direct)

    assert len(text) > 1_200_000
    assert answer.content == "That is a long file."
    assert "Keiko lives in Kyoto." in model.prompts[0].messages[-1].text
    assert "cut" in model.prompts[0].messages[-1].text
