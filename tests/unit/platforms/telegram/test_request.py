"""Calls of the Bot API that are held back, so that all processes together keep to Telegram's rate."""

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import Part, ReplyTarget
from bot.platforms.telegram.adapter import TelegramPlatform
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.recording_throttle import RecordingThrottle
from tests.unit.platforms.telegram.recording import IMPATIENT, running


async def test_what_is_put_before_people_counts_and_what_is_asked_does_not() -> None:
    throttle = RecordingThrottle()
    async with TelegramEmulator() as telegram:
        platform = TelegramPlatform(telegram.token, api_base=telegram.api_base, tuning=IMPATIENT, throttle=throttle)
        chat = telegram.scene.private(telegram.scene.person("Ada"))
        async with running(telegram, RecordingInbox(), platform):
            assert throttle.count == 0
            await platform.send(
                ReplyTarget(ConversationKey("telegram", str(chat.id), str(chat.id)), ConversationKind.DIRECT), Part("Hi"), nonce="1"
            )

    assert throttle.count == 1
