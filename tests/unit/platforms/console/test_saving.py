"""Files that come with an answer in the terminal."""

import io
import os
import stat
from pathlib import Path

import pytest

from bot.domain.command import Answer, AnswerFile, Command, CommandCall
from bot.platforms.console.saving import saved
from bot.platforms.console.terminal import PlainTerminal
from tests.unit.platforms.console.stage import ScriptedInbox, conversation

FILE = AnswerFile("export.zip", b"all of it")


def test_a_file_is_for_its_owner_alone_and_takes_no_others_place(tmp_path: Path) -> None:
    first, second = saved(FILE, tmp_path), saved(AnswerFile("export.zip", b"more"), tmp_path)

    assert (first.name, second.name) == ("export.zip", "export-2.zip")
    assert (first.read_bytes(), second.read_bytes()) == (b"all of it", b"more")
    assert stat.S_IMODE(first.stat().st_mode) == 0o600


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        saved(FILE, tmp_path / "missing")


async def test_an_answer_says_where_its_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def export(call: CommandCall) -> Answer:
        return Answer("Here it is.", file=FILE)

    monkeypatch.chdir(tmp_path)
    reading, writing = os.pipe()
    os.write(writing, b"/memory export\n")
    os.close(writing)
    inbox, stdout = ScriptedInbox([]), io.StringIO()
    inbox.commands = [Command(("memory", "export"), "Export", export)]

    async with conversation(PlainTerminal(reading, stdout), inbox):
        pass
    os.close(reading)

    assert (tmp_path / "export.zip").read_bytes() == FILE.content
    assert str(tmp_path / "export.zip") in stdout.getvalue()
