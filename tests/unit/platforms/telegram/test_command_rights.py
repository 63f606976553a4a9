"""Commands that everybody may run, and that do more for admins."""

from bot.domain.command import Answer, Command, CommandCall
from tests.emulators.telegram.chats import Standing
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.faults import OutagePage
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import running


async def run(call: CommandCall) -> Answer:
    return Answer(f"{call.path[0]} ran")


STOP = Command(("stop",), "Stop", run, admins_may_more=True)
HELP = Command(("help",), "What I can do", run)


async def test_what_does_more_for_admins_asks_who_is_one_and_runs_for_everybody_where_that_is_not_told() -> None:
    inbox = RecordingInbox([STOP, HELP])
    async with TelegramEmulator() as telegram:
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        group = telegram.scene.group("Tea", ada, bo)
        telegram.scene.promote(group, ada, Standing.ADMINISTRATOR)
        async with running(telegram, inbox):
            for person, line in ((ada, "/stop"), (bo, "/stop"), (ada, "/help")):
                telegram.people.says(group, person, line)
                await telegram.next_reply(group)
            asked = telegram.count("getChatMember")
            telegram.fail("getChatMember", OutagePage(), times=5)
            telegram.people.says(group, ada, "/stop")
            answer = await telegram.next_reply(group)

    assert [call.asker_is_admin for call in inbox.calls] == [True, False, False, False]
    assert (asked, answer.text) == (2, "stop ran")
