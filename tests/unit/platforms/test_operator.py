import os
import pty

import pytest

from bot.platforms.operator import tell_terminal


def test_what_is_told_stands_on_a_terminal_and_in_no_file(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = pty.openpty()

    tell_terminal("to a file")
    with os.fdopen(writing, "w") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        tell_terminal("to somebody")
        terminal.flush()
        shown = os.read(reading, 100)
    os.close(reading)

    assert shown == b"to somebody\r\n"
    assert capsys.readouterr().err == ""
