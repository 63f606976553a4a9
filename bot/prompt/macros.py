"""Macros in what a persona's author wrote, `{{char}}` and the like, filled in."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from xml.sax.saxutils import escape

from bot.domain.text import one_line

SOMEBODY = "the user"
"""Who `{{user}}` is where several people talk, in text that stays the same for all of them."""
_MOST_NAME = 64
_MOST_ROUNDS = 6
_MOST_DICE = 100
_MOST_SIDES = 1_000_000
_MOST_TEXT = 200_000
_MACRO = re.compile(r"\{\{([^{}]{0,20000})\}\}")
_TAG = re.compile(r"<(user|char|bot)>", re.IGNORECASE)
_PARTS = re.compile(r"([\w/]+)\s*(?:::?|\s)?\s*(.*)", re.DOTALL)
_TRIM = re.compile(r"\{\{trim\}\}", re.IGNORECASE)
_COMMA = re.compile(r"(?<!\\),")
_ROLL = re.compile(r"(\d{0,3})d?(\d{1,7})([+-]\d{1,6})?", re.IGNORECASE)
_CLOCKS: Mapping[str, str] = MappingProxyType(
    {"time": "%H:%M", "date": "%Y-%m-%d", "weekday": "%A", "isotime": "%H:%M", "isodate": "%Y-%m-%d"},
)
_LATER = "(see now)"
"""What a clock shows in text that must stay the same: the prompt tells the time below."""


@dataclass(frozen=True, slots=True)
class Macros:
    """What macros stand for in one text. The same values give the same text."""

    persona_id: str
    char: str
    user: str = SOMEBODY
    """A display name, which is data: it is escaped, and no macro in it is filled in."""
    now: datetime | None = None
    """In the persona's time zone; None where the text must not change from turn to turn."""
    seed: str = ""
    """What makes `{{random}}` and `{{roll}}` come out otherwise; empty where the text must not change."""
    shows_hidden_keys: bool = False
    """Whether `{{hidden_key}}` gives its words, for a search, or nothing."""
    is_shown: bool = False
    """Whether people read the text, not a model: then a name stands as it is."""

    def fill(self, text: str) -> str:
        """Return the text with its macros filled in, inner ones first; unknown ones and comments are left out."""
        if "{{" not in text and not _TAG.search(text):
            return text
        filled = _trimmed(text[:_MOST_TEXT])
        for _ in range(_MOST_ROUNDS):
            before, filled = filled, _MACRO.sub(self._value, filled)
            if filled == before or len(filled) > _MOST_TEXT:
                break
        filled = _TAG.sub(lambda tag: self._known_name(tag[1].lower()), _MACRO.sub("", filled))
        return filled[:_MOST_TEXT]

    def _value(self, macro: re.Match[str]) -> str:
        inner = macro[1].strip()
        if inner.startswith("//"):
            return ""
        parts = _PARTS.fullmatch(inner)
        if parts is None:
            return ""
        name, argument = parts[1].lower(), parts[2]
        if name in {"char", "user", "bot"}:
            return self._known_name(name)
        if name in _CLOCKS:
            return self.now.strftime(_CLOCKS[name]) if self.now else _LATER
        return self._made(name, argument, str(macro.start()))

    def _made(self, name: str, argument: str, place: str) -> str:
        """Return what a macro makes of its argument; nothing for one that is unknown."""
        match name:
            case "pick":
                made = self._chosen(argument, place)
            case "random":
                made = self._chosen(argument, f"{place}|{self.seed}")
            case "roll":
                made = self._rolled(argument, place)
            case "reverse":
                made = argument[::-1]
            case "hidden_key" if self.shows_hidden_keys:
                made = argument
            case "newline":
                made = "\n"
            case _:
                made = ""
        return made

    def _known_name(self, name: str) -> str:
        shown = one_line(self.user if name == "user" else self.char, _MOST_NAME).replace("{", "(").replace("}", ")")
        return escape(shown) if name == "user" and not self.is_shown else shown

    def _chosen(self, argument: str, place: str) -> str:
        """Return one of several texts, by the persona and the place: the same in every turn."""
        choices = argument.split("::") if "::" in argument else [part.replace("\\,", ",") for part in _COMMA.split(argument)]
        return choices[self._number(f"{place}|{argument}", len(choices))].strip()

    def _rolled(self, argument: str, place: str) -> str:
        dice = _ROLL.fullmatch(argument.strip() if "d" in argument.lower() else f"d{argument.strip()}")
        count, sides = (int(dice[1] or 1), int(dice[2])) if dice else (0, 0)
        if not dice or not 0 < count <= _MOST_DICE or not 0 < sides <= _MOST_SIDES:
            return ""
        rolled = sum(1 + self._number(f"{place}|{self.seed}|{number}", sides) for number in range(count))
        return str(rolled + int(dice[3] or 0))

    def _number(self, place: str, below: int) -> int:
        drawn = hashlib.sha256(f"{self.persona_id}|{place}".encode()).digest()
        return int.from_bytes(drawn[:8], "big") % below


def _trimmed(text: str) -> str:
    """Return the text without `{{trim}}` and the line ends around it."""
    first, *others = _TRIM.split(text)
    parts = [first.rstrip("\n") if others else first, *(part.strip("\n") for part in others[:-1])]
    return "".join((*parts, *(part.lstrip("\n") for part in others[-1:])))
