"""A whole bot that plays a history and notes all that can be seen on this side of a wall."""

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import httpx

from bot.app.app import App
from bot.commands.parse import ParseProblem, parse_line
from bot.domain.chat import DISCORD, TELEGRAM, ConversationKey
from bot.domain.command import CommandCall
from bot.domain.message import IncomingMessage, MessageEdit, Part, Person, Quote, ReplyTarget, Role
from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta, ToolCallDelta, Usage
from bot.domain.persona import MemoryPolicy
from bot.errors import ModelUnavailable
from bot.llm.embedders.hashing import HashingEmbedder
from bot.memory.elsewhere import SETTING, WHOLE_SPACE
from bot.plugin.manager import PluginManager
from bot.ports.store import Store
from bot.queueing.inprocess import InProcessQueue
from bot.testing.bot import a_world
from bot.testing.clock import START
from bot.testing.factories import a_persona
from bot.testing.platform import RecordingPlatform
from bot.testing.scribe import Asked, a_record, asked_for, lines_in, usual_answer
from bot.web.api import make_web_app
from tests.conformance.walls_histories import (
    DIRECT,
    LONG,
    OWN_LINES,
    QUESTION,
    READ_LINES,
    ROOMS,
    Changes,
    Event,
    History,
    Night,
    Room,
    Says,
    Types,
)

TOKEN = "a-long-test-token-of-our-own"
PATIENCE = 900.0
"""Seconds for anything at all: a busy machine must not be taken for a leak."""
LONGEST_WRITTEN = 300
SMALL = MemoryPolicy(
    working_tokens=40,
    max_working=4,
    max_handles=2,
    demote_below=0.72,
    archive_below=0.6,
    forget_below=0.5,
    history_messages=8,
    chunk_messages=3,
    chunk_lookback=1,
    summary_after=1,
    summary_batch=1,
    condense=2,
    condense_buffer=1,
    dream_hours=0.0,
)
"""Small enough for a few messages to come to all that a long life brings."""
_HANDLE = re.compile(r"\[[0-9a-f]{8}\]")
_MEASURED = re.compile(r"\d+\.\d seconds")
"""How long something took by the machine's clock."""
_ORDER = re.compile(r"(save|change|drop|use|load|fail|silent) ?(\d*): (.*)", re.DOTALL)


class TimeOfTheHistory:
    """A Clock that stands where the history puts it, however much is waited for."""

    def __init__(self) -> None:
        self.at = START

    def now(self) -> datetime:
        return self.at

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0.01)


class HeldQueue(InProcessQueue):
    """A TurnQueue that keeps its rings until it is let go, so that a reply and the work after it do not overlap."""

    def __init__(self, clock: TimeOfTheHistory) -> None:
        super().__init__(clock)
        self._held: dict[ConversationKey, None] = {}

    async def ring(self, conversation: ConversationKey) -> None:
        self._held[conversation] = None

    async def let_go(self) -> None:
        held, self._held = list(self._held), {}
        for conversation in held:
            await super().ring(conversation)
        await self.idle()


class Obedient:
    """A ChatModel that does what anybody tells it, and whose answers depend on every byte of its prompt."""

    name = "obedient"
    takes_tools = True
    takes_images = False

    def __init__(self) -> None:
        self.prompts: list[str] = []

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        shown = "\n".join(f"{message.role} {message.text} {message.tool_calls}" for message in request.messages)
        self.prompts.append(f"{shown}\n{[tool.name for tool in request.tools]} {request.max_reply_tokens}")
        for event in self._answer(request, shown):
            yield event
        yield Usage(self.name, int(len(shown.split()) * (1.7 if "tea" in shown else 0.7)), 9)

    async def close(self) -> None:
        """Do nothing."""

    def _answer(self, request: ChatRequest, shown: str) -> Sequence[ModelEvent]:
        if (asked := asked_for(request)) is not Asked.OTHER:
            return [TextDelta(_written(request, asked)), Finished(FinishReason.STOP)]
        if "You look after the memory of" in request.messages[0].text:
            empty: dict[str, list[str]] = (
                {"keep": [], "drop": []} if '"keep"' in request.messages[0].text else {"same": [], "ended": [], "dated": []}
            )
            return [TextDelta(json.dumps(empty)), Finished(FinishReason.STOP)]
        digest = hashlib.sha256(_HANDLE.sub("[]", shown).encode()).hexdigest()[:8]
        last = request.messages[-1]
        if last.role is Role.USER and (order := _ORDER.search(last.text)):
            return self._obey(*order.groups(), said=f"Yes, {digest}.")
        return [TextDelta(f"I see {digest}."), Finished(FinishReason.STOP)]

    def _obey(self, verb: str, number: str, rest: str, *, said: str) -> Sequence[ModelEvent]:
        known: dict[str, tuple[str, dict[str, object]]] = {
            "save": ("UpdatePersonaMemory", {"id": 0, "newContent": rest}),
            "change": ("UpdatePersonaMemory", {"id": number, "newContent": rest}),
            "drop": ("UpdatePersonaMemory", {"id": number, "newContent": ""}),
            "use": ("TagMemory", {"id": number}),
            "load": ("LoadMemory", {"id": number}),
        }
        if verb == "fail":
            raise ModelUnavailable("The model is asked to fail.")
        if verb == "silent":
            return [Finished(FinishReason.STOP)]
        name, arguments = known[verb]
        return [TextDelta(said), ToolCallDelta(0, "c0", name, json.dumps(arguments)), Finished(FinishReason.TOOL_CALLS)]


