"""Tool calls that a model writes into its text, where its endpoint does not read them out of it."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from bot.domain.tool import JsonValue
from bot.protocol.scanner import Removed, Verdict

MAX_CALL = 16_384
"""Characters in which a written call must end; not more is ever held back."""
_MISTRAL = "[TOOL_CALLS]"
_OPENINGS = ("<tool_call>", "<function_call>", "<function=", _MISTRAL)
_SHORTEST_CUT = 5
"""Characters of an opening mark at the very end of the text that make it a cut one."""
_FUNCTION = re.compile(r"<function=([\w.-]{1,64})>(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]{1,64})>\n?(.*?)\n?</parameter>", re.DOTALL)
_NAMED = re.compile(r"\s*([A-Za-z_][\w.-]{0,63})\s*(?:\[CALL_ID\][\w-]{0,64})?(?:\[ARGS\])?\s*(?=\{)")
_COULD_BE_NAMED = re.compile(r"\s*(?:[A-Za-z_][\w.-]{0,63}\s*(?:\[[\w\]-]{0,80})?\s*)?")
_BROKEN_NAME = re.compile(r'"name"\s*:\s*"([^"]{1,64})"')
_BROKEN_ARGUMENTS = re.compile(r'"(?:arguments|parameters)"\s*:\s*(.*)', re.DOTALL)


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call as it was written; its arguments may be broken, and its name empty."""

    name: str
    arguments: str


def read_written_call(text: str, start: int, *, final: bool) -> Removed[WrittenCall] | Verdict:
    """Return the call that is written at that place. Prose about such marks is text."""
    window = text[start : start + MAX_CALL]
    final = final or len(window) == MAX_CALL
    opening = next((mark for mark in _OPENINGS if window.startswith(mark)), None)
    if opening is None:
        return _read_cut(window, start, final=final)
    if opening == _MISTRAL:
        found = _read_mistral(window, len(_MISTRAL), final=final)
    elif opening == "<function=":
        found = _read_enclosed(window, 0, "</function>", final=final)
    else:
        found = _read_enclosed(window, len(opening), f"</{opening[1:]}", final=final)
    return Removed(start + found.end, found.events) if isinstance(found, Removed) else found


def _read_cut(window: str, start: int, *, final: bool) -> Removed[WrittenCall] | Verdict:
    if not any(mark.startswith(window) for mark in _OPENINGS):
        return Verdict.SHOW
    if not final:
        return Verdict.WAIT
    return Removed(start + len(window)) if len(window) >= _SHORTEST_CUT else Verdict.SHOW


def _read_enclosed(window: str, body_start: int, closing: str, *, final: bool) -> Removed[WrittenCall] | Verdict:
    body = window[body_start:].lstrip()
    if "<function=".startswith(body):
        return Verdict.WAIT if not final else Removed(len(window))
    if not body.startswith(("{", "[", "<function=")):
        return Verdict.SHOW
    end = window.find(closing, body_start)
    if end >= 0:
        return Removed(end + len(closing), tuple(calls_in(window[body_start:end])))
    return Removed(len(window), tuple(calls_in(window[body_start:]))) if final else Verdict.WAIT


def _read_mistral(window: str, at: int, *, final: bool) -> Removed[WrittenCall] | Verdict:
    named = _NAMED.match(window, at)
    value_start = named.end() if named else at + len(window[at:]) - len(window[at:].lstrip())
    if not named and window[value_start : value_start + 1] not in ("[", "{"):
        could_be = not final and _COULD_BE_NAMED.fullmatch(window, at) is not None
        return Verdict.WAIT if could_be else Verdict.SHOW
    end = _end_of_json(window, value_start)
    if end is None and not final:
        return Verdict.WAIT
    end = end or len(window)
    value = window[value_start:end]
    return Removed(end, (WrittenCall(named[1], value),) if named else tuple(calls_in(value)))


def calls_in(body: str) -> Iterator[WrittenCall]:
    """Return the calls that a text consists of; one that is broken is told as far as it can be read."""
    if functions := _FUNCTION.findall(body):
        yield from (WrittenCall(name, _arguments_of(inner)) for name, inner in functions)
        return
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        name, arguments = _BROKEN_NAME.search(body), _BROKEN_ARGUMENTS.search(body)
        yield WrittenCall(name[1] if name else "", arguments[1].strip() if arguments else body.strip())
        return
    for item in cast("list[object]", value) if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield _call(cast("Mapping[str, JsonValue]", item))


def _call(item: Mapping[str, JsonValue]) -> WrittenCall:
    inner = item.get("function")
    fields = inner if isinstance(inner, dict) else item
    name, arguments = fields.get("name"), fields.get("arguments", fields.get("parameters", {}))
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return WrittenCall(name if isinstance(name, str) else "", written)


def _arguments_of(inner: str) -> str:
    """Return the arguments in a function's body: JSON as it stands, or parameters, whose values are JSON where they can be."""
    parameters = _PARAMETER.findall(inner)
    if not parameters:
        return inner.strip()
    return json.dumps({name: _value(text) for name, text in parameters}, ensure_ascii=False)


def _value(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, int | float | bool | list | dict) else text


def _end_of_json(text: str, start: int) -> int | None:
    try:
        return json.JSONDecoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None
