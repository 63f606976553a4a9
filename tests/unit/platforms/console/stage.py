"""A console platform under test: real pipes or keys on one side, an inbox that answers from a script on the other."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.domain.chat import ConversationKey, ConversationKind, console_conversation
from bot.domain.command import Answer, Choice, Command, CommandCall, Confirmation, Option, OptionKind
from bot.domain.message import Byline, IncomingMessage, MessageEdit, Part, Person, ReplyTarget, StoredMessage
from bot.platforms.console.adapter import ConsolePlatform
from bot.platforms.console.terminal import Terminal
from bot.testing.clock import FrozenClock

ADA = Person("console-user", "Ada")


async def _suggest(call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice("3: likes tea", "3")]


async def _listed(call: CommandCall) -> Answer:
    return Answer("**Nothing** is remembered.")


async def _forgotten(call: CommandCall) -> Answer:
    if not call.confirmed:
        return Answer("Forget 3?", confirmation=Confirmation("Forget it", "memory forget 3"))
    return Answer(f"Forgot {call.options['number']}.")


COMMANDS = (
    Command(("memory", "list"), "List memories", _listed),
    Command(("memory", "forget"), "Forget one", _forgotten, (Option("number", "Which", OptionKind.NUMBER, suggest=_suggest),)),
)


@dataclass(slots=True)
class ScriptedInbox:
    """Answers each message with drafts and a reply, or with silence when there is none left."""

    script: list[Sequence[str]] = field(default_factory=list)
    commands: Sequence[Command] = COMMANDS
    received: list[IncomingMessage] = field(default_factory=list)
    calls: list[CommandCall] = field(default_factory=list)
    turns: asyncio.Queue[ReplyTarget] = field(default_factory=asyncio.Queue)
    quiet: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    hold: asyncio.Event | None = None
    """Holds a reply back, after its drafts, until it is set."""
    byline: Byline | None = None
    """Who speaks, where several personas share the conversation."""

    async def receive(self, message: IncomingMessage) -> None:
        self.received.append(message)
        self.quiet.clear()
        self.arrived.set()
        self.turns.put_nowait(ReplyTarget(message.conversation, message.kind, message.message_id))

    async def last_heard(self, platform: str, *, limit: int) -> Sequence[StoredMessage]:
        return ()

    async def edit(self, edit: MessageEdit) -> None:
        raise NotImplementedError

    async def delete(self, conversation: ConversationKey, message_ids: Sequence[str]) -> None:
        raise NotImplementedError

    async def left(self, platform: str, space_id: str) -> None:
        raise NotImplementedError

    async def moved(self, platform: str, old_id: str, new_id: str) -> None:
        raise AssertionError("A terminal moves nowhere.")

    async def joined(self, platform: str, *space_ids: str) -> None:
        raise NotImplementedError

    async def run_command(self, call: CommandCall) -> Answer:
        self.calls.append(call)
        return await next(command for command in self.commands if command.path == call.path).run(call)

    async def suggest(self, call: CommandCall, option: str, typed: str) -> Sequence[Choice]:
        return await _suggest(call, typed)

    async def prefill(self, call: CommandCall, option: str) -> str:
        raise AssertionError("A terminal has no forms.")

    async def take_turns(self, platform: ConsolePlatform) -> None:
        while True:
            target = replace(await self.turns.get(), byline=self.byline)
            *drafts, reply = self.script.pop(0) if self.script else ("",)
            async with platform.composing(target) as growing:
                for draft in drafts:
                    await growing.show(draft)
            if self.hold:
                await self.hold.wait()
            if reply:
                await platform.send(target, Part(reply), nonce="1")
            self.quiet.set()


@dataclass(slots=True)
class Iris:
    """The host: Iris speaks, and is settled when the inbox is."""

    inbox: ScriptedInbox
    words: str = ""
    is_default: bool = True
    recorded: list[str] = field(default_factory=list)

    async def speaker(self) -> str:
        return "Iris"

    async def chosen(self) -> str:
        return "" if self.is_default else "Iris"

    async def greeting(self) -> str:
        return self.words

    async def record_greeting(self, greeting: str, at: datetime) -> None:
        self.recorded.append(greeting)

    async def settled(self) -> None:
        await self.inbox.quiet.wait()


@dataclass(slots=True)
class Stage:
    """A conversation that is going on."""

    platform: ConsolePlatform
    inbox: ScriptedInbox
    host: Iris
    talk: asyncio.Task[None]


@asynccontextmanager
async def conversation(terminal: Terminal, inbox: ScriptedInbox, *, greeting: str = "", is_default: bool = True) -> AsyncIterator[Stage]:
    """Let somebody talk at the terminal; at the end, wait until they have left."""
    host = Iris(inbox, greeting, is_default)
    platform = ConsolePlatform(terminal, host, FrozenClock(), user=ADA)
    async with asyncio.TaskGroup() as group, asyncio.timeout(10):
        inbox.quiet.set()
        turns = group.create_task(inbox.take_turns(platform))
        talk = group.create_task(platform.run(inbox))
        yield Stage(platform, inbox, host, talk)
        await talk
        turns.cancel()


def target(message_id: str = "") -> ReplyTarget:
    """Return where an answer goes that nobody waits for."""
    return ReplyTarget(console_conversation(), ConversationKind.DIRECT, message_id)
