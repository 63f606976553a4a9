"""Identifying at the pace that Discord sets for all connections of a bot, where several processes hold them."""

from collections.abc import Awaitable, Callable

from bot.ports.throttle import Rate, Throttle

SPARE = 1.1
"""The pace is kept a little slower than Discord asks for: not all identifications take equally long to arrive."""


class Identifying:
    """Knows when a shard may identify. Discord takes one in some seconds from each bucket, wherever its shards are held."""

    def __init__(self, throttle: Throttle, *, seconds: float, ask_buckets: Callable[[], Awaitable[int]]) -> None:
        """Take one of the throttles that all processes share, and what asks Discord for the number of buckets, which it does once."""
        self._throttle = throttle
        self._per_second = 1.0 / (seconds * SPARE)
        self._ask_buckets = ask_buckets
        self._buckets = 0
        self._of_buckets: dict[int, Throttle] = {}

    async def wait(self, shard_id: int) -> None:
        """Return when the shard may identify."""
        self._buckets = self._buckets or await self._ask_buckets()
        bucket = shard_id % self._buckets
        if bucket not in self._of_buckets:
            rate = Rate(f"discord identifying {bucket}", per_second=self._per_second, burst=1.0)
            self._of_buckets[bucket] = self._throttle.another(rate)
        await self._of_buckets[bucket].wait()
