"""A process that sends and is told of nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.domain.message import Part
from bot.errors import LoginRefused
from bot.platforms.discord.adapter import DiscordPlatform
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import platform_for, target_in
from tests.unit.platforms.recording_inbox import RecordingInbox


@asynccontextmanager
async def sending(emulator: DiscordEmulator) -> AsyncIterator[DiscordPlatform]:
    platform = platform_for(emulator)
    task = asyncio.create_task(platform.run_sending(RecordingInbox()))
    yield platform
    task.cancel()
    await asyncio.wait([task], timeout=5)


async def test_it_sends_with_the_servers_emoji_and_no_connection_for_events() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        guild.emoji["tea"] = 77
        general = emulator.channel(guild)
        async with sending(emulator) as platform:
            await platform.send(target_in(general), Part("Have some :tea:"), nonce="1-0")
            with pytest.raises(TimeoutError):
                await emulator.connected(timeout=0.05)

    assert [message.content for message in emulator.said_by_bot(general)] == ["Have some <:tea:77>"]


async def test_it_asks_who_may_read_along_and_denies_what_it_is_not_told() -> None:
    async with DiscordEmulator() as emulator:
        guild, other = emulator.guild(), emulator.guild("Elsewhere")
        open_room, hidden = emulator.channel(guild, "open"), emulator.channel(guild, "hidden")
        emulator.hides(hidden)
        gone = target_in(emulator.channel(other)).conversation
        async with sending(emulator) as platform:
            await platform.send(target_in(open_room), Part("here"), nonce="1-0")  # by now it is logged in
            there = target_in(open_room).conversation
            seen = [await platform.is_public(each) for each in (there, target_in(hidden).conversation)]
            elsewhere = type(there)(there.platform, gone.space_id, there.channel_id)
            mixed_up = await platform.is_public(elsewhere)
            unknown = await platform.is_public(type(there)(there.platform, there.space_id, "1576855156429946880"))

    assert (seen, mixed_up, unknown) == ([True, False], False, False)


async def test_a_wrong_token_is_told() -> None:
    async with DiscordEmulator() as emulator:
        with pytest.raises(LoginRefused):
            await platform_for(emulator, token="wrong").run_sending(RecordingInbox())