def _written(request: ChatRequest, asked: Asked) -> str:
    """Return the beginning of what a scribe writes: what it takes in stands there, and long texts only cost time."""
    if asked is Asked.STRUCTURED:
        first = lines_in(request.messages[-1].text)[0]
        return json.dumps([a_record(first[:40], first[:LONGEST_WRITTEN], *first.split()[-1:])])
    return usual_answer(request)[:LONGEST_WRITTEN]


class CountingPlatform(RecordingPlatform):
    """A platform that numbers what it sends within each conversation, as a platform's ids tell nothing of other rooms."""

    async def is_public(self, conversation: ConversationKey) -> bool:
        return any(room.key == conversation and room.is_public for room in ROOMS)

    async def send(self, target: ReplyTarget, part: Part, *, nonce: str, draft_id: str = "") -> str:
        await super().send(target, part, nonce=nonce, draft_id=draft_id)
        here = sum(sent.target.conversation == target.conversation for sent in self.sent)
        return f"sent-{here}-{target.conversation.thread_id}-{target.conversation.channel_id}"


@dataclass(slots=True)
class Seen:
    """All that was seen on this side of the wall."""

    lines: list[str] = field(default_factory=list)
    """In order, each with the event that it belongs to."""
    at_night: Counter[str] = field(default_factory=Counter)
    """Prompts of nights, those from behind the wall among them."""


@dataclass(slots=True)
class Stage:
    """A running bot, and what was noted of it so far."""

    app: App
    store: Store
    clock: TimeOfTheHistory
    model: Obedient
    platforms: Sequence[CountingPlatform]
    background: HeldQueue
    history: History
    seen: Seen = field(default_factory=Seen)
    said: dict[ConversationKey, str] = field(default_factory=dict)
    """The last message of each room."""

    async def play(self, *, without_hidden: bool) -> Seen:
        """Play the history, then ask for everything in every room on this side."""
        if self.history.shares:
            async with self.store.write() as tx:
                for platform, space in {room.space for room in self.history.rooms}:
                    await tx.settings.set(platform, space, SETTING, WHOLE_SPACE)
        for number, event in enumerate(self.history.events):
            self.clock.at = START + timedelta(minutes=10 * number, days=sum(isinstance(e, Night) for e in self.history.events[:number]))
            hidden = not isinstance(event, Night) and self.history.is_hidden(event.room)
            if not (hidden and without_hidden):
                await self._note(number, event, hidden=hidden)
        self.clock.at += timedelta(hours=1)
        for number, room in enumerate(room for room in self.history.rooms if not self.history.is_hidden(room)):
            await self._ask_everything(room, 1000 + 100 * number)
        return self.seen

    async def _note(self, number: int, event: Event, *, hidden: bool) -> None:
        prompts, sent = len(self.model.prompts), [len(platform.sent) for platform in self.platforms]
        answer = await self._happen(number, event)
        prompted = self.model.prompts[prompts:]
        if isinstance(event, Night):
            self.seen.at_night.update(prompted)
            return
        if not hidden:
            replies = [each for platform, before in zip(self.platforms, sent, strict=True) for each in platform.sent[before:]]
            shown = [f"{each.target} {each.text}" for each in replies]
            self.seen.lines += [f"{number} {event}: {_MEASURED.sub('some seconds', str(text))}" for text in (*prompted, answer, *shown)]

    async def _happen(self, number: int, event: Event) -> str:
        answer = ""
        async with asyncio.timeout(PATIENCE):
            match event:
                case Says():
                    await self._say(number, event)
                case Types():
                    answer = await self._type(event)
                case Changes(room, text) if room.key in self.said:
                    if text:
                        await self.app.inbox.edit(MessageEdit(room.place, self.said[room.key], text))
                    else:
                        await self.app.inbox.delete(room.place, [self.said[room.key]])
                case Night():
                    await self.app.night.ring()
                case _:
                    pass
            await self.app.queue.idle()
            await self.background.let_go()
            await self.app.past.regenerations.idle()
            await self.app.queue.idle()
        return answer

    async def _say(self, number: int, event: Says) -> None:
        room, message_id = event.room, f"m{number}"
        quote = Quote(f"q{number}", room.people[-1], event.quoted) if event.quoted else None
        tag = f"[DiscussionId]{room.key.discussion}[/DiscussionId]" if room.key.discussion else ""
        addressed = event.addressed or room.kind is DIRECT
        message = IncomingMessage(room.place, room.kind, message_id, event.person, event.text + tag, self.clock.at, addressed, quote)
        message = replace(message, is_public=room.is_public)
        self.said[room.key] = message_id
        await self.app.inbox.receive(message)

    async def _type(self, event: Types) -> str:
        parsed = parse_line(event.line, self.app.inbox.commands)
        if isinstance(parsed, ParseProblem):
            return parsed.text
        room = event.room
        call = CommandCall(
            parsed.path, parsed.options, event.person, room.place, room.kind, asker_is_admin=event.admin, confirmed=event.confirmed
        )
        answer = await self.app.inbox.run_command(call)
        return f"{answer.text} {answer.confirmation}"

    async def _ask_everything(self, room: Room, number: int) -> None:
        for place, question in enumerate((LONG, QUESTION)):
            await self._note(number + place, Says(room, room.people[0], question), hidden=False)
        for line in () if room.key.discussion else READ_LINES:
            for person in room.people if line in OWN_LINES else room.people[:1]:
                await self._note(number, Types(room, person, line), hidden=False)
        self.seen.lines.append(f"{room}: {await self._asked_over_the_web(room, room.people[0])}")

    async def _asked_over_the_web(self, room: Room, person: Person) -> str:
        web = make_web_app(self.store, self.app.personas, TOKEN)
        query = {"conversation": str(room.key), "person": person.id if room.kind is DIRECT else ""}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(web), base_url="http://bot") as client:
            answer = await client.get("/api/persona/active/memory", params=query, headers={"Authorization": f"Bearer {TOKEN}"})
        return f"{answer.status_code} {answer.text}"


