"""Keeping to a rate that all processes share."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may be done by all processes together."""

    name: str
    """One name, one rate, wherever."""
    per_second: float
    burst: float
    """So many may come at once after a pause."""


class Throttle(Protocol):
    """Holds callers back so that all of them together keep to a rate."""

    async def wait(self) -> None:
        """Return when it may be done once more. Never raises: while it cannot be known, it may."""
        ...

    def another(self, rate: Rate) -> "Throttle":
        """Return one for something else that the same processes do."""
        ...


class Unthrottled:
    """For a process that is alone, whose platform clients keep to the rates themselves."""

    async def wait(self) -> None:
        """Return at once."""

    def another(self, rate: Rate) -> Throttle:  # noqa: ARG002 - the port names it
        """Return what holds nobody back either."""
        return self
