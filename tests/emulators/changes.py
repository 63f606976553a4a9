"""Waiting for something to happen, without sleeping."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_SECONDS = 20.0


class Changes:
    """Wakes whoever waits whenever the emulator's state changes."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Event] = set()

    def notify(self) -> None:
        """Let every waiter look again."""
        for event in self._waiting:
            event.set()

    async def until(self, look: Callable[[], T], what: str, *, timeout: float = PATIENCE_SECONDS) -> T:
        """Return the first truthy value of `look`; TimeoutError names `what` was awaited."""
        event = asyncio.Event()
        self._waiting.add(event)
        try:
            async with asyncio.timeout(timeout):
                while not (found := look()):
                    await event.wait()
                    event.clear()
                return found
        except TimeoutError:
            raise TimeoutError(f"Waited {timeout:g} s in vain for {what}.") from None
        finally:
            self._waiting.discard(event)
