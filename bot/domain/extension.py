"""What can be added to a turn: tools that the model calls, and sections of its prompt."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.domain.tool import JsonValue, ToolSpec
from bot.domain.turn import Turn


class MemoryEdits(Protocol):
    """The turn's edits of its persona's memory, staged: nothing is stored before the reply is.

    A memory is named as the model names it: by its number, or by its handle of eight hex digits.
    """

    async def remember(self, text: str, *, importance: float | None = None, group: str = "") -> int:
        """Stage a new fact, about whoever of the turn said it, and return its number; that of the old one when it repeats one.

        Raises ToolRetry for a text it cannot take.
        """
        ...

    async def revise(self, name: str, text: str) -> bool:
        """Stage a new text; False when there is no such memory. Raises ToolRetry for a text it cannot take."""
        ...

    async def forget(self, name: str) -> bool:
        """Stage a deletion; False when there is no such memory."""
        ...

    async def tag(self, name: str) -> bool:
        """Stage that a memory was used; False when there is no such memory."""
        ...

    async def load(self, name: str) -> str | None:
        """Stage that a memory comes back into the prompt, and return its text; None when there is no such memory."""
        ...


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The turn that a tool serves, and the memory that it may edit there."""

    turn: Turn
    memory: MemoryEdits


RunTool = Callable[[ToolContext, Mapping[str, JsonValue]], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool and what it does. `run` returns text for the model; it raises ToolRetry when the model can mend its call, else ToolFailed."""

    spec: ToolSpec
    run: RunTool


@dataclass(frozen=True, slots=True)
class PromptSection:
    """A piece of the system prompt that a plugin adds. Its text is escaped and stands under its name.

    A stable section stands before the history and should seldom change, so that the provider's prompt cache holds; others
    stand after it.
    """

    name: str
    render: Callable[[Turn], Awaitable[str]]
    stable: bool = False
