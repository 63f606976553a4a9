"""The look at the bot's account that `baku doctor` takes, in front of the emulator."""

from bot.platforms.discord.examine import Examined, examine
from tests.emulators.discord.server import DiscordEmulator


async def test_account_is_examined_with_what_it_may_read() -> None:
    async with DiscordEmulator() as emulator:
        reading = await examine(emulator.token, api_base=emulator.api_base, seconds=5)
        emulator.gateway.allowed_intents &= ~emulator.gateway.allowed_intents
        hard_of_hearing = await examine(emulator.token, api_base=emulator.api_base, seconds=5)

    assert isinstance(reading, Examined)
    assert (reading.name, reading.reads_messages) == ("baku", True)
    assert f"client_id={emulator.world.application_id}" in reading.invite_link
    assert isinstance(hard_of_hearing, Examined)
    assert not hard_of_hearing.reads_messages


async def test_wrong_tokens_outages_and_silence_are_told_apart() -> None:
    async with DiscordEmulator() as emulator:
        wrong = await examine("wrong", api_base=emulator.api_base, seconds=5)
        emulator.outage()
        out = await examine(emulator.token, api_base=emulator.api_base, seconds=5)
    gone = await examine(emulator.token, api_base=emulator.api_base, seconds=5)

    assert (wrong, out) == ("", "Discord answers 503")
    assert isinstance(gone, str)
    assert "cannot be reached" in gone
