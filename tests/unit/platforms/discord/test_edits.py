"""What counts as an edit, in front of the emulator."""

from bot.domain.message import MessageEdit
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running
from tests.unit.platforms.recording_inbox import RecordingInbox

PREVIEW = {"type": "link", "title": "Tea"}


async def test_pins_and_flags_are_no_edits_and_a_preview_is_told_from_new_words() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        notes = emulator.file("notes.txt", b"Sencha")
        before = emulator.member_says(general, ada, "from before the start")

        async with running(emulator, inbox):
            said = emulator.member_says(general, ada, f"{emulator.bot.mention} teh", attachments=[notes])
            await inbox.next_message()
            for message in (before, said):
                emulator.pins(message)
                emulator.crossposts(message)
            emulator.shows_preview(said, PREVIEW)
            emulator.member_edits(said, f"{emulator.bot.mention} the")
            emulator.pins(said)
            emulator.shows_preview(before, PREVIEW)
            edits: list[MessageEdit] = [await inbox.next_edit() for _ in range(3)]

    preview = "[link preview: Tea]"
    assert [(edit.text.partition("\n")[0], edit.text.partition("\n")[2], edit.says_the_same) for edit in edits] == [
        ("teh", preview, True),
        ("the", preview, False),
        ("from before the start", preview, True),
    ]
    assert [[file.text for file in edit.attachments] for edit in edits] == [["Sencha"], ["Sencha"], []]
