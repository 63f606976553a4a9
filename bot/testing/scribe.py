"""A model that writes a conversation's past as a test tells it to."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from enum import StrEnum
from typing import TypeAlias
from xml.sax.saxutils import unescape

from bot.domain.model import ChatRequest, ModelEvent
from bot.memory.past.prompts import CHUNK_TASK, CONDENSE_TASK, STRUCTURED_TASK, SUMMARY_TASK
from bot.testing.scripted_model import saying

_LINES = re.compile(r"<messages[^>]*>\n(.*)\n</messages>", re.DOTALL)
_NOTES = re.compile(r"<note [^>]*>(.*?)</note>", re.DOTALL)

Says: TypeAlias = str | Exception | Callable[[ChatRequest], str]


class Asked(StrEnum):
    """What the background asks for."""

    CHUNK = "chunk"
    STRUCTURED = "structured"
    SUMMARY = "summary"
    CONDENSED = "condensed"
    OTHER = "other"


_TASKS = {
    Asked.CHUNK: CHUNK_TASK,
    Asked.STRUCTURED: STRUCTURED_TASK,
    Asked.SUMMARY: SUMMARY_TASK,
    Asked.CONDENSED: CONDENSE_TASK,
}


class Scribe:
    """A ChatModel that answers each kind of question of the background, and keeps the prompts.

    `replies` are given first, one a question of their kind. After them a chunk's summary is its lines, a structured memory is made of
    its first line, and other summaries list what they take in. `waits_for` is awaited before each answer.
    """

    name = "scribe"
    takes_tools = False
    takes_images = False

    def __init__(self, replies: dict[Asked, list[Says]] | None = None, *, waits_for: asyncio.Event | None = None) -> None:
        self.prompts: list[ChatRequest] = []
        self.asked = asyncio.Event()
        self._replies = replies or {}
        self._waits_for = waits_for

    def of(self, kind: Asked) -> list[str]:
        """Return what was shown with the questions of a kind, in order."""
        return [request.messages[-1].text for request in self.prompts if asked_for(request) is kind]

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return the answer to a question."""
        self.prompts.append(request)
        self.asked.set()
        if self._waits_for is not None:
            await self._waits_for.wait()
        for event in saying(self._answer(request), chunk=1000):
            yield event

    async def close(self) -> None:
        """Do nothing."""

    def _answer(self, request: ChatRequest) -> str:
        kind = asked_for(request)
        waiting = self._replies.get(kind)
        reply = waiting.pop(0) if waiting else usual_answer(request)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, str) else reply(request)


def asked_for(request: ChatRequest) -> Asked:
    """Return what a prompt asks for."""
    return next((kind for kind, task in _TASKS.items() if task in request.messages[0].text), Asked.OTHER)


def lines_in(shown: str) -> list[str]:
    """Return the lines of the messages that a prompt shows, as they were said."""
    found = _LINES.search(shown)
    return unescape(found[1]).split("\n") if found else []


def a_record(title: str, summary: str, *entities: str) -> dict[str, object]:
    """Return what a model may say of a structured memory."""
    return {"title": title, "summary": summary, "entities": list(entities), "key_phrases": []}


def usual_answer(request: ChatRequest) -> str:
    """Return what a scribe writes that was told nothing else."""
    shown = request.messages[-1].text
    match asked_for(request):
        case Asked.CHUNK:
            return "\n".join(lines_in(shown))
        case Asked.STRUCTURED:
            first = lines_in(shown)[0]
            return json.dumps([a_record(first[:40], first, *first.split()[-1:])])
        case _:
            return "All of: " + " / ".join(unescape(note) for note in _NOTES.findall(shown))
