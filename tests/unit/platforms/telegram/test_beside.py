"""Files and reactions, which not every platform has."""

from structlog.testing import capture_logs

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.command import AnswerFile
from bot.domain.message import ReplyTarget
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import running

FILE = AnswerFile("answer.md", b"# Tea\n")


async def test_a_file_comes_with_its_text_in_reply() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        chat = telegram.scene.private(ada)
        async with running(telegram, RecordingInbox()) as platform:
            asked = telegram.people.says(chat, ada, "tell me all of it")
            here = ConversationKey("telegram", str(chat.id), str(chat.id))
            target = ReplyTarget(here, ConversationKind.DIRECT, str(asked.message_id))
            sent = await platform.send_file(target, FILE, "**It** begins")
            await platform.react(target, "👀")

    message = chat.messages[int(sent)]
    assert (message.text, message.spans, message.reply_to) == ("It begins", [("bold", "It")], asked)
    assert "answer.md" in str(message.media["document"])
    assert asked.reactions == ["👀"]


async def test_a_reaction_to_what_is_gone_is_only_logged() -> None:
    async with TelegramEmulator() as telegram:
        chat = telegram.scene.private(telegram.scene.person("Ada"))
        here = ConversationKey("telegram", str(chat.id), str(chat.id))
        async with running(telegram, RecordingInbox()) as platform:
            with capture_logs() as logs:
                await platform.react(ReplyTarget(here, ConversationKind.DIRECT, "99"), "👀")

    assert "telegram_reaction_not_put" in [entry["event"] for entry in logs]
