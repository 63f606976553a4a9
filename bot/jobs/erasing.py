"""What is left to erase: what a stop cut off, bytes in the files, and servers that the bot has left."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.domain.erasing import OneSpace
from bot.memory.erasing.engine import Eraser

GRACE = timedelta(days=30)
"""How long a server that has thrown the bot out can have it back with all that it remembers."""

PAUSE = timedelta(hours=1)

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Erasing:
    """Finishes erasures, and erases what the bot has left long enough ago."""

    eraser: Eraser
    grace: timedelta = GRACE
    pause: timedelta = PAUSE
    """Between two times that the database's file is written anew for what people delete one by one."""
    _wiped_at: datetime | None = None

    async def ring(self) -> None:
        """Do what is due. What fails waits for the next ring."""
        try:
            now = self.eraser.clock.now()
            wipes = self._wiped_at is None or now - self._wiped_at >= self.pause
            if await self.eraser.finish_all(wipes=wipes):
                self._wiped_at = now
            for platform, space_id in await self._departed():
                await self.eraser.erase(OneSpace(platform, space_id))
                log.info("left_space_erased", platform=platform)
        except Exception:
            log.exception("erasing_cut_short")

    async def resume(self) -> None:
        """Finish at the start what a stop cut off."""
        try:
            await self.eraser.resume()
        except Exception:
            log.exception("erasing_cut_short")

    async def _departed(self) -> list[tuple[str, str]]:
        before = self.eraser.clock.now() - self.grace
        async with self.eraser.store.read() as tx:
            return [(each.platform, each.space_id) for each in await tx.erasures.departures() if each.at <= before]
