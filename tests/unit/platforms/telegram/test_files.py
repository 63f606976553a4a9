"""Files that come with answers, through the adapter, in front of the emulator."""

from bot.domain.command import Answer, AnswerFile, Command, CommandCall
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import running

FILE = AnswerFile("export.zip", b"all of it")


async def export(call: CommandCall) -> Answer:
    """Answer with a file."""
    return Answer("Here it is.", private=True, file=FILE)


EXPORT = Command(("memory", "export"), "Export", export, private=True)


async def test_a_file_asked_for_in_a_group_comes_in_private() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm, group = telegram.scene.private(ada), telegram.scene.group("Tea", ada)

        async with running(telegram, RecordingInbox([EXPORT])):
            telegram.people.says(group, ada, "/memory_export")
            await telegram.until(lambda: any(call.method == "sendDocument" for call in telegram.world.calls))
            await telegram.next_reply(group)

        (sent,) = [call for call in telegram.world.calls if call.method == "sendDocument"]

    assert sent.params.text("chat_id") == str(dm.id)
    assert [(upload.name, upload.content) for upload in sent.params.uploads.values()] == [(FILE.name, FILE.content)]
