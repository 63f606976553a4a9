import asyncio
import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.domain.chat import ConversationKind, console_conversation
from bot.domain.message import Part
from bot.errors import DeliveryDelayed
from bot.platforms.console.terminal import LineReader, PlainTerminal
from tests.unit.platforms.console.stage import ADA, ScriptedInbox, conversation, target


class Pipe:
    """The two ends of a pipe: what is typed goes in at one, the terminal reads from the other."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()

    def type(self, text: str) -> None:
        os.write(self.writing, text.encode())

    def end(self) -> None:
        os.close(self.writing)


@pytest.fixture
def stdin() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    os.close(pipe.reading)


@pytest.fixture
def stdout() -> io.StringIO:
    return io.StringIO()


async def test_lines_go_in_and_replies_come_out(stdin: Pipe, stdout: io.StringIO) -> None:
    inbox = ScriptedInbox([["Hel", "Hello!"], ["Bye."]])
    stdin.type("hi\n\n  see you  \n")
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        pass

    assert stdout.getvalue() == "Hello!\nBye.\n"
    assert [message.text for message in inbox.received] == ["hi", "see you"]


async def test_a_line_waits_for_the_reply_before_it(stdin: Pipe, stdout: io.StringIO) -> None:
    inbox = ScriptedInbox([["First."], ["Second."]], hold=asyncio.Event())
    stdin.type("one\ntwo\n")
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        await inbox.arrived.wait()
        before = len(inbox.received)
        assert inbox.hold is not None
        inbox.hold.set()

    assert before == 1
    assert stdout.getvalue() == "First.\nSecond.\n"


async def test_a_message_says_who_wrote_where(stdin: Pipe, stdout: io.StringIO) -> None:
    inbox = ScriptedInbox()
    stdin.type("one\ntwo\n")
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        pass

    first, second = inbox.received
    assert (first.author, first.conversation, first.kind) == (ADA, console_conversation(), ConversationKind.DIRECT)
    assert first.addressed_to_bot
    assert first.message_id != second.message_id


async def test_silence_does_not_hold_up_the_next_line(stdin: Pipe, stdout: io.StringIO) -> None:
    inbox = ScriptedInbox([[""], ["Here."]])
    stdin.type("psst\nhello?\n")
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        pass

    assert stdout.getvalue() == "Here.\n"


async def test_the_last_line_needs_no_line_break(stdin: Pipe, stdout: io.StringIO) -> None:
    inbox = ScriptedInbox([["Yes."]])
    stdin.type("there?")
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        pass

    assert stdout.getvalue() == "Yes.\n"


async def test_a_new_conversation_begins_with_the_greeting(stdin: Pipe, stdout: io.StringIO) -> None:
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), ScriptedInbox(), greeting="Good day.\n") as stage:
        pass

    assert stdout.getvalue() == "Good day.\n"
    assert stage.host.recorded == ["Good day.\n"]


@pytest.mark.parametrize("line", ["/quit", "/EXIT", "／quit", "/quit please"])
async def test_whoever_wants_to_leave_leaves(stdin: Pipe, stdout: io.StringIO, line: str) -> None:
    inbox = ScriptedInbox([["Stay!"]])
    stdin.type(f"{line}\nmore\n")

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        pass

    assert (stdout.getvalue(), inbox.received) == ("", [])


async def test_a_command_is_answered_with_its_markdown(stdin: Pipe, stdout: io.StringIO) -> None:
    inbox = ScriptedInbox()
    stdin.type("/memory list\n")
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        pass

    assert stdout.getvalue() == "**Nothing** is remembered.\n"
    assert not inbox.received
    assert inbox.calls[0].asker_is_admin


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        pytest.param("y\n", "Forgot 3.", id="yes"),
        pytest.param(" YES \n", "Forgot 3.", id="loud yes"),
        pytest.param("n\n", "Nothing was changed.", id="no"),
        pytest.param("\n", "Nothing was changed.", id="nothing"),
        pytest.param("", "Nothing was changed.", id="end of input"),
    ],
)
async def test_what_cannot_be_taken_back_is_confirmed_by_the_next_line(stdin: Pipe, stdout: io.StringIO, answer: str, outcome: str) -> None:
    stdin.type(f"/memory forget 3\n{answer}")
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), ScriptedInbox()):
        pass

    assert stdout.getvalue() == f"Forget 3?\nForget it? [y/N] \n{outcome}\n"


async def test_a_misspelt_command_is_explained_and_is_no_message(stdin: Pipe, stdout: io.StringIO) -> None:
    inbox = ScriptedInbox()
    stdin.type("/memory lsit\n")
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        pass

    assert "memory list" in stdout.getvalue()
    assert not inbox.received


@pytest.mark.parametrize("leaving", ["/quit", "/exit"])
async def test_leaving_reads_no_further_line(stdin: Pipe, stdout: io.StringIO, leaving: str) -> None:
    inbox = ScriptedInbox()
    stdin.type(f"{leaving}\nhello\n")

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        pass
    stdin.end()

    assert not inbox.received


async def test_replies_cannot_steer_the_terminal(stdin: Pipe, stdout: io.StringIO) -> None:
    inbox = ScriptedInbox([["a\x1b]0;owned\x07b\x9b2Jc\rd\u202ee"]])
    stdin.type("hi\n")
    stdin.end()

    async with conversation(PlainTerminal(stdin.reading, stdout), inbox):
        pass

    assert stdout.getvalue() == "a␛]0;owned␇b�2Jcde\n"


async def test_a_reply_nobody_waits_for_is_shown_whole(stdin: Pipe, stdout: io.StringIO) -> None:
    async with conversation(PlainTerminal(stdin.reading, stdout), ScriptedInbox()) as stage:
        message_id = await stage.platform.send(target("long-ago"), Part("You asked yesterday: 42."), nonce="1")
        stdin.end()

    assert stdout.getvalue() == "You asked yesterday: 42.\n"
    assert message_id


class Torn(io.StringIO):
    """A pipe that nobody reads any more."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


async def test_a_reply_that_nobody_reads_is_kept_for_the_next_start(stdin: Pipe) -> None:
    refusals: list[DeliveryDelayed] = []
    stdin.type("hi\nhello\n")

    async with conversation(PlainTerminal(stdin.reading, Torn()), ScriptedInbox()) as stage:
        try:
            await stage.platform.send(target(), Part("Hello!"), nonce="1")
        except DeliveryDelayed as problem:
            refusals.append(problem)
    stdin.end()

    assert len(refusals) == 1


async def test_characters_and_lines_survive_any_cut(stdin: Pipe) -> None:
    lines = LineReader(stdin.reading)
    read = asyncio.ensure_future(lines.read())

    for byte in "猫が好き\nx".encode():
        os.write(stdin.writing, bytes([byte]))
        await asyncio.sleep(0)
    stdin.end()

    assert await read == "猫が好き"
    assert await lines.read() == "x"
    assert await lines.read() is None


async def test_a_file_can_be_the_input(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b"one\r\n\xff\n")

    with file.open() as opened:
        lines = LineReader(opened.fileno())
        read = [await lines.read() for _ in range(3)]

    assert read == ["one\r", "�", None]
