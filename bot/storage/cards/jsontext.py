"""JSON from strangers: bounded, without doubled keys or characters that nobody sees; and JSON as cards keep it."""

import json
import math
import re
from collections import Counter
from typing import NoReturn

from bot.domain.tool import JsonValue
from bot.errors import CardRefused
from bot.memory.gate.unseen import visible

JsonObject = dict[str, JsonValue]

MOST_BYTES = 2_000_000
MOST_DEPTH = 32
MOST_VALUES = 50_000
MOST_DIGITS = 18
_MOST_FLAG_PARTS = 70
_PARTS_OF_FLAGS = re.compile("[\U000e0000-\U000e007f]")
_MAY_BE_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u2800\u3164\uffa0\ufe00-\ufe0e\U000e0100-\U000e01ef]")


def read_object(data: bytes, what: str) -> JsonObject:
    """Return the JSON object of a file. `what` names the file in refusals. Raises CardRefused."""
    if len(data) > MOST_BYTES:
        raise CardRefused(f"{what} has {len(data):,} bytes of text; {MOST_BYTES:,} are the most. Shorten its lorebook or extensions.")
    try:
        text = data.decode("utf-8-sig")
        value = json.loads(text, object_pairs_hook=_object, parse_int=_whole, parse_float=_number, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise CardRefused(f"{what} is not UTF-8; export the card anew.") from None
    except RecursionError:
        raise _too_deep(what) from None
    except json.JSONDecodeError as error:
        raise CardRefused(f"{what} is no JSON: {error.msg} in line {error.lineno}. Export the card anew.") from None
    if not isinstance(value, dict):
        raise CardRefused(f"{what} holds no JSON object; choose the file of a character card.")
    return _Cleaner(what).cleaned_object(value, 1)


def written(value: JsonValue) -> str:
    """Return a value as JSON on one line, with its keys in the order they have."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def kept(value: JsonObject) -> str:
    """Return an object as a card keeps it: as JSON, or nothing when it is empty."""
    return written(value) if value else ""


def back(text: str) -> JsonObject:
    """Return an object that was `kept`."""
    value: JsonValue = json.loads(text) if text else {}
    return value if isinstance(value, dict) else {}


def clean(text: str) -> str:
    """Return a text without NUL, control, invisible and direction-changing characters; emoji and line ends stay."""
    if not _MAY_BE_UNSEEN.search(text) and all(line.isprintable() for line in re.split(r"[\n\t]", text)):
        return text
    sound = text.encode("utf-8", "replace").decode("utf-8")
    if len(_PARTS_OF_FLAGS.findall(sound)) > _MOST_FLAG_PARTS:
        sound = _PARTS_OF_FLAGS.sub("", sound)
    return visible(sound)


class _Cleaner:
    """Copies values, each text cleaned, and counts them."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._left = MOST_VALUES

    def cleaned_object(self, value: JsonObject, depth: int) -> JsonObject:
        """Return the object with clean keys and values."""
        if depth > MOST_DEPTH:
            raise _too_deep(self._what)
        pairs = [(clean(key), self._cleaned(inner, depth)) for key, inner in value.items()]
        return _object(pairs)

    def _cleaned(self, value: JsonValue, depth: int) -> JsonValue:
        self._left -= 1
        if self._left < 0:
            raise CardRefused(f"{self._what} holds more than {MOST_VALUES:,} values; shorten its lorebook or extensions.")
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, dict):
            return self.cleaned_object(value, depth + 1)
        if isinstance(value, list):
            if depth >= MOST_DEPTH:
                raise _too_deep(self._what)
            return [self._cleaned(item, depth + 1) for item in value]
        return value


def _object(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise CardRefused(f"the key {twice[:40]!r} stands twice in one object of the card; remove one of them.")
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise CardRefused(f"the card holds a number of {len(digits)} digits; {MOST_DIGITS} are the most. Remove it.")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits) if len(digits) <= 64 else math.inf
    if not math.isfinite(number):
        raise CardRefused(f"the card holds the number {digits[:20]}…, which is too big or too long. Remove it.")
    return number


def _no_number(name: str) -> NoReturn:
    raise CardRefused(f"the card holds {name}, which is no number in JSON. Remove it.")


def _too_deep(what: str) -> CardRefused:
    return CardRefused(f"{what} is nested more than {MOST_DEPTH} levels deep, which no card needs. Remove what is nested so.")
