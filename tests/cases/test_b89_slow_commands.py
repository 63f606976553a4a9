"""Slash commands that take longer than Discord waits."""

import pytest

from bot.domain.command import Answer, Command, CommandCall
from bot.plugin import hookimpl
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.clock import ManualClock
from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.discord_stage import discord_bot


class Thinking:
    """A plugin with a command that lets Discord's clock go on while it works."""

    def __init__(self, clock: ManualClock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds

    @hookimpl
    def register_commands(self) -> list[Command]:
        return [Command(("think",), "Think about it", self._think, slow=True)]

    async def _think(self, call: CommandCall) -> Answer:
        self._clock.advance(self._seconds)
        return Answer("I have thought about it.")


async def test_b89_command_of_eight_seconds_is_deferred_at_once_and_answered_as_a_follow_up() -> None:
    clock = ManualClock()
    async with DiscordEmulator(clock) as discord:
        guild = discord.guild()
        general = discord.channel(guild)

        async with discord_bot(discord, ScriptedModel(), plugins={"thinking": Thinking(clock, 8)}):
            asked = discord.slash(discord.person("Ada", guild), general, "think")
            answer = await asked.answer()

    assert asked.deferred
    assert not asked.failed
    assert answer.content == "I have thought about it."


async def test_b89_expired_token_is_a_line_in_the_log_and_nothing_else_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    clock = ManualClock()
    async with DiscordEmulator(clock) as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        ada = discord.person("Ada", guild)

        async with discord_bot(discord, ScriptedModel(), plugins={"thinking": Thinking(clock, 16 * 60)}):
            asked = discord.slash(ada, general, "think")
            await discord.changes.until(lambda: [call for call in discord.calls if call.status == 401], "a refused follow-up")
            helped = await discord.slash(ada, general, "help").answer()

    assert asked.texts == []
    assert helped.content
    logged = capsys.readouterr()
    assert "discord_answer_lost" in logged.out
    assert "Traceback" not in logged.out + logged.err


async def test_b89_acknowledgement_that_comes_too_late_is_a_line_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    clock = ManualClock()
    async with DiscordEmulator(clock) as discord:
        guild = discord.guild()
        general = discord.channel(guild)
        ada = discord.person("Ada", guild)

        async with discord_bot(discord, ScriptedModel(), plugins={"thinking": Thinking(clock, 1)}):
            late = discord.slash(ada, general, "think")
            clock.advance(3.5)
            await discord.changes.until(lambda: [call for call in discord.calls if call.status == 404], "a refused acknowledgement")
            again = await discord.slash(ada, general, "think").answer()

    assert late.failed
    assert again.content == "I have thought about it."
    assert "Traceback" not in capsys.readouterr().out
