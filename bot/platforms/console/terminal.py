"""What a conversation needs of a terminal, and the plain one: lines in, replies out."""

import asyncio
import codecs
import os
import sys
from collections.abc import Awaitable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TextIO, TypeVar

from typing_extensions import override

from bot.platforms.console.completion import Completion

T = TypeVar("T")

_CHUNK_BYTES = 65536


class Terminal(Protocol):
    """Where somebody types and reads. What is written to it must be free of control characters."""

    @property
    def interactive(self) -> bool:
        """Say whether somebody watches: then drafts, names and hints are worth showing."""
        ...

    def opened(self, completion: Completion) -> AbstractContextManager[None]:
        """Take over the terminal as long as the context is open."""
        ...

    async def read(self, question: str = "") -> str | None:
        """Return the next line, or None when the input has ended or the user wants to leave."""
        ...

    async def attend(self, work: Awaitable[T]) -> T | None:
        """Return what the work gives, or None when the user breaks it off."""
        ...

    def write(self, text: str) -> None:
        """Show text at once, with no line break of its own. Raises BrokenPipeError when nobody reads any more."""
        ...

    def write_name(self, name: str) -> None:
        """Begin a line that somebody says."""
        ...

    def write_hint(self, text: str) -> None:
        """Show a line about the program itself."""
        ...

    def write_log(self, line: str) -> None:
        """Show a line of the log: on stderr, unless a terminal has a better place for it."""
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()

    def write_markdown(self, text: str) -> None:
        """Show Markdown as well as this terminal can."""
        ...


class PlainTerminal(Terminal):
    """Pipes and files: lines in, replies out, nothing else."""

    def __init__(self, stdin: int, stdout: TextIO) -> None:
        self._lines = LineReader(stdin)
        self._stdout = stdout

    @property
    @override
    def interactive(self) -> bool:
        """Return False."""
        return False

    @override
    @contextmanager
    def opened(self, completion: Completion) -> Iterator[None]:
        """Do nothing."""
        yield

    @override
    async def read(self, question: str = "") -> str | None:
        """Return the next line; a question is shown on a line of its own."""
        if question:
            self.write(f"{question}\n")
        return await self._lines.read()

    @override
    async def attend(self, work: Awaitable[T]) -> T | None:
        """Return what the work gives; Ctrl-C ends the whole program here."""
        return await work

    @override
    def write(self, text: str) -> None:
        """Write and flush."""
        self._stdout.write(text)
        self._stdout.flush()

    @override
    def write_name(self, name: str) -> None:
        """Write nothing: replies stand alone."""

    @override
    def write_hint(self, text: str) -> None:
        """Write nothing."""

    @override
    def write_markdown(self, text: str) -> None:
        """Write the Markdown as it is."""
        self.write(f"{text}\n")


class LineReader:
    """Reads lines of UTF-8 from a file descriptor without holding up the event loop, and never more than it has to."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._ended = False

    async def read(self) -> str | None:
        """Return the next line without its end, or None after the last."""
        while "\n" not in self._pending and not self._ended:
            await self._wait()
            chunk = os.read(self._descriptor, _CHUNK_BYTES)
            self._ended = not chunk
            self._pending += self._decoder.decode(chunk, final=self._ended)
        if not self._pending:
            return None
        line, _, self._pending = self._pending.partition("\n")
        return line

    async def _wait(self) -> None:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        try:
            loop.add_reader(self._descriptor, readable.set)
        except PermissionError:  # regular files cannot be waited for, and need not be
            return
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._descriptor)
