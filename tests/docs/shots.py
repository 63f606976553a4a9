"""Chats on the emulated Discord, as their people see them: what the pictures in docs/pictures show."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime

from bot.domain.model import ChatRequest, ModelEvent, TextDelta
from bot.domain.tool import ToolCall
from bot.platforms.growing import Pace
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel, calling
from tests.emulators.discord.clock import ManualClock
from tests.emulators.discord.objects import Message
from tests.scenario.discord_stage import IMPATIENT
from tests.scenario.walk.discord_walk import Walk, walk

BAKU = a_persona("baku", name="Baku", voice="You are warm and brief.")
A_DAY = 86_400.0
_PING, _COMMAND, _LINK = re.compile(r"<@(\d+)>"), re.compile(r"</([^:>]+):\d+>"), re.compile(r"\[([^\]]+)\]\([^)]*\)")
GROWS = replace(IMPATIENT, draft=Pace(first=0.0, every=0.01, least=4))


@dataclass(frozen=True, slots=True)
class Shot:
    """One thing in the chat as it stood when somebody looked."""

    who: str
    at: str
    text: str
    is_bot: bool = False
    above: str = ""
    """What it answers: a command or a message."""
    edited: bool = False
    private: bool = False
    buttons: tuple[tuple[tuple[str, bool], ...], ...] = ()
    """Row by row, each with whether it is chosen."""
    pressed: str = ""
    """What somebody does about it then."""


class Camera:
    """Takes shots of a chat, whose two clocks it moves."""

    def __init__(self) -> None:
        self.time, self.discord_time = FrozenClock(), ManualClock(START.timestamp())
        self.shots: list[Shot] = []

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self.time.move(seconds=seconds)
        self.discord_time.advance(seconds)

    def take(self, tea: Walk, message: Message, *, above: str = "", pressed: str = "") -> None:
        """Keep a message as it stands."""
        names = {user.id: user.name for user in (tea.ada, tea.bo, tea.boss)} | {tea.discord.bot.id: BAKU.name}
        is_bot = message.author is tea.discord.bot
        quoted = message.reply_to
        if quoted is not None and not above:
            above = f"@{names[quoted.author.id]} {_shown(quoted.content, names)}"
        rows = tuple(tuple((part["label"], part["style"] == 1) for part in row["components"]) for row in message.components)
        at = datetime.fromtimestamp(message.created, UTC)
        self.shots.append(
            Shot(
                names[message.author.id],
                f"{at:%-d %B, %H:%M}",
                _shown(message.content, names),
                is_bot=is_bot,
                above=above,
                edited=message.edited is not None and is_bot and not message.ephemeral,
                private=message.ephemeral,
                buttons=rows,
                pressed=pressed,
            )
        )


def _shown(text: str, names: dict[int, str]) -> str:
    """Return a text without ids and addresses, which nobody sees."""
    text = _PING.sub(lambda found: f"<@{names[int(found[1])]}>", text)
    return _LINK.sub(r"[\1]()", _COMMAND.sub(r"</\1>", text))


@dataclass(slots=True)
class Halting:
    """A ChatModel that halts after certain words until it may go on."""

    model: ScriptedModel
    after: str
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    name: str = "halting"
    takes_tools: bool = True
    takes_images: bool = False

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        said = ""
        async for event in self.model.stream(request):
            yield event
            said += event.text if isinstance(event, TextDelta) else ""
            if said.endswith(self.after):
                await self.go_on.wait()

    async def close(self) -> None:
        await self.model.close()


async def conversation() -> list[Shot]:
    """Return a chat in which the bot remembers what it was told, and shows why it said something."""
    camera = Camera()
    told = ToolCall("1", "UpdatePersonaMemory", json.dumps({"id": 0, "newContent": "Ada's cat Mochi eats nothing but tuna"}))
    replies = calling(told, text="Three already!"), "**Tuna and nothing else.** Noted for Mochi."
    model = Halting(ScriptedModel(*replies, "**Tuna**, then: Mochi eats nothing else."), "Three already!")
    async with walk(model, personas=[BAKU], clock=camera.time, discord_time=camera.discord_time, tuning=GROWS) as tea:
        tea.discord.member_says(
            tea.general, tea.ada, f"{tea.discord.bot.mention} my cat Mochi turns three tomorrow! She eats nothing but tuna."
        )
        answer = await tea.discord.bot_says(tea.general)
        model.go_on.set()
        await tea.discord.changes.until(lambda: answer.content.endswith("Mochi."), "the whole answer")
        await tea.quiet()
        for message in tea.general.messages:
            camera.take(tea, message)
        camera.wait(60)
        camera.take(tea, await tea.run(tea.ada, "memory list"), above="Ada used /memory list")
        camera.wait(A_DAY)
        answer = await tea.talk(tea.bo, "what shall I bring to the party of Ada's cat?")
        for message in tea.general.messages[-2:]:
            camera.take(tea, message)
        camera.wait(60)
        camera.take(tea, await tea.choose(tea.ada, answer, "Why did you say that?"), above="Ada used Why did you say that?")
    return camera.shots


async def set_up() -> list[Shot]:
    """Return the set-up of a server by its admin."""
    camera = Camera()
    cast = [BAKU, a_persona("marlow", name="Marlow"), a_persona("iris")]
    async with walk(ScriptedModel(), personas=cast, clock=camera.time, discord_time=camera.discord_time) as tea:
        page = await tea.run(tea.boss, "setup")
        for button, is_seen in (
            ("Next ›", True),
            ("Marlow", False),
            ("Next ›", False),
            ("My name and keywords too", False),
            ("Next ›", True),
        ):
            if is_seen:
                camera.take(tea, page, above="Boss used /setup", pressed=f"Boss presses {button}")
            await tea.press(tea.boss, page, button)
            camera.wait(20)
        for button in ("Skip ›", "Europe/London", "Next ›"):
            await tea.press(tea.boss, page, button)
        camera.take(tea, page, above="Boss used /setup")
    return camera.shots


SESSIONS: dict[str, Callable[[], Awaitable[list[Shot]]]] = {"discord-chat": conversation, "discord-setup": set_up}


def recorded(shots: list[Shot]) -> str:
    """Return shots as one line of data."""
    return json.dumps([asdict(shot) for shot in shots], ensure_ascii=False)
