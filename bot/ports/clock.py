"""Time."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The only source of the present."""

    def now(self) -> datetime:
        """Return the present, aware and in UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`; a test's clock returns when the test moves it on."""
        ...
