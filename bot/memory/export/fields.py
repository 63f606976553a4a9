"""Values of a file that nobody vouches for, each with the type and the length that it has to have."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from bot.domain.message import Person
from bot.domain.text import storable
from bot.memory.gate.unseen import visible

MOST_ITEMS = 1_000_000
"""In one list."""
LONGEST_ID = 200
LONGEST_NAME = 200
LONGEST_TEXT = 1_000_000
"""Characters of a message."""


@dataclass(frozen=True, slots=True)
class Fields:
    """One object of the file. What does not fit raises ValueError, with its place."""

    values: Mapping[str, Any]
    place: str

    def id(self, name: str, *, needed: bool = True) -> str:
        """Return an id: short, of visible characters."""
        text = self._text(name, LONGEST_ID)
        if (needed and not text) or text != visible(storable(text)) or any(map(str.isspace, text)):
            raise self.wrong(name)
        return text

    def text(self, name: str, most: int = LONGEST_TEXT) -> str:
        """Return what somebody wrote, without characters that nobody sees."""
        return storable(visible(self._text(name, most)))

    def yes(self, name: str) -> bool:
        """Return a truth value, false where there is none."""
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise self.wrong(name)
        return value

    def share(self, name: str) -> float:
        """Return a number from 0 to 1."""
        value = self.values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= 1:
            raise self.wrong(name)
        return float(value)

    def time(self, name: str) -> datetime:
        """Return a moment."""
        found = self.time_or_none(name)
        if found is None:
            raise self.wrong(name)
        return found

    def time_or_none(self, name: str) -> datetime | None:
        """Return a moment, or None for an empty text."""
        text = self._text(name, LONGEST_ID)
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
            return moment.astimezone(UTC) if moment.utcoffset() is not None else datetime.fromisoformat("")
        except (ValueError, OverflowError) as problem:
            raise self.wrong(name) from problem

    def uuid(self, name: str) -> UUID:
        """Return a memory's id."""
        try:
            return UUID(hex=self.id(name))
        except ValueError as problem:
            raise self.wrong(name) from problem

    def person(self, what: str) -> Person:
        """Return a person: name, id and marks stand beside each other."""
        return Person(self.id(f"{what}_id"), self.text(what, LONGEST_NAME), self.yes(f"{what}_bot"), self.yes(f"{what}_service"))

    def ids(self, name: str) -> tuple[str, ...]:
        """Return a list of ids, empty where there is none."""
        value = self.values.get(name, [])
        if (
            not isinstance(value, list)
            or len(value) > MOST_ITEMS
            or not all(isinstance(each, str) and len(each) <= LONGEST_ID for each in value)
        ):
            raise self.wrong(name)
        return tuple(value)

    def parts(self, name: str) -> Iterator["Fields"]:
        """Yield the objects of a list."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or len(value) > MOST_ITEMS:
            raise self.wrong(name)
        for number, each in enumerate(value, start=1):
            if not isinstance(each, dict):
                raise self.wrong(f"{name} {number}")
            yield Fields(each, f"{self.place}{name} {number}, ")

    def part(self, name: str) -> "Fields | None":
        """Return an object, or None where there is none."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.wrong(name)
        return Fields(value, f"{self.place}{name}, ")

    def wrong(self, name: str) -> ValueError:
        """Return the error for a value that does not fit. It shows none of what the file says."""
        return ValueError(f"In the file, {self.place}{name} is not as an export writes it. Nothing was taken from it; export again.")

    def _text(self, name: str, most: int) -> str:
        value = self.values.get(name, "")
        if not isinstance(value, str) or len(value) > most:
            raise self.wrong(name)
        return value
