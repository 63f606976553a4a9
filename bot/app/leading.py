"""Doing what only one process of all may do, and taking it over from one that died."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from bot.app.world import Service
from bot.errors import StoreError
from bot.memory.past.lease import new_owner
from bot.ports.store import Store

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Leader:
    """Holds a lease as long as it works. One that dies, or loses the database, has stopped before another begins.

    The database's clock says when a lease is over; here only the time since the last sign of life is measured.
    """

    store: Store
    lease: str
    """What is led, the same in all processes."""
    held: timedelta = timedelta(seconds=20)
    """How long after its last sign of life a process that died still stands in the way."""
    every: float = 5.0
    """Seconds between two signs of life, and between two tries to lead."""
    _owner: str = field(default_factory=new_owner)

    async def run(self, work: Service) -> None:
        """Work whenever this process leads, until the work ends by itself or this is cancelled."""
        while True:
            if not await self._take():
                await asyncio.sleep(self.every)
                continue
            log.info("leads", lease=self.lease)
            if await self._work_while_leading(work):
                return
            log.warning("leads_no_longer", lease=self.lease)

    async def _work_while_leading(self, work: Service) -> bool:
        """Work until that ends, which is True, or the lease is lost."""
        working, keeping = asyncio.create_task(work()), asyncio.create_task(self._keep())
        try:
            await asyncio.wait([working, keeping], return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
            return working.done()
        finally:
            for task in (working, keeping):
                task.cancel()
            await asyncio.gather(working, keeping, return_exceptions=True)
            await self._release()

    async def _keep(self) -> None:
        """Renew the lease; return when somebody else has it, or nobody can tell in time."""
        clock, held = asyncio.get_running_loop().time, self.held.total_seconds()
        until = clock() + held
        while True:
            await asyncio.sleep(self.every)
            try:
                async with asyncio.timeout(self.every):
                    if not await self._renew():
                        return
                until = clock() + held
            except (StoreError, TimeoutError):
                if clock() + 2 * self.every >= until:
                    return

    async def _take(self) -> bool:
        try:
            return await self._renew()
        except StoreError as problem:
            log.warning("lease_unknown", lease=self.lease, problem=type(problem).__name__)
            return False

    async def _renew(self) -> bool:
        async with self.store.write() as tx:
            return await tx.leases.take(self.lease, self._owner, lasts=self.held)

    async def _release(self) -> None:
        try:
            async with asyncio.timeout(self.every), self.store.write() as tx:
                await tx.leases.release(self.lease, self._owner)
        except (StoreError, TimeoutError) as problem:
            log.warning("lease_not_given_back", lease=self.lease, problem=type(problem).__name__)
