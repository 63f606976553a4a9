"""Public rooms of a server that share what is remembered, on the emulated Discord: only where an admin said so, only while all can read."""

import asyncio

import pytest

from bot.app.app import App
from bot.domain.chat import ConversationKey
from bot.ports.platform import PublicPlaces
from bot.testing.scripted_model import ScriptedModel
from tests.conformance.memory_tool import update
from tests.emulators.discord.objects import Channel, Guild, Overwrite, User
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot

FACT = "I keep bees on the roof"
QUESTION = "who keeps bees on the roof?"


def teller(turns: int = 1) -> ScriptedModel:
    """Return a model that stores what is told, and answers questions afterwards."""
    return ScriptedModel(*[step for _ in range(turns) for step in (update(0, FACT), "Noted.")], *["I see."] * 6)


async def ask(discord: DiscordEmulator, channel: Channel, user: User, text: str) -> None:
    before = len(discord.said_by_bot(channel))
    discord.member_says(channel, user, f"<@{discord.bot.id}> {text}")
    await discord.bot_says(channel, before + 1)


async def widen(discord: DiscordEmulator, guild: Guild, channel: Channel) -> None:
    """Let an admin open the server's public rooms to one another."""
    admin = discord.person("Admin", guild, roles=[discord.role(guild, "admin", Permission.MANAGE_GUILD)])
    question = await discord.slash(admin, channel, "memory scope", where="server").answer()
    await discord.click(admin, question, "Share in this server").answer()


async def until(app: App, channel: Channel, *, public: bool) -> None:
    """Wait until the bot knows that a channel is public, or that it is not."""
    assert channel.guild is not None
    key = ConversationKey("discord", str(channel.guild.id), str(channel.id))
    platform: object = app.platforms["discord"]
    assert isinstance(platform, PublicPlaces)
    for _ in range(500):
        if await platform.is_public(key) is public:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("The bot was not told.")


def hidden(guild: Guild, discord: DiscordEmulator) -> list[Overwrite]:
    """Return what keeps everybody without a role out of a channel, but not the bot."""
    return [
        Overwrite(guild.everyone.id, deny=int(Permission.VIEW_CHANNEL)),
        Overwrite(discord.bot.id, is_member=True, allow=int(Permission.VIEW_CHANNEL)),
    ]


async def test_in_a_server_that_was_opened_one_public_channel_knows_what_was_told_in_another() -> None:
    model = teller()
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general, garden = discord.channel(guild), discord.channel(guild, "garden")
        ada, bo = discord.person("Ada", guild), discord.person("Bo", guild)

        async with discord_bot(discord, model):
            await widen(discord, guild, general)
            await ask(discord, garden, ada, FACT)
            await ask(discord, general, bo, QUESTION)
            await ask(discord, discord.dm(bo), bo, QUESTION)

    assert f"Ada (id {ada.id}): {FACT}" in model.prompts[2].text
    assert FACT not in model.prompts[3].text


async def test_unless_an_admin_says_so_channels_share_nothing() -> None:
    model = teller()
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general, garden = discord.channel(guild), discord.channel(guild, "garden")
        ada = discord.person("Ada", guild)

        async with discord_bot(discord, model):
            refused = await discord.slash(ada, general, "memory scope", where="server").answer()
            await ask(discord, garden, ada, FACT)
            await ask(discord, general, ada, QUESTION)

    assert "manage" in refused.content.lower()
    assert FACT not in model.prompts[2].text


@pytest.mark.parametrize("told_in_private", [True, False])
async def test_a_private_channel_gives_nothing_and_gets_nothing(told_in_private: bool) -> None:
    model = teller()
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general, staff = discord.channel(guild), discord.channel(guild, "staff", overwrites=hidden(guild, discord))
        boss = discord.person("Boss", guild, roles=[discord.role(guild, "boss", Permission.ADMINISTRATOR)])

        async with discord_bot(discord, model):
            await widen(discord, guild, general)
            told, asked = (staff, general) if told_in_private else (general, staff)
            await ask(discord, told, boss, FACT)
            await ask(discord, asked, boss, QUESTION)

    assert FACT not in model.prompts[2].text


async def test_what_a_channel_told_while_it_was_public_is_known_nowhere_else_once_it_is_private() -> None:
    model = teller()
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general, garden = discord.channel(guild), discord.channel(guild, "garden")
        ada, boss = discord.person("Ada", guild), discord.person("Boss", guild, roles=[discord.role(guild, "b", Permission.ADMINISTRATOR)])

        async with discord_bot(discord, model) as app:
            await widen(discord, guild, general)
            await ask(discord, garden, ada, FACT)
            await ask(discord, general, ada, QUESTION)
            discord.hides(garden)
            await until(app, garden, public=False)
            await ask(discord, general, ada, QUESTION)
            await ask(discord, garden, boss, QUESTION)

    shared = [FACT in prompt.text for prompt in model.prompts[2:5]]
    assert shared == [True, False, True]


async def test_what_was_told_while_a_channel_was_private_stays_there_when_it_opens() -> None:
    model = ScriptedModel(update(0, FACT), "Noted.", update(0, "I sell honey on Sundays"), "Noted.", "I see.")
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general, staff = discord.channel(guild), discord.channel(guild, "staff", overwrites=hidden(guild, discord))
        boss = discord.person("Boss", guild, roles=[discord.role(guild, "boss", Permission.ADMINISTRATOR)])

        async with discord_bot(discord, model) as app:
            await widen(discord, guild, general)
            await ask(discord, staff, boss, FACT)
            discord.opens(staff)
            await until(app, staff, public=True)
            await ask(discord, staff, boss, "I sell honey on Sundays")
            await ask(discord, general, boss, "who keeps bees on the roof, and who sells honey?")

    assert FACT not in model.prompts[-1].text
    assert "I sell honey on Sundays" in model.prompts[-1].text


async def test_threads_are_as_public_as_they_and_their_channel_are() -> None:
    model = teller()
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general, garden = discord.channel(guild), discord.channel(guild, "garden")
        ada = discord.person("Ada", guild)
        open_thread, closed_thread = discord.thread(garden, "bees", ada), discord.thread(garden, "plans", ada, private=True)

        async with discord_bot(discord, model):
            await widen(discord, guild, general)
            await ask(discord, closed_thread, ada, FACT)
            await ask(discord, general, ada, QUESTION)
            await ask(discord, open_thread, ada, QUESTION)

    assert [FACT in prompt.text for prompt in model.prompts[2:4]] == [False, False]


async def test_two_servers_share_nothing() -> None:
    model = teller()
    async with DiscordEmulator() as discord:
        first, second = discord.guild(), discord.guild("Second")
        here, there = discord.channel(first), discord.channel(second)
        ada, bo = discord.person("Ada", first), discord.person("Bo", second)

        async with discord_bot(discord, model):
            await widen(discord, first, here)
            await widen(discord, second, there)
            await ask(discord, here, ada, FACT)
            await ask(discord, there, bo, QUESTION)

    assert FACT not in model.prompts[2].text
