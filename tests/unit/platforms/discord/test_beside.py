"""Files and reactions, which not every platform has."""

from structlog.testing import capture_logs

from bot.domain.command import AnswerFile
from bot.domain.message import ReplyTarget
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running, target_in
from tests.unit.platforms.recording_inbox import RecordingInbox

FILE = AnswerFile("answer.md", b"# Tea\n")


async def test_a_file_comes_below_its_text_in_reply_and_once() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, ada = emulator.channel(guild), emulator.person("Ada", guild)
        async with running(emulator, RecordingInbox()) as platform:
            asked = emulator.member_says(general, ada, "tell me all of it")
            target = target_in(general, reply_to=asked)
            sent = [await platform.send_file(target, FILE, "**It** begins", nonce="1-0") for _ in range(2)]

    (message,) = emulator.said_by_bot(general)
    assert set(sent) == {str(message.id)}
    assert (message.content, message.reply_to) == ("**It** begins", asked)
    assert [file.filename for file in message.attachments] == ["answer.md"]


async def test_a_reaction_is_put_to_the_message_that_is_answered() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, ada = emulator.channel(guild), emulator.person("Ada", guild)
        async with running(emulator, RecordingInbox()) as platform:
            asked = emulator.member_says(general, ada, "are you there?")
            await platform.react(target_in(general, reply_to=asked), "👀")

    assert asked.reactions == ["👀"]


async def test_a_reaction_to_what_is_gone_is_only_logged() -> None:
    async with DiscordEmulator() as emulator:
        here = target_in(emulator.channel(emulator.guild()))
        async with running(emulator, RecordingInbox()) as platform:
            with capture_logs() as logs:
                await platform.react(ReplyTarget(here.conversation, here.kind, "1576855156429946880"), "👀")

    assert "discord_reaction_not_put" in [entry["event"] for entry in logs]
