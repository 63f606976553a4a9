"""Requests that are held back, so that all processes together keep to Discord's global rate."""

from bot.domain.message import Part
from bot.platforms.discord.adapter import DiscordPlatform
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import IMPATIENT, running, target_in
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.recording_throttle import RecordingThrottle


async def test_every_request_about_the_bot_counts() -> None:
    throttle = RecordingThrottle()
    async with DiscordEmulator() as emulator:
        channel = emulator.channel(emulator.guild("Tea house"), "lounge")
        platform = DiscordPlatform(
            emulator.token, api_base=emulator.api_base, gateway_url=emulator.gateway_url, tuning=IMPATIENT, throttle=throttle
        )
        async with running(emulator, RecordingInbox(), platform):
            before = throttle.count
            await platform.send(target_in(channel), Part("Hi"), nonce="1")

    assert throttle.count > before > 0  # logging in counts, too
