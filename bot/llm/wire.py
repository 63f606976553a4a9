"""JSON of any shape, read without trust: what is not of the expected kind is nothing."""

import json
from collections.abc import Iterator, Mapping
from typing import cast

from bot.domain.model import ToolCallDelta

MOST = 10**9
_WORDS = (None, "text", "output_text")
"""Types of content parts that are the answer's words; others hold reasoning, pictures or sources."""


def fields_of(value: object) -> Mapping[str, object]:
    """Return an object's fields."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def items_of(value: object) -> list[object]:
    """Return a list's items."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text_in(value: object) -> str:
    """Return a text, or what the words among a list of parts say."""
    if isinstance(value, list):
        return "".join(map(text_in, items_of(value)))
    if isinstance(value, dict):
        part = fields_of(value)
        return text_in(part.get("text")) if part.get("type") in _WORDS else text_in(part.get("refusal"))
    return value if isinstance(value, str) else ""


def number_in(value: object) -> int:
    """Return a count, 0 for what is none: no answer has a billion tokens, and no database keeps a number of any size."""
    return value if isinstance(value, int) and value is not True and 0 <= value <= MOST else 0


def is_complete(arguments: str) -> bool:
    """Say whether a text is JSON."""
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return True


def call_pieces(delta: Mapping[str, object]) -> Iterator[ToolCallDelta]:
    """Return the pieces of tool calls in a delta or a message; the one call of old endpoints counts too."""
    calls = delta.get("tool_calls")
    for call in map(fields_of, [calls] if isinstance(calls, dict) else items_of(calls)):
        function = fields_of(call.get("function")) or call
        yield _piece(_index(call.get("index")), text_in(call.get("id")), function)
    if not calls and (function := fields_of(delta.get("function_call"))):
        yield _piece(0, "", function)


def _piece(index: int | None, call_id: str, function: Mapping[str, object]) -> ToolCallDelta:
    return ToolCallDelta(index, call_id, text_in(function.get("name")), _arguments(function.get("arguments")))


def _arguments(value: object) -> str:
    """Return arguments as the text they should be; some endpoints send the object itself."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else text_in(value)


def _index(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and value is not True and value is not False else None
