"""How tools are described to a model, and how it calls them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"


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
