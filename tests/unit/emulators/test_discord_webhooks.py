"""The emulator's webhooks and nicknames, as the real client library meets them."""

from collections.abc import Awaitable, Callable

import discord
import pytest

from tests.emulators.discord.objects import Channel
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.emulators.discord_client import Listener, listening

MANAGES = Permission.MANAGE_WEBHOOKS


def text_channel(client: Listener, channel: Channel) -> discord.TextChannel:
    found = client.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    return found


async def test_a_webhook_writes_changes_and_removes_under_its_own_name_also_in_threads() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild(bot_permissions=MANAGES)
        general = emulator.channel(guild)
        thread = emulator.thread(general, "tea", emulator.person("Ada", guild))

        async with listening(emulator) as client:
            made = await text_channel(client, general).create_webhook(name="Rose (rose)", avatar=b"\x89PNG\r\n\x1a\n")
            sent = await made.send("Arr.", username="Rose", wait=True)
            heard = await client.next_message()
            inside = await made.send("In here.", thread=discord.Object(thread.id), wait=True)
            await made.edit_message(sent.id, content="Arr!")
            with pytest.raises(discord.NotFound):
                await made.delete_message(inside.id)
            await made.delete_message(inside.id, thread=discord.Object(thread.id))
            (listed,) = await text_channel(client, general).webhooks()

    assert (heard.author.display_name, heard.author.bot, heard.webhook_id, heard.application_id) == ("Rose", True, made.id, emulator.bot.id)
    assert (listed.id, listed.token, listed.name, listed.user and listed.user.id) == (made.id, made.token, "Rose (rose)", emulator.bot.id)
    assert emulator.said_by_personas(general) == [("Rose", "Arr!")]
    assert emulator.said_by_personas(thread) == []


async def test_what_discord_refuses_of_webhooks() -> None:
    async with DiscordEmulator() as emulator:
        guild, plain = emulator.guild(bot_permissions=MANAGES), emulator.guild("Plain")
        general, closed = emulator.channel(guild), emulator.channel(plain)
        other = emulator.channel(guild, "other")
        away = emulator.thread(other, "away", emulator.person("Ada", guild))
        emulator.someone_makes_webhook(general, "News")
        codes = []

        async with listening(emulator) as client:
            channel = text_channel(client, general)
            made = await channel.create_webhook(name="Rose")
            tries: list[Callable[[], Awaitable[object]]] = [
                lambda: text_channel(client, closed).create_webhook(name="Rose"),
                lambda: channel.create_webhook(name="My Discord"),
                lambda: channel.create_webhook(name="x" * 81),
                lambda: made.send("hi", username="Clyde", wait=True),
                lambda: made.send("hi", username="everyone", wait=True),
                lambda: made.send(" ", wait=True),
                lambda: made.send("hi", thread=discord.Object(away.id), wait=True),
            ]
            for attempt in tries:
                with pytest.raises(discord.HTTPException) as refused:
                    await attempt()
                codes.append(refused.value.code)
            more = [await channel.create_webhook(name=f"n{number}") for number in range(13)]
            with pytest.raises(discord.HTTPException) as full:
                await channel.create_webhook(name="one more")
            tokens = [each.token for each in await channel.webhooks()]
            emulator.someone_removes_webhooks(general)
            with pytest.raises(discord.NotFound) as gone:
                await made.send("hi", wait=True)

    assert codes == [50013, 50035, 50035, 50035, 50035, 50006, 10003]
    assert (len(more), full.value.code, gone.value.code) == (13, 30007, 10015)
    assert tokens[0] is None
    assert all(tokens[1:])


async def test_the_bot_takes_a_nickname_if_it_may() -> None:
    async with DiscordEmulator() as emulator:
        guild, strict = emulator.guild(), emulator.guild("Strict")
        strict.everyone.permissions &= ~Permission.CHANGE_NICKNAME

        async with listening(emulator) as client:
            here, there = client.get_guild(guild.id), client.get_guild(strict.id)
            assert here is not None
            assert there is not None
            await here.me.edit(nick="Rose")
            taken = guild.members[emulator.bot.id].nick
            with pytest.raises(discord.HTTPException, match="32 or fewer"):
                await here.me.edit(nick="x" * 33)
            with pytest.raises(discord.Forbidden):
                await there.me.edit(nick="Rose")
            await here.me.edit(nick=None)

    assert (taken, guild.members[emulator.bot.id].nick) == ("Rose", None)
