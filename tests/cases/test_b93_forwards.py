"""A forward has no text of its own."""

from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot


async def test_b93_forward_without_a_comment_is_answered_from_its_snapshot() -> None:
    model = ScriptedModel("Soup it is.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        ada, bo = discord.person("Ada", guild), discord.person("Bo", guild)
        menu = discord.file("menu.txt", b"Onion soup")
        original = discord.member_says(general, bo, "what do you think of this?", attachments=[menu])

        async with discord_bot(discord, model):
            discord.member_forwards(discord.dm(ada), ada, original)
            answer = await discord.bot_says(discord.dm(ada))

    assert answer.content == "Soup it is."
    assert "what do you think of this?" in model.prompts[0].text
    assert "menu.txt" in model.prompts[0].text
    assert "Onion soup" in model.prompts[0].text


async def test_b93_forward_of_a_picture_alone_is_no_empty_message() -> None:
    model = ScriptedModel("A cat!")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        ada = discord.person("Ada", guild)
        photo = discord.file("cat.png", b"\x89PNG", "image/png")
        original = discord.member_says(discord.channel(guild), ada, "", attachments=[photo])

        async with discord_bot(discord, model):
            discord.member_forwards(discord.dm(ada), ada, original)
            answer = await discord.bot_says(discord.dm(ada))

    assert answer.content == "A cat!"
    assert "cat.png" in model.prompts[0].text
