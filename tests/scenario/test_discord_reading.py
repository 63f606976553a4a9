"""What stands in a prompt of things that are more than text on Discord: real client, real sockets, real store."""

from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.objects import ChannelKind
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot


async def test_forum_post_and_the_preview_of_a_link_are_known_to_who_is_asked_in_it() -> None:
    model = ScriptedModel("Descale it.", "Yes.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        forum = discord.channel(guild, "help", ChannelKind.FORUM)
        ada, bo = discord.person("Ada", guild), discord.person("Bo", guild)
        post = discord.posts(forum, ada, "Old kettle", "It smells.", tags=["broken"])

        async with discord_bot(discord, model):
            linked = discord.member_says(post, bo, "see https://tea.example")
            discord.shows_preview(linked, {"type": "link", "title": "How to descale"})
            discord.member_says(post, bo, f"{discord.bot.mention} what now?")
            await discord.bot_says(post)
            discord.member_says(post, bo, f"{discord.bot.mention} sure?")
            await discord.bot_says(post, 2)

    prompt = model.prompts[1].text
    assert "[forum post “Old kettle”, tagged broken]" in prompt
    assert "It smells." in prompt
    assert "[link preview: How to descale]" in prompt
