"""What the endpoint answers: proper answers, raw streams, refusals."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

MODEL = "test-model"


class Ending(Enum):
    """How a stream ends."""

    DONE = "with [DONE]"
    CLOSED = "without [DONE], properly closed"
    DROPPED = "the connection breaks"
    HUNG = "it stays open and nothing comes any more"
    OPEN_AFTER_DONE = "with [DONE], and the connection stays open"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; `arguments` is sent as it stands."""

    name: str
    arguments: str = "{}"
    id: str = "call_1"


@dataclass(frozen=True, slots=True)
class Say:
    """A proper answer, streamed `size` characters at a time."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    size: int = 4
    finish: str = ""

    @property
    def finish_reason(self) -> str:
        """Return why it ends."""
        return self.finish or ("tool_calls" if self.calls else "stop")

    def pieces(self) -> list[dict[str, Any]]:
        """Return the deltas of its stream."""
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "" if self.text else None}]
        deltas += [{"content": piece} for piece in _cut(self.text, self.size)]
        for index, call in enumerate(self.calls):
            deltas.append(tool_piece(index, id=call.id, name=call.name))
            deltas += [tool_piece(index, arguments=piece) for piece in _cut(call.arguments, self.size)]
        return deltas

    def usage(self, prompt_tokens: int = 11) -> dict[str, int]:
        """Return the tokens it is said to have cost."""
        reply = len(_cut(self.text, 4)) + sum(len(_cut(call.arguments, 4)) for call in self.calls)
        return {"prompt_tokens": prompt_tokens, "completion_tokens": reply, "total_tokens": prompt_tokens + reply}

    def body(self) -> dict[str, Any]:
        """Return it as one JSON body."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if self.calls:
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}} for call in self.calls
            ]
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        return {"id": "chatcmpl-1", "object": "chat.completion", "model": MODEL, "choices": [choice], "usage": self.usage()}


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream as it stands: each frame is what follows `data: `, or, when it begins with a colon or `event:`, stands as it is."""

    frames: tuple[str, ...]
    ending: Ending = Ending.DONE


@dataclass(frozen=True, slots=True)
class Plain:
    """An answer that is no stream: a refusal, an outage page, a whole body. Mappings are sent as JSON."""

    body: str | Mapping[str, Any]
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing: the connection is taken and no byte is sent until the client leaves."""


Scripted = Say | Stream | Plain | Silence


def refusal(status: int, message: str, *, code: str | None = None, param: str | None = None, retry_after: str = "") -> Plain:
    """Return an error as OpenAI words it."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return Plain({"error": error}, status, headers={"Retry-After": retry_after} if retry_after else {})


def tool_piece(index: int | None, *, id: str = "", name: str = "", arguments: str = "") -> dict[str, Any]:  # noqa: A002 (the wire's name)
    """Return a delta with a piece of a tool call; what is empty is left out."""
    piece: dict[str, Any] = {} if index is None else {"index": index}
    piece |= {"id": id, "type": "function"} if id else {}
    piece["function"] = ({"name": name} if name else {}) | {"arguments": arguments}
    return {"tool_calls": [piece]}


def frame(delta: Mapping[str, Any] | None = None, *, finish: str | None = None, **others: Any) -> str:
    """Return a piece of a stream as JSON."""
    choices = [{"index": 0, "delta": dict(delta or {}), "finish_reason": finish}]
    return json.dumps({"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": MODEL, "choices": choices} | others)


def usage_frame(usage: Mapping[str, Any]) -> str:
    """Return the last piece of a stream: no choices, only usage."""
    return frame(choices=[], usage=usage)


def frames_of(say: Say, *, with_usage: bool) -> tuple[str, ...]:
    """Return the whole stream of a proper answer."""
    frames = [frame(delta) for delta in say.pieces()] + [frame(finish=say.finish_reason)]
    return tuple(frames + [usage_frame(say.usage())] * with_usage)


def _cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
