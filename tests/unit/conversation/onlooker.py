"""Somebody who looks on at a bot and writes down what happens."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import cast

from bot.ports.metrics import Metrics
from bot.ports.trail import turn_here
from bot.ports.watch import Watch


class Tally:
    """Fulfils Metrics: keeps the names of what was counted with all that is not a time."""

    def __init__(self) -> None:
        self.seen: list[tuple[object, ...]] = []

    def __getattr__(self, name: str) -> object:
        return partial(self._note, name)

    def _note(self, name: str, *values: object, **marks: object) -> None:
        self.seen.append((name, *(value for value in (*values, *marks.values()) if not isinstance(value, float))))


@dataclass
class Spans:
    """Fulfils Traces: keeps each span with the turn that is known at its end."""

    ended: list[tuple[str, int]] = field(default_factory=list)

    @contextmanager
    def span(self, name: str, marks: Mapping[str, str] | None = None) -> Iterator[None]:
        yield
        self.ended.append((name, turn_here()))

    async def close(self) -> None:
        """Nothing is open."""


def an_onlooker() -> tuple[Watch, Tally, Spans]:
    tally, spans = Tally(), Spans()
    return Watch(cast("Metrics", tally), spans), tally, spans
