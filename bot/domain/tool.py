"""Tools that a model may call in the middle of an answer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

JsonValue: TypeAlias = "str | int | float | bool | None | list[JsonValue] | dict[str, JsonValue]"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What the model is told of a tool. `parameters` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to use a tool; `arguments` is the JSON text as the model wrote it, valid or not."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a plugin's tool may know of the turn it serves."""

    persona_id: str
    language: str
    conversation: str
    """The conversation's key as text."""
    asker_id: str


RunTool = Callable[[ToolContext, Mapping[str, JsonValue]], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool and what it does. `run` raises ToolRetry when the model can mend its call, ToolFailed when it cannot."""

    spec: ToolSpec
    run: RunTool
