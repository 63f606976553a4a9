"""Tool calls of the wire: put together from their pieces, their arguments read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.model import ToolCallDelta
from bot.domain.tool import JsonValue, ToolCall
from bot.errors import ToolRetry

_NAMELESS = "unnamed"
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a truth value", int: "a number", float: "a number"}


@dataclass(slots=True)
class _Draft:
    """A call whose pieces still come in."""

    index: int | None
    id: str
    name: str
    arguments: str

    def continues_with(self, piece: ToolCallDelta) -> bool:
        """Say whether a piece with this call's index, or with none, belongs to it."""
        if piece.id and self.id and piece.id != self.id:
            return False
        if not piece.name or not self.name:
            return True
        merely_repeated = bool(piece.id) and not piece.arguments
        return piece.name == self.name and (merely_repeated or not _is_complete(self.arguments))


class ToolCallAssembler:
    """Puts tool calls together, whatever an endpoint makes of `index`, `id` and `name`."""

    def __init__(self, id_prefix: str = "call") -> None:
        """Take the beginning of the ids that are made up where an endpoint gives none, or one twice."""
        self._id_prefix = id_prefix
        self._drafts: list[_Draft] = []

    def add(self, piece: ToolCallDelta) -> None:
        """Take the next piece."""
        draft = self._draft_of(piece)
        if draft is None:
            self._drafts.append(_Draft(piece.index, piece.id, piece.name, piece.arguments))
            return
        draft.id = draft.id or piece.id
        draft.name = draft.name or piece.name
        draft.arguments += piece.arguments

    def calls(self) -> tuple[ToolCall, ...]:
        """Return the calls in the order in which they began; each has an id of its own and some arguments."""
        calls: list[ToolCall] = []
        taken: set[str] = set()
        for draft in self._drafts:
            if not (draft.name or draft.arguments):
                continue
            call_id = draft.id if draft.id and draft.id not in taken else self._free_id(len(calls) + 1, taken)
            taken.add(call_id)
            calls.append(ToolCall(call_id, draft.name or _NAMELESS, draft.arguments.strip() or "{}"))
        return tuple(calls)

    def _draft_of(self, piece: ToolCallDelta) -> _Draft | None:
        """Return the call that the piece goes on with, None when it begins one. Of equal claims the latest counts."""
        for draft in reversed(self._drafts):
            same_place = piece.index is None or draft.index is None or piece.index == draft.index
            if same_place and draft.continues_with(piece):
                return draft
            if piece.index is None and not piece.id:
                return None
        return None

    def _free_id(self, number: int, taken: set[str]) -> str:
        used = taken | {draft.id for draft in self._drafts}
        while f"{self._id_prefix}_{number}" in used:
            number += 1
        return f"{self._id_prefix}_{number}"


def parse_arguments(call: ToolCall) -> Mapping[str, JsonValue]:
    """Return a call's arguments. Raises ToolRetry, with a text for the model, when they are no JSON object."""
    value = _parsed(call, call.arguments)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = _parsed(call, value)
    if not isinstance(value, dict):
        raise ToolRetry(f"The arguments of {call.name} must be one JSON object, not {_kind(value)}. Call it again.")
    return value


def _parsed(call: ToolCall, text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise ToolRetry(f"The arguments of {call.name} are no valid JSON{_place(error)}. Call it again.") from None
    return value


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is not JSON.")


def _place(error: Exception) -> str:
    """Return where the mistake is, without the text around it."""
    if isinstance(error, json.JSONDecodeError):
        return f" ({error.msg}, line {error.lineno}, column {error.colno})"
    return ""


def _kind(value: JsonValue) -> str:
    return "null" if value is None else _KINDS[type(value)]


def _is_complete(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return True
