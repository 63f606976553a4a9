"""What is taken of several chats at once, through the adapter, in front of the emulator."""

import asyncio
from collections import defaultdict

from bot.domain.message import IncomingMessage
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import running


class BusyInbox(RecordingInbox):
    """Stores the messages of one chat only when it is let."""

    def __init__(self, slow: int) -> None:
        super().__init__()
        self.slow = str(slow)
        self.free = asyncio.Event()

    async def receive(self, message: IncomingMessage) -> None:
        """Record a message."""
        if message.conversation.channel_id == self.slow:
            await self.free.wait()
        await super().receive(message)


async def test_a_chat_waits_for_no_other_and_its_messages_come_in_order() -> None:
    async with TelegramEmulator() as telegram:
        chats = [(person, telegram.scene.private(person)) for person in (telegram.scene.person("Ada"), telegram.scene.person("Bo"))]
        for number in range(3):
            for person, chat in chats:
                telegram.people.says(chat, person, f"{person.first_name} {number}")
        inbox = BusyInbox(slow=chats[0][1].id)

        async with running(telegram, inbox):
            before = [(await inbox.next_message()).text for _ in range(3)]
            telegram.people.says(chats[1][1], chats[1][0], "Bo 3")
            inbox.free.set()
            texts = defaultdict(list)
            for _ in range(4):
                message = await inbox.next_message()
                texts[message.author.display_name].append(message.text)
            await telegram.all_acknowledged()

    assert before == ["Bo 0", "Bo 1", "Bo 2"]
    assert texts == {"Ada": ["Ada 0", "Ada 1", "Ada 2"], "Bo": ["Bo 3"]}
