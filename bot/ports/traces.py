"""Traces: how long each step of an answer took, for whoever looks for what is slow."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

_NOTHING: AbstractContextManager[None] = nullcontext()


class Traces(Protocol):
    """Takes spans. None of its methods raises or waits."""

    def span(self, name: str, marks: Mapping[str, str] | None = None) -> AbstractContextManager[None]:
        """Time what is done while the context is open, as a step of the turn that `bot.ports.trail` tells of at its end.

        Marks are kinds and names of ours, such as a platform: never words, and no ids of people or places.
        """
        ...

    async def close(self) -> None:
        """Send what is not sent yet, within a few seconds."""
        ...


class NoTraces:
    """Takes nothing."""

    def span(self, name: str, marks: Mapping[str, str] | None = None) -> AbstractContextManager[None]:  # noqa: ARG002 - the port names them
        """Time nothing."""
        return _NOTHING

    async def close(self) -> None:
        """Do nothing."""


NO_TRACES: Traces = NoTraces()
