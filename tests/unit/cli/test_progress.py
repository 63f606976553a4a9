"""A long work tells how far it has come: a bar on a terminal, a line now and then in a pipe."""

import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bot.cli.progress import LINES, progress_shown

SCRIPT = """
from bot.cli.progress import progress_shown
with progress_shown("console:main:main:") as progress:
    for done in range(1, 5):
        progress(done, 4)
"""


@pytest.mark.parametrize("total", [4, 10, 1000])
def test_in_a_pipe_a_line_comes_at_each_tenth_at_most_and_at_the_end(capsys: pytest.CaptureFixture[str], total: int) -> None:
    with progress_shown("here") as progress:
        for done in range(1, total + 1):
            progress(done, total)

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == min(total, LINES)
    assert lines[-1] == f"here: {total} of {total}"


def test_what_has_no_end_yet_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_shown("here") as progress:
        progress(0, 0)

    assert capsys.readouterr().out == ""


def test_on_a_terminal_there_is_a_bar() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "PYTHONPATH": str(Path(__file__).parents[3])}
    subprocess.run([sys.executable, "-c", SCRIPT], stdout=theirs, env=environment, check=True, timeout=60)
    os.close(theirs)

    shown = _all_of(ours)

    assert "console:main:main:" in shown
    assert "━" in shown
    assert "4/4" in shown


def _all_of(terminal: int) -> str:
    """Return what a terminal shows whose other end is closed: reading it to the end raises on Linux."""
    shown = b""
    with suppress(OSError):
        while read := os.read(terminal, 4096):
            shown += read
    os.close(terminal)
    return shown.decode()
