"""A lease that is held while some work goes on, on a past or the nights: one at a time does it, in all processes together."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from socket import gethostname
from typing import TypeAlias
from uuid import uuid4

import structlog

from bot.domain.chat import ConversationKey, MemoryScope
from bot.ports.store import Store, Transaction

About: TypeAlias = ConversationKey | MemoryScope | str
"""What a lease is held of, told apart by its text."""

PREFIX = "past:"
LASTS = timedelta(minutes=10)
"""How long a lease outlives a process that ends without giving it back."""
RENEW_SECONDS = 180.0
_THIS_RUN = uuid4().hex
"""Tells this process from one before it that had its number, as is usual in containers."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class HeldLease:
    """Takes the lease for a piece of work, renews it while that goes on, and gives it back."""

    store: Store
    renew_seconds: float = RENEW_SECONDS
    prefix: str = PREFIX
    """Tells leases for different work apart."""

    async def hold(self, about: About, work: Callable[[], Awaitable[None]], *, owner: str = "") -> bool:
        """Do the work under the lease of what it is about; False, at once and without the work, while somebody else holds it.

        An owner that is given is the work's own: whoever goes on with that work after a kill has the lease already.
        """
        owner = owner or new_owner()
        async with self.store.write() as tx:
            is_taken = await self.take(tx, about, owner)
        if is_taken:
            await self.work(about, owner, work)
        return is_taken

    async def take(self, tx: Transaction, about: About, owner: str) -> bool:
        """Take the lease, for `work` to be called once that is committed; False while somebody else holds it."""
        return await tx.leases.take(f"{self.prefix}{about}", owner, lasts=LASTS)

    async def work(self, about: About, owner: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work under a lease that was taken, and give it back."""
        name = f"{self.prefix}{about}"
        try:
            async with asyncio.TaskGroup() as tasks:
                renewing = tasks.create_task(self._renew(about, owner))
                await work()
                renewing.cancel()
        finally:
            async with self.store.write() as tx:
                await tx.leases.release(name, owner)

    async def _renew(self, about: About, owner: str) -> None:
        """Keep a lease. Raises RuntimeError, which ends the work, when it was lost: somebody else may be at work by now."""
        while True:
            await asyncio.sleep(self.renew_seconds)
            async with self.store.write() as tx:
                is_kept = await self.take(tx, about, owner)
            if not is_kept:
                raise RuntimeError(
                    f"The lease {self.prefix}{about} was lost; the machine slept for too long, or the database was out of reach."
                )


def new_owner() -> str:
    """Return a name for somebody who takes leases in this process."""
    return f"{gethostname()}:{os.getpid()}:{_THIS_RUN}.{uuid4().hex}"


async def release_dead(store: Store, prefix: str = PREFIX) -> int:
    """Give back the leases of processes of this machine that no longer run; return how many there were."""
    async with store.read() as tx:
        dead = [lease for lease in await tx.leases.all() if lease.name.startswith(prefix) and _is_dead(lease.owner)]
    if dead:
        async with store.write() as tx:
            for lease in dead:
                await tx.leases.release(lease.name, lease.owner)
        log.info("leases_released", count=len(dead))
    return len(dead)


def _is_dead(owner: str) -> bool:
    host, pid, run = owner.split(":") if owner.count(":") == 2 else ("", "", "")
    if host != gethostname() or not pid.isdecimal():
        return False
    return not run.startswith(_THIS_RUN) if int(pid) == os.getpid() else not _runs(int(pid))


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
