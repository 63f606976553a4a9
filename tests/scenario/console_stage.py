"""`baku chat` in a process of its own, on pipes or on a terminal."""

import asyncio
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.testing.databases import DATABASES

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0
_STEERING = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\r")
_WHERE_IS_THE_CURSOR = b"\x1b[6n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a process left behind."""

    code: int
    out: str
    err: str


def installation(folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a Baku that keeps everything in a folder and speaks as its own personas."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("BAKU_", "OPENAI_", "DISCORD_", "TELEGRAM_"))}
    own = {
        "BAKU_DB": DATABASES.of(folder),
        "BAKU_EMBEDDER": "none",  # which makes a start a third quicker
        "BAKU_PERSONAS": str(ROOT / "personas"),
        "BAKU_PLUGINS": str(folder / "plugins"),
        "BAKU_SPACY_MODEL": "none",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
    }
    return inherited | own | settings


async def piped(folder: Path, typed: str, *arguments: str, **settings: str) -> Outcome:
    """Type lines into a conversation and return what came of it."""
    process = await started(folder, *arguments, **settings)
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate(typed.encode())
    assert process.returncode is not None
    return Outcome(process.returncode, out.decode(), err.decode())


async def started(folder: Path, *arguments: str, **settings: str) -> asyncio.subprocess.Process:
    """Start a conversation on pipes."""
    return await _chatting(folder, arguments, installation(folder, **settings), asyncio.subprocess.PIPE)


async def _chatting(
    folder: Path, arguments: Sequence[str], environment: Mapping[str, str], streams: int, *, own_terminal: bool = False
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "chat", *arguments),
        cwd=folder,
        env=environment,
        stdin=streams,
        stdout=streams,
        stderr=streams,
        start_new_session=own_terminal,
        preexec_fn=(lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if own_terminal else None,
    )


class Screen:
    """A terminal with a conversation on it."""

    def __init__(self, terminal: int, process: asyncio.subprocess.Process) -> None:
        self._terminal = terminal
        self._process = process
        self._written = b""
        self._changed = asyncio.Event()
        self._read_up_to = 0
        asyncio.get_running_loop().add_reader(terminal, self._read)

    @property
    def text(self) -> str:
        """Return all that was written since the start, without colours and cursor moves."""
        return _STEERING.sub(b"", self._written).decode(errors="replace")

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._terminal, keys.encode())

    async def shows(self, text: str) -> None:
        """Return as soon as a text has been written after the last one that was waited for."""
        async with asyncio.timeout(PATIENCE):
            while (found := self.text.find(text, self._read_up_to)) < 0:
                self._changed.clear()
                await self._changed.wait()
        self._read_up_to = found + len(text)

    async def ends(self) -> int:
        """Return the exit code when the conversation is over."""
        async with asyncio.timeout(PATIENCE):
            return await self._process.wait()

    def interrupt(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        self._process.send_signal(number)

    def close(self) -> None:
        """Stop reading."""
        asyncio.get_running_loop().remove_reader(self._terminal)
        os.close(self._terminal)

    def _read(self) -> None:
        try:
            written = os.read(self._terminal, 65536)
        except OSError:  # Linux says so when the last process has left the terminal
            written = b""
        if not written:
            asyncio.get_running_loop().remove_reader(self._terminal)
        for _ in range(written.count(_WHERE_IS_THE_CURSOR)):
            os.write(self._terminal, b"\x1b[1;1R")
        self._written += written
        self._changed.set()


@asynccontextmanager
async def on_a_terminal(folder: Path, *arguments: str, **settings: str) -> AsyncIterator[Screen]:
    """Hold a conversation on a terminal of 80 columns; end it by force when the test has not."""
    outside, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = await _chatting(folder, arguments, installation(folder, **settings), inside, own_terminal=True)
    os.close(inside)
    screen = Screen(outside, process)
    try:
        yield screen
    finally:
        screen.close()
        if process.returncode is None:
            process.kill()
        await process.wait()
