"""Whether the event loop keeps up."""

import asyncio

from bot.ports.metrics import Metrics

EVERY_SECONDS = 1.0


async def watch_loop(metrics: Metrics, every: float = EVERY_SECONDS) -> None:
    """Note until cancelled by how much the event loop is late: as long as something holds it up, nobody is answered."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + every
        await asyncio.sleep(every)
        metrics.loop_lagged(loop.time() - due)
