"""The emulator's gateway, heard through the real client."""

import asyncio

import discord
import pytest

from tests.emulators.discord.objects import Overwrite
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.emulators.discord_client import Listener, aim, listening


async def test_client_hears_what_a_member_says() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild("Tea house")
        general = emulator.channel(guild, "general")
        ada = emulator.person("Ada", guild)

        async with listening(emulator) as client:
            emulator.member_says(general, ada, f"hello {emulator.bot.mention}")
            message = await client.next_message()

    assert message.content == f"hello <@{emulator.bot.id}>"
    assert message.author.display_name == "Ada"
    assert message.guild is not None
    assert message.guild.name == "Tea house"
    assert [user.id for user in message.mentions] == [emulator.bot.id]


async def test_content_is_withheld_without_its_intent_unless_the_bot_is_addressed() -> None:
    intents = discord.Intents(guilds=True, messages=True)
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with listening(emulator, Listener(intents)) as client:
            emulator.member_says(general, ada, "a secret")
            emulator.member_says(general, ada, f"{emulator.bot.mention} hi")
            emulator.member_says(emulator.dm(ada), ada, "in private")
            contents = [(await client.next_message()).content for _ in range(3)]

    assert contents == ["", f"<@{emulator.bot.id}> hi", "in private"]


async def test_hidden_channel_is_not_heard() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        hidden = emulator.channel(guild, "staff", overwrites=[Overwrite(guild.id, deny=Permission.VIEW_CHANNEL)])
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with listening(emulator) as client:
            emulator.member_says(hidden, ada, "unheard")
            emulator.member_says(general, ada, "heard")
            message = await client.next_message()

    assert message.content == "heard"


async def test_dropped_connection_is_resumed_without_a_missing_message() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with listening(emulator) as client:
            await emulator.drop_gateway()
            emulator.member_says(general, ada, "while you were away")
            message = await client.next_message()
            await asyncio.wait_for(client.resumed.wait(), 5)

    assert message.content == "while you were away"
    assert (emulator.gateway.identifies, emulator.gateway.resumes) == (1, 1)


async def test_requested_reconnect_is_resumed() -> None:
    async with DiscordEmulator() as emulator, listening(emulator) as client:
        emulator.ask_to_reconnect()
        await asyncio.wait_for(client.resumed.wait(), 5)

    assert emulator.gateway.resumes == 1


async def test_invalidated_session_identifies_anew() -> None:
    async with DiscordEmulator() as emulator, listening(emulator):
        emulator.invalidate_sessions()
        await emulator.changes.until(lambda: emulator.gateway.identifies == 2, "a second IDENTIFY")

    assert emulator.gateway.resumes == 0


@pytest.mark.parametrize(
    ("token", "error"),
    [pytest.param("wrong", discord.LoginFailure, id="wrong token")],
)
async def test_wrong_token_is_refused(token: str, error: type[Exception]) -> None:
    async with DiscordEmulator() as emulator:
        aim(emulator)
        async with Listener() as client:
            with pytest.raises(error):
                await client.login(token)


async def test_intent_that_is_switched_off_closes_the_connection() -> None:
    async with DiscordEmulator() as emulator:
        emulator.gateway.allowed_intents &= ~emulator.gateway.allowed_intents
        aim(emulator)
        async with Listener() as client:
            await client.login(emulator.token)
            with pytest.raises(discord.PrivilegedIntentsRequired):
                await client.connect()


async def test_members_are_sent_on_request() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        ada = emulator.person("Ada", guild)

        async with listening(emulator) as client:
            seen = client.get_guild(guild.id)
            assert seen is not None
            members = await seen.query_members(user_ids=[ada.id])

    assert [member.name for member in members] == ["ada"]


async def test_forward_carries_a_snapshot_and_no_content() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        menu = emulator.file("menu.txt", b"soup")
        original = emulator.member_says(general, ada, "today's menu", attachments=[menu])

        async with listening(emulator) as client:
            emulator.member_forwards(emulator.dm(ada), ada, original)
            message = await client.next_message()
            data = await message.message_snapshots[0].attachments[0].read()

    assert message.content == ""
    assert message.message_snapshots[0].content == "today's menu"
    assert data == b"soup"


async def test_sharded_client_is_served() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        aim(emulator)
        async with discord.AutoShardedClient(intents=discord.Intents.default(), guild_ready_timeout=0.05) as client:
            await client.login(emulator.token)
            running = asyncio.create_task(client.connect())
            async with asyncio.timeout(5):
                await client.wait_until_ready()
            seen = client.get_guild(guild.id)
        await asyncio.wait([running], timeout=5)

    assert seen is not None
