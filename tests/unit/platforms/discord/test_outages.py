"""The adapter in front of the emulator, in trouble: what breaks, what is refused, and what is loaded with people."""

import asyncio
import time

import pytest

from bot.domain.message import IncomingMessage, Part
from bot.errors import LoginRefused
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import platform_for, running, target_in
from tests.unit.platforms.recording_inbox import RecordingInbox


async def test_event_that_cannot_be_read_does_not_end_the_service() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with running(emulator, inbox):
            emulator.send_event("MESSAGE_CREATE", {"id": "no number"}, guild=guild)
            await emulator.changes.until(lambda: emulator.gateway.identifies == 2, "a new connection")
            emulator.member_says(general, ada, "still there?")
            message = await inbox.next_message()

    assert message.text == "still there?"


async def test_dropped_connection_loses_no_message() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with running(emulator, inbox):
            await emulator.drop_gateway()
            emulator.member_says(general, ada, "meanwhile")
            message = await inbox.next_message()

    assert message.text == "meanwhile"
    assert emulator.gateway.resumes == 1


async def test_unreachable_discord_is_waited_for() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())
        emulator.outage(503)
        platform = platform_for(emulator)
        task = asyncio.create_task(platform.run(RecordingInbox()))
        await emulator.changes.until(lambda: len(emulator.calls_to("GET", "/users/@me")) >= 3, "three tries")
        emulator.outage(None)

        await platform.send(target_in(general), Part("back"), nonce="1")
        task.cancel()
        await asyncio.wait([task])

    assert [message.content for message in emulator.said_by_bot(general)] == ["back"]


async def test_wrong_token_is_said_with_its_remedy() -> None:
    async with DiscordEmulator() as emulator:
        platform = platform_for(emulator, token="wrong")

        with pytest.raises(LoginRefused, match="DISCORD_TOKEN") as refused:
            await asyncio.wait_for(platform.run(RecordingInbox()), 5)

    assert "wrong" not in str(refused.value)


async def test_missing_intent_is_said_with_its_remedy_and_mentions_are_heard_all_the_same() -> None:
    inbox, told = RecordingInbox(), list[str]()
    async with DiscordEmulator() as emulator:
        emulator.gateway.allowed_intents &= ~emulator.gateway.allowed_intents
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with running(emulator, inbox, platform_for(emulator, tell_operator=told.append)):
            for text in ("among ourselves", f"{emulator.bot.mention} and you?"):
                said = emulator.member_says(general, ada, text)
                emulator.shows_preview(said, {"type": "link", "title": "Tea"})
            message = await inbox.next_message()
            emulator.member_says(emulator.dm(ada), ada, "between us")
            private = await inbox.next_message()

    assert any("Message Content Intent" in text for text in told)
    assert (message.text, private.text) == ("and you?", "between us")


async def test_stop_is_quick() -> None:
    async with DiscordEmulator() as emulator, running(emulator, RecordingInbox()):
        began = time.monotonic()

    assert time.monotonic() - began < 2


async def test_all_shards_are_heard_also_after_they_identified_again() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        emulator.gateway.shards = 2
        guilds = {(guild.id >> 22) % 2: guild for guild in (emulator.guild(f"server {n}") for n in range(2))}
        while len(guilds) < 2:
            guild = emulator.guild("one more")
            guilds[(guild.id >> 22) % 2] = guild
        rooms = [emulator.channel(guild) for guild in guilds.values()]
        ada = emulator.person("Ada")

        async with running(emulator, inbox):
            await emulator.changes.until(lambda: len(emulator.gateway.sessions.connected) == 2, "both shards")
            for room in rooms:
                emulator.member_says(room, ada, "before")
            emulator.invalidate_sessions()
            await emulator.changes.until(lambda: emulator.gateway.identifies == 4, "both shards again")
            for room in rooms:
                emulator.member_says(room, ada, "after")
            texts = [(await inbox.next_message()).text for _ in range(4)]

    assert sorted(texts) == ["after", "after", "before", "before"]


class BrokenInbox(RecordingInbox):
    """Fails with the message in its error."""

    async def receive(self, message: IncomingMessage) -> None:
        await self.messages.put(message)
        raise KeyError(message.text)


async def test_log_of_a_failure_holds_neither_the_token_nor_what_was_said(capsys: pytest.CaptureFixture[str]) -> None:
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        inbox = BrokenInbox()

        async with running(emulator, inbox):
            emulator.member_says(emulator.dm(ada), ada, "my locker code is 4471")
            await inbox.next_message()

    written = capsys.readouterr().out
    assert "discord_event_failed" in written
    assert "KeyError" in written
    assert "4471" not in written
    assert emulator.token not in written
