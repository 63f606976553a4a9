"""Steers an emulator in another process: POST /control/<act> with a JSON object, ids in place of objects."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp import web

from tests.emulators.telegram.chats import Chat
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.errors import flood
from tests.emulators.telegram.faults import DroppedConnection, OutagePage, Trouble
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.people import User

CONTROL_TIMEOUT = aiohttp.ClientTimeout(total=30)


@dataclass(frozen=True, slots=True)
class Control:
    """Carries out acts on one emulator."""

    telegram: TelegramEmulator

    def add_routes(self) -> None:
        """Make the acts reachable on the emulator's own port."""
        self.telegram.application.router.add_post("/control/{act}", self._answer)

    async def _answer(self, request: web.Request) -> web.Response:
        act = self._acts().get(request.match_info["act"])
        if act is None:
            return web.json_response({"error": f"Acts: {', '.join(self._acts())}"}, status=404)
        try:
            return web.json_response(act(await request.json()))
        except (LookupError, TypeError, ValueError) as error:
            return web.json_response({"error": repr(error)}, status=400)

    def _acts(self) -> dict[str, Callable[[dict[str, Any]], object]]:
        return {
            "person": self._person,
            "private": lambda given: self.telegram.scene.private(self._user(given)).id,
            "group": self._group,
            "topic": lambda given: self.telegram.scene.topic(self._chat(given), given["name"]).id,
            "promote": self._promote,
            "migrate": lambda given: self.telegram.scene.migrate(self._chat(given)).id,
            "says": self._says,
            "edits": self._edits,
            "presses": self._presses,
            "fail": self._fail,
            "sent": lambda _given: [_sent_json(message) for message in self.telegram.sent],
            "pending": lambda _given: len(self.telegram.bot.feed.pending),
            "calls": lambda given: len(self.telegram.calls(given["method"])),
        }

    def _person(self, given: dict[str, Any]) -> object:
        return self.telegram.scene.person(given["name"], username=given.get("username", "")).id

    def _group(self, given: dict[str, Any]) -> object:
        members = [self.telegram.world.users[member] for member in given["members"]]
        make = self.telegram.scene.forum if given.get("forum") else self.telegram.scene.group
        return make(given["title"], *members).id

    def _promote(self, given: dict[str, Any]) -> object:
        self.telegram.scene.promote(self._chat(given), self._user(given))
        return True

    def _says(self, given: dict[str, Any]) -> object:
        chat = self._chat(given)
        reply_to = chat.messages[given["reply_to"]] if given.get("reply_to") else None
        topic = chat.topics[given["topic"]] if given.get("topic") else None
        message = self.telegram.people.says(chat, self._user(given), given["text"], reply_to=reply_to, topic=topic)
        return message.message_id

    def _edits(self, given: dict[str, Any]) -> object:
        self.telegram.people.edits(self._message(given), given["text"])
        return True

    def _presses(self, given: dict[str, Any]) -> object:
        return self.telegram.people.presses(self._message(given), self._user(given), given["button"]).id

    def _fail(self, given: dict[str, Any]) -> object:
        troubles: dict[str, Trouble] = {
            "flood": flood(int(given.get("retry_after", 1))),
            "outage": OutagePage(),
            "dropped": DroppedConnection(),
            "lost answer": DroppedConnection(performed=True),
        }
        self.telegram.fail(given["method"], troubles[given["trouble"]], times=given.get("times", 1))
        return True

    def _chat(self, given: dict[str, Any]) -> Chat:
        return self.telegram.world.chats[given["chat"]]

    def _user(self, given: dict[str, Any]) -> User:
        return self.telegram.world.users[given["user"]]

    def _message(self, given: dict[str, Any]) -> Message:
        return self._chat(given).messages[given["message"]]


@dataclass(frozen=True, slots=True)
class ControlClient:
    """Calls the acts of an emulator at `api_base`."""

    session: aiohttp.ClientSession
    api_base: str

    async def act(self, act: str, /, **given: object) -> Any:
        """Return what the act returned; raises ValueError with the emulator's words."""
        address = f"{self.api_base}/control/{act}"
        async with self.session.post(address, json=given, timeout=CONTROL_TIMEOUT) as answer:
            body = await answer.json()
            if answer.status != 200:
                raise ValueError(body["error"])
            return body


def _sent_json(message: Message) -> dict[str, object]:
    return {
        "chat": message.chat.id,
        "message": message.message_id,
        "text": message.text,
        "spans": message.spans,
        "topic": message.thread_id if message.in_topic else None,
        "reply_to": message.reply_to.message_id if message.reply_to else None,
        "buttons": message.button_texts,
    }
