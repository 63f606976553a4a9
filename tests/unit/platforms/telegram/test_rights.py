"""What the bot may do, as Telegram tells."""

import pytest

from bot.domain.chat import ConversationKey
from bot.platforms.telegram.adapter import TelegramPlatform
from tests.emulators.telegram.chats import Chat, Standing
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import IMPATIENT, running


async def missing(platform: TelegramPlatform, chat: Chat, topic: int | None = None) -> list[str]:
    key = ConversationKey("telegram", str(chat.id), str(chat.id), str(topic or ""))
    return [right.partition(":")[0].partition(",")[0] for right in await platform.missing_rights(key)]


async def test_what_is_lacking_is_told_and_what_can_be_done_without_at_the_end() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        forum, dm = telegram.scene.forum("Tea house", ada), telegram.scene.private(ada)
        forum.denied = {"can_send_messages"}
        topic = telegram.scene.topic(forum, "Cats")
        async with running(telegram, RecordingInbox()) as platform:
            assert await missing(platform, forum, topic.id) == ["Send Messages", "Read all messages", "Manage Topics", "Delete Messages"]
            assert await missing(platform, dm) == []
            telegram.scene.promote(forum, telegram.bot.user)
            assert await missing(platform, forum) == []
            telegram.scene.promote(forum, telegram.bot.user, Standing.KICKED)
            assert await missing(platform, forum) == ["Be a member of the group"]


@pytest.mark.parametrize("hears_all", [True, False])
async def test_the_operator_reads_at_login_how_to_add_the_bot_and_what_it_cannot_hear(hears_all: bool) -> None:
    told: list[str] = []
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = hears_all
        platform = TelegramPlatform(telegram.token, api_base=telegram.api_base, tuning=IMPATIENT, tell_operator=told.append)
        async with running(telegram, RecordingInbox(), platform):
            pass

    assert "https://t.me/baku_bot?startgroup=true" in told[0]
    assert ("/setprivacy" in told[0]) is not hears_all
