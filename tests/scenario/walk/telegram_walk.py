"""A tea house on the emulated Telegram: one bot for a whole file of tests, and for each test a group and people of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import cast

from bot.app.app import App
from bot.domain.model import ChatRequest, ModelEvent
from bot.domain.persona import Persona
from bot.nlp.documents import PdfDocuments
from bot.platforms.telegram.adapter import TelegramPlatform
from bot.ports.clock import Clock
from bot.testing.bot import PATIENCE, a_world, running
from bot.testing.scripted_model import Plain, saying
from tests.emulators.telegram.chats import Chat, Topic
from tests.emulators.telegram.crowd import Attachment
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.people import User
from tests.scenario.telegram_stage import IMPATIENT


@dataclass(slots=True, repr=False)
class Companion:
    """A ChatModel that has an answer for each word that it was told to listen to, the newest first, and nods at all else."""

    answers: dict[str, Plain | Callable[[ChatRequest], Plain]] = field(default_factory=dict)
    prompts: list[ChatRequest] = field(default_factory=list)
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    """Questions after the first word of whose answer it waits."""
    name: str = "companion"
    takes_tools: bool = True
    takes_images: bool = True

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        self.prompts.append(request)
        asked = request.messages[-1].text
        answer = next((self.answers[word] for word in reversed(self.answers) if word in asked), "I see.")
        given = answer(request) if callable(answer) else answer
        if isinstance(given, Exception):
            raise given
        for event in saying(given, chunk=200) if isinstance(given, str) else given:
            if isinstance(event, Exception):
                raise event
            yield event
            if asked in self.held:
                await self.held[asked].wait()

    async def close(self) -> None:
        """Nothing to close."""

    def prompt_with(self, words: str) -> ChatRequest:
        """Return the last prompt that asks about these words."""
        found = [prompt for prompt in self.prompts if words in prompt.messages[-1].text]
        assert found, f"nobody asked the model about {words!r}"
        return found[-1]


@dataclass(slots=True, repr=False)
class House:
    """A group with its owner and a member, each of whom has started a direct chat with the bot."""

    telegram: TelegramEmulator
    app: App
    model: Companion
    group: Chat
    ada: User
    """Owns the group."""
    bo: User
    ada_dm: Chat
    bo_dm: Chat

    def says(
        self,
        who: User,
        text: str,
        where: Chat | None = None,
        *,
        reply_to: Message | None = None,
        topic: Topic | None = None,
        attachment: Attachment | None = None,
    ) -> Message:
        """Let somebody write, in their direct chat where no place is given. What the bot has said before counts as read."""
        for chat in (self.group, self.ada_dm, self.bo_dm, *([where] if where else [])):
            self.telegram.take_replies(chat)
        place = where or self.telegram.scene.private(who)
        return self.telegram.people.says(place, who, text, reply_to=reply_to, topic=topic, attachment=attachment)

    async def asks(
        self,
        who: User,
        text: str,
        where: Chat | None = None,
        *,
        reply_to: Message | None = None,
        topic: Topic | None = None,
        attachment: Attachment | None = None,
    ) -> Message:
        """Let somebody write, and return the next message of the bot there."""
        self.says(who, text, where, reply_to=reply_to, topic=topic, attachment=attachment)
        return await self.answer(where or self.telegram.scene.private(who))

    async def answer(self, where: Chat) -> Message:
        """Return the next message of the bot there, once the bot has nothing left to do."""
        message = await self.telegram.next_reply(where)
        async with asyncio.timeout(PATIENCE):
            await self.app.queue.idle()
        return message

    async def presses(self, who: User, message: Message, button: str) -> str:
        """Let somebody press a button; return the alert that they see, empty where something happens instead."""
        before, sent, versions = message.button_texts, len(self.telegram.sent), len(message.versions)
        press = self.telegram.people.presses(message, who, button)
        await self.telegram.until(
            lambda: press.alert or len(message.versions) > versions or len(self.telegram.sent) > sent or message.button_texts != before
        )
        return (press.answer or "") if press.alert else ""

    def file_of(self, message: Message) -> bytes:
        """Return the file that a message brings."""
        document = cast("dict[str, str]", message.media["document"])
        return self.telegram.world.files[document["file_id"]].content


@dataclass(slots=True, repr=False)
class Walk:
    """The bot and all its houses."""

    telegram: TelegramEmulator
    app: App
    model: Companion

    def house(self, *, language: str = "", forum: bool = False) -> House:
        """Open a house that nobody has been in."""
        scene = self.telegram.scene
        ada, bo = scene.person("Ada", language=language), scene.person("Bo", language=language)
        group = scene.forum("Tea house", ada, bo) if forum else scene.group("Tea house", ada, bo)
        return House(self.telegram, self.app, self.model, group, ada, bo, scene.private(ada), scene.private(bo))


IRIS = Persona("iris", "Iris", "You are calm.", "Good day. Tea?", summary="A calm host.")
BASIL = Persona("basil", "Basil", "You are quick.", "What?", summary="Never has time.")


@asynccontextmanager
async def walk(personas: Sequence[Persona] = (IRIS, BASIL), *, clock: Clock | None = None) -> AsyncIterator[Walk]:
    """Open Telegram, with the bot on it."""
    model = Companion()
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = True
        platform = TelegramPlatform(telegram.token, api_base=telegram.api_base, tuning=IMPATIENT)
        world = replace(a_world(model, [platform], personas=personas, clock=clock), documents=PdfDocuments())
        async with running(world) as app:
            await telegram.until(lambda: telegram.count("getUpdates") > 0)
            yield Walk(telegram, app, model)


def screen(*messages: Message) -> str:
    """Return what people read in some messages, one below the other."""
    return "\n".join(message.text for message in messages)