async def seen_of(history: History, store: Store, *, without_hidden: bool) -> Seen:
    """Play a history on an empty store, and return what was seen on this side of the wall, handles told by their memories' numbers."""
    async with _stage(history, store) as stage:
        seen = await stage.play(without_hidden=without_hidden)
        names = await _handles(stage)
    return replace(
        seen,
        lines=[_named(line, names) for line in seen.lines],
        at_night=Counter({_named(text, names): count for text, count in seen.at_night.items()}),
    )


@asynccontextmanager
async def _stage(history: History, store: Store) -> AsyncIterator[Stage]:
    clock, model = TimeOfTheHistory(), Obedient()
    platforms = [CountingPlatform(DISCORD), CountingPlatform(TELEGRAM)]
    background, persona = HeldQueue(clock), replace(a_persona(), memory=SMALL)
    world = a_world(model, platforms, personas=[persona], clock=clock, embedder=HashingEmbedder(64), window_tokens=1600)
    people = frozenset(f"{room.key.platform}:{person.id}" for room in history.rooms for person in room.people)
    plugins = PluginManager(turn_seconds=PATIENCE)
    app = App(replace(world, store=store, background=background, discussion_people=people, plugins=plugins))
    async with app:
        serving = asyncio.create_task(app.run())
        try:
            for platform in platforms:
                await platform.connected.wait()
            yield Stage(app, store, clock, model, platforms, background, history)
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)


async def _handles(stage: Stage) -> dict[str, str]:
    """Return what the handles of all memories on this side stand for. That of one behind the wall stays as it is."""
    hidden = {wall for room in stage.history.rooms if stage.history.is_hidden(room) for wall in _audience_ids(room)}
    names: dict[str, str] = {}
    async with stage.store.read() as tx:
        for scope in await tx.memories.scopes(persona_id="iris", limit=1000):
            if scope.audience.id not in hidden:
                for entry in await tx.memories.journal(scope, limit=1000):
                    names[entry.memory_id.hex[:8]] = f"{scope.audience.id} {entry.number}"
    return names


def _audience_ids(room: Room) -> set[str]:
    return {f"{room.key.platform}:{room.people[0].id}"} if room.kind is DIRECT else {str(room.key)}


def _named(text: str, names: dict[str, str]) -> str:
    return re.sub(r"\[([0-9a-f]{8})\]", lambda match: f"[{names.get(match[1], match[1])}]", text)
