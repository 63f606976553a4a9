"""The updates that wait for one bot."""

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.emulators.telegram.clock import Clock
from tests.emulators.telegram.errors import Refusal, conflict

LEFT_OUT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
OTHER_POLL = "terminated by other getUpdates request; make sure that only one bot instance is running"


@dataclass(frozen=True, slots=True)
class PendingUpdate:
    """One update as it was when it happened."""

    update_id: int
    kind: str
    body: dict[str, object]

    def to_json(self) -> dict[str, object]:
        """Return the update as the Bot API writes it."""
        return {"update_id": self.update_id, self.kind: self.body}


@dataclass(slots=True)
class Feed:
    """What waits for one bot, in order; what a poll acknowledged is gone."""

    clock: Clock
    next_id: int = 100_001
    pending: deque[PendingUpdate] = field(default_factory=deque)
    allowed: frozenset[str] = frozenset()
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _poll: "asyncio.Future[Refusal] | None" = None

    def push(self, kind: str, body: dict[str, object]) -> int | None:
        """Queue one update and return its id; a kind the bot did not ask for is dropped."""
        if not self.wants(kind):
            return None
        update = PendingUpdate(self.next_id, kind, body)
        self.next_id += 1
        self.pending.append(update)
        self.arrived.set()
        return update.update_id

    def wants(self, kind: str) -> bool:
        """Return whether the bot asked for this kind of update."""
        return kind in self.allowed if self.allowed else kind not in LEFT_OUT_BY_DEFAULT

    def allow(self, kinds: Iterable[str]) -> None:
        """Set the kinds to be queued from now on; none means the default ones."""
        self.allowed = frozenset(kinds)

    def acknowledge(self, offset: int) -> None:
        """Forget every update before `offset`; a negative one keeps only the last ones."""
        if offset < 0:
            while len(self.pending) > -offset:
                self.pending.popleft()
        while self.pending and offset > 0 and self.pending[0].update_id < offset:
            self.pending.popleft()

    def end_poll(self, reason: Refusal) -> None:
        """Refuse the poll that waits now, if there is one."""
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(reason)

    async def poll(self, limit: int, seconds: float) -> list[PendingUpdate]:
        """Return up to `limit` updates, waiting up to `seconds` for the first one."""
        self.end_poll(conflict(OTHER_POLL))
        ended: asyncio.Future[Refusal] = asyncio.get_running_loop().create_future()
        self._poll = ended
        try:
            if not self.pending and seconds > 0:
                await self._wait(ended, seconds)
            if ended.done():
                raise ended.result()
            return list(self.pending)[:limit]
        finally:
            if self._poll is ended:
                self._poll = None

    async def _wait(self, ended: "asyncio.Future[Refusal]", seconds: float) -> None:
        self.arrived.clear()
        arrival = asyncio.ensure_future(self.arrived.wait())
        time_out = asyncio.ensure_future(self.clock.sleep(seconds))
        try:
            await asyncio.wait((arrival, time_out, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            arrival.cancel()
            time_out.cancel()
            await asyncio.gather(arrival, time_out, return_exceptions=True)
