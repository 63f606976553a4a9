"""Albums, through the adapter, in front of the emulator."""

from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import running


async def test_an_album_is_one_message_and_the_change_of_a_part_changes_it() -> None:
    inbox = RecordingInbox()
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)

        async with running(telegram, inbox):
            album = telegram.people.sends_album(dm, ada, ["my cats", "", "the third is Mochi"])
            telegram.people.says(dm, ada, "and?")
            first, following = await inbox.next_message(), await inbox.next_message()
            telegram.people.edits(album[2], "the third is Miso")
            edit = await inbox.next_edit()
            await telegram.all_acknowledged()

    assert (first.message_id, first.text, len(first.attachments)) == (str(album[0].message_id), "my cats\nthe third is Mochi", 3)
    assert following.text == "and?"
    assert (edit.message_id, edit.text, len(edit.attachments)) == (first.message_id, "my cats\nthe third is Miso", 3)


async def test_a_part_that_comes_late_changes_the_album() -> None:
    inbox = RecordingInbox()
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)

        async with running(telegram, inbox):
            first, second = telegram.people.sends_album(dm, ada, ["one", "two"])
            await inbox.next_message()
            late = telegram.people.says(dm, ada, "three", album=first.media_group_id)
            edit = await inbox.next_edit()

    assert (edit.message_id, edit.text) == (str(first.message_id), "one\ntwo\nthree")
    assert late.message_id > second.message_id
    assert inbox.messages.empty()
