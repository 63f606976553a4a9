"""What comes with a typed command: the message that it replies to, and a file."""

from bot.domain.command import Answer, Command, CommandCall, Option, OptionKind, WhoMay
from tests.emulators.telegram.chats import Standing
from tests.emulators.telegram.crowd import Attachment
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import running


async def test_a_reply_tells_which_message_a_command_is_about() -> None:
    async def about(call: CommandCall) -> Answer:
        return Answer(f"{call.about.author.display_name}: {call.about.text}" if call.about else "nothing")

    async with TelegramEmulator() as telegram:
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        group = telegram.scene.group("Tea house", ada, bo)
        async with running(telegram, RecordingInbox([Command(("remember",), "Remember", about)])):
            said = telegram.people.says(group, bo, "I own a parrot")
            telegram.people.says(group, ada, "/remember", reply_to=said)
            answer = await telegram.next_reply(group)

    assert answer.text == "Bo: I own a parrot"


async def test_a_command_below_a_file_or_in_reply_to_one_brings_it() -> None:
    async def weigh(call: CommandCall) -> Answer:
        return Answer(f"{call.file.name}: {call.file.content!r}" if call.file else "none")

    bring = Command(("bring",), "Bring a file", weigh, (Option("file", "A card", OptionKind.FILE, required=False),))
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, RecordingInbox([bring])):
            card = Attachment(content=b"PNG", name="tom.png", mime_type="image/png")
            telegram.people.says(dm, ada, "/bring", attachment=card)
            below = await telegram.next_reply(dm)
            sent = telegram.people.says(dm, ada, "", attachment=card)
            telegram.people.says(dm, ada, "/bring", reply_to=sent)
            replied = await telegram.next_reply(dm)

    assert below.text == replied.text == "tom.png: b'PNG'"


async def test_the_file_of_a_command_that_is_not_the_askers_is_not_fetched() -> None:
    async def weigh(call: CommandCall) -> Answer:
        return Answer("a file" if call.file else "none")

    options = (Option("file", "A card", OptionKind.FILE, required=False),)
    bring = Command(("bring",), "Bring a file", weigh, options, who=WhoMay.ADMINS)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", telegram.scene.person("Bo"), ada)
        async with running(telegram, RecordingInbox([bring])):
            card = Attachment(content=b"PNG", name="tom.png", mime_type="image/png")
            telegram.people.says(group, ada, "/bring", attachment=card)
            refused = await telegram.next_reply(group)
            fetched = telegram.count("getFile")
            telegram.scene.promote(group, ada, Standing.ADMINISTRATOR)
            telegram.people.says(group, ada, "/bring", attachment=card)
            taken = await telegram.next_reply(group)

    assert (refused.text, fetched, taken.text) == ("none", 0, "a file")
