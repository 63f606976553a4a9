"""Rate limits: what Discord counts, and what it answers to those who hurry."""

import hashlib
from collections import deque
from dataclasses import dataclass, field

from tests.emulators.discord.clock import Clock
from tests.emulators.discord.objects import Payload

# Without a Via header the client takes a 429 for a ban by the network in front of Discord.
PROXY_HEADERS = {"Via": "1.1 emulator"}


@dataclass(slots=True, frozen=True)
class TooMany:
    """A 429 answer."""

    retry_after: float
    is_global: bool = False
    bucket: str = "shared"

    def headers(self) -> dict[str, str]:
        """Return the headers of the answer."""
        scope = "global" if self.is_global else "user"
        headers = PROXY_HEADERS | {
            "Retry-After": str(max(1, round(self.retry_after))),
            "X-RateLimit-Scope": scope,
        }
        if self.is_global:
            return headers | {"X-RateLimit-Global": "true"}
        return headers | {"X-RateLimit-Bucket": self.bucket}

    def payload(self) -> Payload:
        """Return the body of the answer."""
        return {
            "message": "You are being rate limited.",
            "retry_after": self.retry_after,
            "global": self.is_global,
        }


@dataclass(slots=True)
class Bucket:
    """So many requests in a window for each channel, server or webhook of one route."""

    limit: int
    window: float
    taken: dict[str, deque[float]] = field(default_factory=dict)

    def take(self, key: str, now: float) -> float | None:
        """Return None when the request may pass, else the seconds to wait."""
        moments = self.taken.setdefault(key, deque())
        while moments and moments[0] <= now - self.window:
            moments.popleft()
        if len(moments) >= self.limit:
            return moments[0] + self.window - now
        moments.append(now)
        return None

    def left(self, key: str) -> int:
        """Return how many more requests may pass now."""
        return self.limit - len(self.taken.get(key, ()))


class RateLimits:
    """The limits in force. At first there are none, so that tests run at full speed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def limit(self, method: str, route: str, *, requests: int, window: float) -> None:
        """Allow `requests` a `window` on a route such as "/channels/{channel_id}/messages"."""
        self._buckets[(method, route)] = Bucket(requests, window)

    def check(self, method: str, route: str, major: str) -> TooMany | None:
        """Return the 429 that this request earns, or None."""
        bucket = self._buckets.get((method, route))
        if bucket is None:
            return None
        wait = bucket.take(major, self._clock())
        return None if wait is None else TooMany(wait, bucket=_bucket_name(method, route))

    def headers(self, method: str, route: str, major: str) -> dict[str, str]:
        """Return the headers that tell the client how much is left."""
        bucket = self._buckets.get((method, route))
        if bucket is None:
            return {}
        return {
            "X-RateLimit-Limit": str(bucket.limit),
            "X-RateLimit-Remaining": str(max(0, bucket.left(major))),
            "X-RateLimit-Reset": str(self._clock() + bucket.window),
            "X-RateLimit-Reset-After": str(bucket.window),
            "X-RateLimit-Bucket": _bucket_name(method, route),
        }


def _bucket_name(method: str, route: str) -> str:
    return hashlib.sha256(f"{method} {route}".encode()).hexdigest()[:16]
