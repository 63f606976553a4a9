"""Channels that an event names by id alone."""

import asyncio

from bot.domain.chat import ConversationKind
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running
from tests.unit.platforms.recording_inbox import RecordingInbox


async def test_channel_event_without_its_server_is_resolved_by_asking() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with running(emulator, inbox):
            said = emulator.member_says(general, ada, "whole")
            emulator.send_message_without_guild(said)
            messages = [await inbox.next_message() for _ in range(2)]

    assert messages[0].conversation == messages[1].conversation
    assert messages[1].kind is ConversationKind.GROUP
    assert not messages[1].addressed_to_bot


async def test_repeated_channel_question_waits_out_an_outage() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        chat = emulator.dm(ada)

        async with running(emulator, inbox):
            emulator.fail_next(503, path=f"/channels/{chat.id}", times=2)
            emulator.member_says(chat, ada, "hi")
            message = await inbox.next_message()

    assert message.kind is ConversationKind.DIRECT


async def test_repeated_channel_question_waits_out_a_lost_connection() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        chat = emulator.dm(ada)

        async with running(emulator, inbox):
            emulator.lose_next_answer(method="GET", path=f"/channels/{chat.id}", times=2)
            emulator.member_says(chat, ada, "hi")
            message = await inbox.next_message()

    assert message.kind is ConversationKind.DIRECT


async def test_connection_that_ended_asks_no_more() -> None:
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        chat = emulator.dm(ada)

        async with running(emulator, RecordingInbox()):
            emulator.fail_next(503, path=f"/channels/{chat.id}", times=1000)
            emulator.member_says(chat, ada, "hi")
            while not (asking := [task for task in asyncio.all_tasks() if task.get_name() == "discord.py: on_message"]):  # noqa: ASYNC110 (a task of the library sets no event)
                await asyncio.sleep(0)

        _, still_asking = await asyncio.wait(asking, timeout=5)

    assert not still_asking
