"""What stands on the screen: answers as they grow, and whose they are."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import structlog

from bot.platforms.console.convert import visible
from bot.platforms.console.reply import GrowingReply
from bot.platforms.console.terminal import Terminal

log = structlog.get_logger(__name__)


class Host(Protocol):
    """What the terminal asks of the bot behind it."""

    async def speaker(self) -> str:
        """Return the name of the persona that speaks just now."""
        ...

    async def chosen(self) -> str:
        """Return the name of the persona that speaks where it was chosen instead of the default one; else nothing."""
        ...

    async def greeting(self) -> str:
        """Return how the persona opens the conversation; empty when it is not new."""
        ...

    async def record_greeting(self, greeting: str, at: datetime) -> None:
        """Keep the greeting that was shown as the persona's first line."""
        ...

    async def settled(self) -> None:
        """Return when no turn is under way."""
        ...


@dataclass(slots=True)
class AwaitedReply:
    """The answer that the user waits for."""

    message_id: str
    text: GrowingReply
    named: bool = False
    sent: bool = False
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the answer is sent, or when none will come."""


class Screen:
    """Shows answers. The awaited one grows in place; any other comes whole, on lines of its own."""

    def __init__(self, terminal: Terminal, host: Host) -> None:
        self._terminal = terminal
        self._host = host
        self._awaited: AwaitedReply | None = None

    @contextmanager
    def awaiting(self, message_id: str) -> Iterator[AwaitedReply]:
        """Let the answer to that message grow in place as long as the context is open, then end its line."""
        awaited = self._awaited = AwaitedReply(message_id, GrowingReply(self._terminal.write))
        try:
            yield awaited
            if awaited.named and not awaited.sent:
                self._terminal.write("\n")
        finally:
            self._awaited = None

    async def show_draft(self, message_id: str, text: str, *, speaker: str = "") -> None:
        """Show a draft if its answer is awaited and somebody watches; without a speaker, it is whoever speaks just now."""
        awaited = self._awaited_for(message_id)
        if awaited is not None and self._terminal.interactive:
            await self._name(awaited, speaker)
            awaited.text.show_draft(text)

    async def show_reply(self, message_id: str, text: str, *, speaker: str = "") -> None:
        """Show an answer that is complete."""
        awaited = self._awaited_for(message_id)
        if awaited is None:
            await self.show_line(text, speaker=speaker)
            return
        await self._name(awaited, speaker)
        awaited.text.finish(text)
        awaited.sent = True
        awaited.over.set()

    async def show_line(self, text: str, *, speaker: str = "") -> None:
        """Show something that the persona says of its own accord; the awaited answer begins anew below."""
        if self._awaited is not None and self._awaited.named:
            self._terminal.write("\n")
            self._awaited.named, self._awaited.text = False, GrowingReply(self._terminal.write)
        self._terminal.write_name(visible(speaker or await self._host.speaker()))
        self._terminal.write(f"{visible(text.strip())}\n")

    def stop_waiting(self) -> None:
        """Tell whoever waits that nothing can be shown any more."""
        if self._awaited is not None:
            self._awaited.over.set()

    def _awaited_for(self, message_id: str) -> AwaitedReply | None:
        return self._awaited if self._awaited is not None and self._awaited.message_id == message_id else None

    async def _name(self, awaited: AwaitedReply, speaker: str) -> None:
        if not awaited.named:
            awaited.named = True
            self._terminal.write_name(visible(speaker or await self._host.speaker()))


@dataclass(frozen=True, slots=True)
class ScreenDraft:
    """A Draft that grows on the screen."""

    screen: Screen
    reply_to: str
    message_id: str = ""
    speaker: str = ""

    async def show(self, text: str) -> None:
        """Show the text so far."""
        try:
            await self.screen.show_draft(self.reply_to, text, speaker=self.speaker)
        except OSError as problem:
            log.warning("draft_not_shown", problem=str(problem))
