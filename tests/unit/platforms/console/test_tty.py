import asyncio
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from bot.domain.command import Answer, Command, CommandCall, Option, OptionKind
from bot.domain.message import Byline
from bot.domain.persona import Avatar
from bot.platforms.console.adapter import HINT
from bot.platforms.console.tty import TtyTerminal
from tests.unit.platforms.console.stage import ScriptedInbox, conversation, target

ENTER, CTRL_C, CTRL_D = "\r", "\x03", "\x04"


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        yield keyboard


async def no_picture() -> Avatar | None:
    return None


def screen(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what was written, without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)


async def test_a_reply_grows_behind_the_name_of_the_persona(keys: PipeInput, capsys: pytest.CaptureFixture[str]) -> None:
    keys.send_text(f"hi{ENTER}{CTRL_D}")

    async with conversation(TtyTerminal(), ScriptedInbox([["Hel", "Hello", "Hello!"]]), greeting="Good day."):
        pass

    assert screen(capsys).splitlines() == ["Iris: Good day.", HINT, "Iris: Hello!"]


async def test_a_persona_that_was_chosen_is_named_at_the_start(keys: PipeInput, capsys: pytest.CaptureFixture[str]) -> None:
    keys.send_text(CTRL_D)

    async with conversation(TtyTerminal(), ScriptedInbox(), is_default=False):
        pass

    assert screen(capsys).splitlines() == [f"You are talking with Iris. {HINT}"]


async def test_of_several_personas_the_one_that_speaks_is_named(keys: PipeInput, capsys: pytest.CaptureFixture[str]) -> None:
    keys.send_text(f"Rose?{ENTER}{CTRL_D}")

    async with conversation(TtyTerminal(), ScriptedInbox([["Ar", "Arr!"]], byline=Byline("rose", "Rose"))) as stage:
        assert await stage.platform.shows_byline(target(), no_picture)

    assert screen(capsys).splitlines() == [HINT, "Rose: Arr!"]


@pytest.mark.parametrize("leaving", [pytest.param(CTRL_C, id="Ctrl-C"), pytest.param(CTRL_D, id="Ctrl-D"), f"/quit{ENTER}"])
async def test_a_key_leaves_at_the_prompt(keys: PipeInput, leaving: str) -> None:
    inbox = ScriptedInbox()
    keys.send_text(leaving)

    async with conversation(TtyTerminal(), inbox):
        pass

    assert not inbox.received


async def test_an_interrupt_from_outside_leaves_at_the_prompt(keys: PipeInput) -> None:
    handler = signal.getsignal(signal.SIGINT)
    terminal, shown = TtyTerminal(), asyncio.Event()
    terminal._session.app.after_render += lambda _: shown.set()

    async with conversation(terminal, ScriptedInbox()) as stage:
        await shown.wait()
        os.kill(os.getpid(), signal.SIGINT)
        await stage.talk

    assert signal.getsignal(signal.SIGINT) is handler


async def test_ctrl_c_during_a_reply_returns_to_the_prompt(keys: PipeInput, capsys: pytest.CaptureFixture[str]) -> None:
    inbox = ScriptedInbox([["Well, ", "Well, let me think."], ["Yes."]], hold=asyncio.Event())
    keys.send_text(f"what is it?{ENTER}")

    async with conversation(TtyTerminal(), inbox) as stage:
        await inbox.arrived.wait()
        await asyncio.sleep(0)
        inbox.arrived.clear()
        os.kill(os.getpid(), signal.SIGINT)
        keys.send_text(f"never mind{ENTER}")
        await inbox.arrived.wait()
        assert inbox.hold is not None
        inbox.hold.set()
        await inbox.quiet.wait()
        keys.send_text(CTRL_D)
        await stage.talk

    lines = screen(capsys).splitlines()
    assert "Iris: Well," in lines
    assert "Iris: Well, let me think." in lines
    assert "Iris: Yes." in lines


async def test_silence_is_said(keys: PipeInput, capsys: pytest.CaptureFixture[str]) -> None:
    keys.send_text(f"psst{ENTER}{CTRL_D}")

    async with conversation(TtyTerminal(), ScriptedInbox([[""]])):
        pass

    assert "(no answer)" in screen(capsys)


async def test_answers_of_commands_are_rendered(keys: PipeInput, capsys: pytest.CaptureFixture[str]) -> None:
    keys.send_text(f"/memory list{ENTER}{CTRL_D}")

    async with conversation(TtyTerminal(), ScriptedInbox()):
        pass

    assert "Nothing is remembered." in screen(capsys)


async def test_a_confirmation_is_asked_inline(keys: PipeInput, capsys: pytest.CaptureFixture[str]) -> None:
    inbox = ScriptedInbox()
    keys.send_text(f"/memory forget 3{ENTER}y{ENTER}{CTRL_D}")

    async with conversation(TtyTerminal(), inbox):
        pass

    assert "Forgot 3." in screen(capsys)
    assert [call.confirmed for call in inbox.calls] == [False, True]


async def test_commands_are_completed_with_the_tab_key(keys: PipeInput, capsys: pytest.CaptureFixture[str]) -> None:
    inbox = ScriptedInbox()
    terminal, shown = TtyTerminal(), asyncio.Event()
    terminal._session.default_buffer.on_completions_changed += lambda _: shown.set()

    async with conversation(terminal, inbox):
        keys.send_text("/memory l")
        await shown.wait()
        keys.send_text(f"\t{ENTER}{CTRL_D}")

    assert [call.path for call in inbox.calls] == [("memory", "list")]


async def test_what_a_command_lacks_is_asked_for(keys: PipeInput, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    async def say_all(call: CommandCall) -> Answer:
        return Answer(f"{call.options} {call.file.content!r}" if call.file else "nothing")

    options = (
        Option("name", "Its name"),
        Option("voice", "How it talks", is_long=True),
        Option("greeting", "Hello", required=False, is_long=True),
        Option("file", "A card", OptionKind.FILE, required=False),
    )
    create, inbox = Command(("create",), "Make one", say_all, options), ScriptedInbox(commands=())
    inbox.commands = (create,)
    (tmp_path / "card.png").write_bytes(b"PNG")
    answers = ("Iris", "Calm.", "Kind.", "", "/skip", str(tmp_path / "none.png"), str(tmp_path / "card.png"))
    keys.send_text("".join(f"{line}{ENTER}" for line in ("/create", *answers, "/create", "/cancel")) + CTRL_D)

    async with conversation(TtyTerminal(), inbox):
        pass

    shown = " ".join(screen(capsys).split())
    assert "{'name': 'Iris', 'voice': 'Calm.\\nKind.'} b'PNG'" in shown
    assert ("I cannot read" in shown, shown.endswith("Nothing was changed."), len(inbox.calls)) == (True, True, 1)
