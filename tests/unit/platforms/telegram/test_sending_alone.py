"""A process that sends and asks for no updates."""

import asyncio

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import Part, ReplyTarget
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import platform_for


async def test_it_sends_and_leaves_the_updates_to_others() -> None:
    async with TelegramEmulator() as telegram:
        chat = telegram.scene.private(telegram.scene.person("Ada"))
        here = ConversationKey("telegram", str(chat.id), str(chat.id))
        platform = platform_for(telegram)
        task = asyncio.create_task(platform.run_sending(RecordingInbox()))
        await platform.send(ReplyTarget(here, ConversationKind.DIRECT, ""), Part("Hello"), nonce="1-0")
        task.cancel()
        await asyncio.wait([task])

    assert [message.text for message in telegram.sent] == ["Hello"]
    assert telegram.count("getUpdates") + telegram.count("setWebhook") + telegram.count("setMyCommands") == 0
