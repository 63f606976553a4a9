"""Requests that are held back, so that all processes together keep to Discord's global rate."""

from bot.domain.message import Part
from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.discord.throttling import REQUESTS
from bot.ports.throttle import Rate
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import IMPATIENT, running, target_in
from tests.unit.platforms.recording_inbox import RecordingInbox


class RecordingThrottle:
    """Holds nobody back, and counts."""

    def __init__(self) -> None:
        self.rates: list[Rate] = []

    async def wait(self, rate: Rate) -> None:
        self.rates.append(rate)


async def test_every_request_about_the_bot_counts() -> None:
    throttle = RecordingThrottle()
    async with DiscordEmulator() as emulator:
        channel = emulator.channel(emulator.guild("Tea house"), "lounge")
        platform = DiscordPlatform(
            emulator.token, api_base=emulator.api_base, gateway_url=emulator.gateway_url, tuning=IMPATIENT, throttle=throttle
        )
        async with running(emulator, RecordingInbox(), platform):
            before = len(throttle.rates)
            await platform.send(target_in(channel), Part("Hi"), nonce="1")

    assert set(throttle.rates) == {REQUESTS}
    assert len(throttle.rates) >= before + 1 > 1  # logging in counts, too
