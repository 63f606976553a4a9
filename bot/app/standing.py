"""How the parts of this process do, for whoever asks whether it may be sent work."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence

from bot.domain.finding import Finding
from bot.errors import StoreError
from bot.ports.platform import Connected, Platform
from bot.ports.store import Store

STORE_SECONDS = 2.0
"""How long the store may take to answer."""


class Standing:
    """Knows the parts. A platform that waits for a connection is no reason to end the process: it goes on trying by itself."""

    def __init__(self, store: Store, platforms: Mapping[str, Platform]) -> None:
        self._store = store
        self._platforms = platforms
        self._refused: set[str] = set()
        self._served: dict[str, bool] = {}

    async def during(self, part: str, work: Awaitable[None]) -> None:
        """Do the work of a part, which is served as long as that goes on."""
        self._served[part] = True
        try:
            await work
        finally:
            self._served[part] = False

    def refuse(self, platform: str) -> None:
        """Note that a platform does not take its token."""
        self._refused.add(platform)

    async def findings(self) -> Sequence[Finding]:
        """Return how each part does, asked just now."""
        served = [Finding(part, is_ready, "served" if is_ready else "ended") for part, is_ready in self._served.items()]
        return [await self._of_store(), *(self._of_platform(name, platform) for name, platform in self._platforms.items()), *served]

    async def _of_store(self) -> Finding:
        """Ask the store for something small. That its schema serves this program was checked when it was opened."""
        try:
            async with asyncio.timeout(STORE_SECONDS), self._store.read() as tx:
                await tx.line.backlog(most=1)
        except TimeoutError:
            return Finding("store", is_ready=False, state="slow")
        except StoreError:
            return Finding("store", is_ready=False, state="out of reach")
        return Finding("store", is_ready=True, state="serves")

    def _of_platform(self, name: str, platform: Platform) -> Finding:
        if name in self._refused:
            return Finding(name, is_ready=False, state="refused")
        here: object = platform
        is_connected = isinstance(here, Connected) and here.is_connected
        return Finding(name, is_ready=True, state="connected" if is_connected else "waiting")
