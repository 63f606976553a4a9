"""A model that says what a test tells it to."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TypeAlias

from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta, ToolCallDelta, Usage
from bot.domain.tool import ToolCall
from bot.errors import ModelUnavailable, ToolsUnsupported

Plain: TypeAlias = str | Sequence[ModelEvent | Exception] | Exception
Reply: TypeAlias = Plain | Callable[[ChatRequest], Plain]


class ScriptedModel:
    """A ChatModel that gives its replies in order and keeps the prompts it got.

    A reply is a text, a list of events, an error to raise, or a function from the request to one of these. A list may hold an error
    at the place where it is to be raised; a list without `Finished` is a stream that was cut off. `chunk` is the number of characters
    a text is cut into; `waits_for` is awaited before each reply, and `asked` is set as soon as a prompt has come in.
    """

    def __init__(
        self,
        *replies: Reply,
        chunk: int = 7,
        takes_tools: bool = True,
        takes_images: bool = True,
        waits_for: asyncio.Event | None = None,
        name: str = "scripted",
    ) -> None:
        self.prompts: list[ChatRequest] = []
        self.asked = asyncio.Event()
        self.closed = False
        self._replies = deque(replies)
        self._chunk = chunk
        self._takes_tools = takes_tools
        self._takes_images = takes_images
        self.waits_for = waits_for
        self._name = name

    @property
    def name(self) -> str:
        """Return its name."""
        return self._name

    @property
    def takes_tools(self) -> bool:
        """Say whether it takes tools; False as soon as a reply was `ToolsUnsupported`."""
        return self._takes_tools

    @property
    def takes_images(self) -> bool:
        """Say whether it sees images; they stand in its prompts either way."""
        return self._takes_images

    @property
    def replies_left(self) -> int:
        """Return how many replies it has not given yet."""
        return len(self._replies)

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return the next reply, piece by piece."""
        self.prompts.append(request)
        self.asked.set()
        if self.waits_for is not None:
            await self.waits_for.wait()
        if request.tools and not self._takes_tools:
            raise ToolsUnsupported(f"The model {self._name} takes no tools.")
        finished = False
        for event in self._next_events(request):
            if isinstance(event, Exception):
                self._takes_tools = self._takes_tools and not isinstance(event, ToolsUnsupported)
                raise event
            finished = isinstance(event, Finished)
            yield event
        if not finished:
            raise ModelUnavailable(f"The model {self._name} broke off in the middle of its answer.")

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True

    def _next_events(self, request: ChatRequest) -> Sequence[ModelEvent | Exception]:
        if not self._replies:
            raise AssertionError(f"ScriptedModel has no reply left for prompt number {len(self.prompts)}; give it one more.")
        reply = self._replies.popleft()
        if callable(reply):
            reply = reply(request)
        match reply:
            case str():
                return saying(reply, chunk=self._chunk)
            case Exception():
                return [reply]
            case _:
                return reply


def saying(text: str, *, chunk: int = 7, reason: FinishReason = FinishReason.STOP) -> list[ModelEvent]:
    """Return the events of an answer in words."""
    pieces: list[ModelEvent] = [TextDelta(text[start : start + chunk]) for start in range(0, len(text), chunk)]
    return [*pieces, Usage("scripted", 1, len(pieces)), Finished(reason)]


def calling(*calls: ToolCall, text: str = "") -> list[ModelEvent]:
    """Return the events of an answer that calls tools, after some text."""
    events: list[ModelEvent] = [TextDelta(text)] if text else []
    events += [ToolCallDelta(index, call.id, call.name, call.arguments) for index, call in enumerate(calls)]
    return [*events, Usage("scripted", 1, len(calls)), Finished(FinishReason.TOOL_CALLS)]
