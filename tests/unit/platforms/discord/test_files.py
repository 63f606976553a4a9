"""Files that come with answers, through the adapter, in front of the emulator."""

import pytest

from bot.domain.command import Answer, AnswerFile, Command, CommandCall
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running
from tests.unit.platforms.recording_inbox import RecordingInbox

FILE = AnswerFile("export.zip", b"all of it")


def answering(text: str, *, slow: bool) -> RecordingInbox:
    """Return an inbox whose command answers with a file."""

    async def export(call: CommandCall) -> Answer:
        return Answer(text, private=True, file=FILE)

    return RecordingInbox([Command(("memory", "export"), "Export", export, private=True, slow=slow)])


@pytest.mark.parametrize("slow", [False, True])
async def test_a_file_comes_with_the_answer_for_the_asker_alone(slow: bool) -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)

        async with running(emulator, answering("Here it is.", slow=slow)):
            answer = await emulator.slash(emulator.person("Ada", guild), general, "memory export").answer()

    assert (answer.content, answer.ephemeral) == ("Here it is.", True)
    assert [attachment.filename for attachment in answer.attachments] == [FILE.name]
