from functools import partial

import pytest

from bot.domain.command import Answer, Command, CommandCall
from bot.platforms.discord.mention import CommandMentions
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running
from tests.unit.platforms.recording_inbox import RecordingInbox


async def nothing(call: CommandCall) -> Answer:
    return Answer("`/memory list` shows all.")


def has_asked(emulator: DiscordEmulator, times: int) -> bool:
    return len(emulator.calls_to("GET", "/commands")) >= times


LIST, HELP = Command(("memory", "list"), "List", nothing), Command(("help",), "Help", nothing)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("`/memory list` and `/help`.", "</memory list:7> and </help:9>.", id="whole commands"),
        pytest.param("`/memory list 3` `/help [command]`", "</memory list:7> `3` </help:9> `[command]`", id="with options"),
        pytest.param("`/memory`, `/nope`, `memory list`", "`/memory`, `/nope`, `memory list`", id="no command"),
        pytest.param(f"`/help`{'.' * 1993}", f"`/help`{'.' * 1993}", id="as long as a message may be"),
        pytest.param("```\n`/help`\n``` `/help`", "```\n`/help`\n``` </help:9>", id="in code"),
    ],
)
def test_a_command_between_backticks_can_be_pressed(text: str, shown: str) -> None:
    mentions = CommandMentions([LIST, HELP])
    mentions.learn({"memory": 7, "help": 9})

    assert mentions.in_text(text) == shown


def test_before_discord_has_told_the_ids_a_text_stays_as_it_is() -> None:
    assert CommandMentions([HELP]).in_text("`/help`") == "`/help`"


async def test_answers_mention_commands_at_the_first_start_and_at_the_next() -> None:
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        texts = []
        for _ in range(2):
            asked = len(emulator.calls_to("GET", "/commands"))
            async with running(emulator, RecordingInbox([LIST, HELP])):
                await emulator.changes.until(partial(has_asked, emulator, asked + 1), "the commands")
                await emulator.slash(ada, emulator.dm(ada), "help").answer()  # meanwhile the bot has read what Discord says of its commands
                texts.append((await emulator.slash(ada, emulator.dm(ada), "help").answer()).content)

    (known,) = [command["id"] for command in emulator.world.commands[None] if command["name"] == "memory"]
    assert texts == [f"</memory list:{known}> shows all."] * 2
