"""A terminal with somebody in front of it: line editing, completion, colours."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from prompt_toolkit import PromptSession
from prompt_toolkit import completion as prompt_completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text
from typing_extensions import override

from bot.platforms.console.completion import Completion
from bot.platforms.console.terminal import Terminal
from bot.platforms.console.wrap import LineWrap

T = TypeVar("T")

PROMPT = "You: "


class TtyTerminal(Terminal):
    """Ctrl-C breaks off what the user waits for, and leaves at the prompt; Ctrl-D leaves."""

    def __init__(self) -> None:
        self._session: PromptSession[str] = PromptSession(history=InMemoryHistory())
        self._interrupt: Callable[[], None] = self._leave
        self._wrap = LineWrap(lambda: self._session.output.get_size().columns)
        self._held_back: list[str] = []

    @property
    @override
    def interactive(self) -> bool:
        """Return True."""
        return True

    @override
    @contextmanager
    def opened(self, completion: Completion) -> Iterator[None]:
        """Complete commands and listen for Ctrl-C."""
        self._session.completer = _PromptCompleter(completion)
        loop = asyncio.get_running_loop()
        before = signal.getsignal(signal.SIGINT)
        loop.add_signal_handler(signal.SIGINT, self._on_interrupt)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            signal.signal(signal.SIGINT, before)

    @override
    async def read(self, question: str = "") -> str | None:
        """Return a line; what others print meanwhile appears above it."""
        label = FormattedText([("bold", question or PROMPT)])
        try:
            with patch_stdout(raw=True):
                return await self._session.prompt_async(label, handle_sigint=False)
        except (EOFError, KeyboardInterrupt):
            return None

    @override
    async def attend(self, work: Awaitable[T]) -> T | None:
        """Return what the work gives, or None when Ctrl-C breaks it off."""
        now = asyncio.get_running_loop().time()
        patience = asyncio.timeout(None)
        self._interrupt = lambda: patience.reschedule(now)
        try:
            async with patience:
                return await work
        except TimeoutError:
            if not patience.expired():
                raise
            return None
        finally:
            self._interrupt = self._leave

    @override
    def write(self, text: str) -> None:
        """Write and flush, lines broken between words; what the log said meanwhile follows when the line has ended."""
        sys.stdout.write(self._wrap.feed(text))
        sys.stdout.flush()
        while self._held_back and self._wrap.at_line_start:
            self.write_hint(self._held_back.pop(0))

    @override
    def write_name(self, name: str) -> None:
        """Write the name in colour."""
        self._console().print(Text(f"{name}: ", style="bold cyan"), end="")
        self._wrap.begin_line(f"{name}: ")
        sys.stdout.flush()

    @override
    def write_hint(self, text: str) -> None:
        """Write the line in grey."""
        self._console().print(Text(text, style="dim"))

    @override
    def write_log(self, line: str) -> None:
        """Write the line in grey, behind the line that is being written; where stderr goes elsewhere, there."""
        if not sys.stderr.isatty():
            super().write_log(line)
        elif self._wrap.at_line_start:
            self.write_hint(line)
        else:
            self._held_back.append(line)

    @override
    def write_markdown(self, text: str) -> None:
        """Write the Markdown as Rich shows it, addresses in the open."""
        self._console().print(Markdown(text, hyperlinks=False))

    def _console(self) -> Console:
        return Console(file=sys.stdout, force_terminal=True, highlight=False)

    def _on_interrupt(self) -> None:
        self._interrupt()

    def _leave(self) -> None:
        if self._session.app.is_running:
            self._session.app.exit(exception=EOFError)


class _PromptCompleter(prompt_completion.Completer):
    """Offers what our completion suggests in the way of prompt_toolkit."""

    def __init__(self, completion: Completion) -> None:
        self._completion = completion

    @override
    def get_completions(
        self, document: Document, complete_event: prompt_completion.CompleteEvent
    ) -> Iterable[prompt_completion.Completion]:
        return ()

    @override
    async def get_completions_async(
        self, document: Document, complete_event: prompt_completion.CompleteEvent
    ) -> AsyncGenerator[prompt_completion.Completion, None]:
        for found in await self._completion.suggestions(document.text_before_cursor):
            yield prompt_completion.Completion(found.text, -found.replaces, display=found.label, display_meta=found.note)
