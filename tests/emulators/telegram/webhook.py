"""Delivery of updates by POST to the address a bot has set."""

from collections.abc import Callable
from dataclasses import dataclass

import aiohttp

from tests.emulators.telegram.feed import Feed, PendingUpdate

FIRST_RETRY_SECONDS = 1.0
LONGEST_RETRY_SECONDS = 60.0
POST_TIMEOUT_SECONDS = 30.0


@dataclass(slots=True)
class Webhook:
    """Where updates go, and how the last tries went."""

    url: str
    tried: Callable[[], None]
    secret: str = ""
    max_connections: int = 40
    last_error_date: int | None = None
    last_error: str = ""

    async def deliver(self, feed: Feed) -> None:
        """Post what waits, in order; what is refused is tried again, longer and longer apart."""
        async with aiohttp.ClientSession() as session:
            wait = FIRST_RETRY_SECONDS
            while True:
                if not feed.pending:
                    feed.arrived.clear()
                    await feed.arrived.wait()
                update = feed.pending[0]
                if await self._post(session, update, int(feed.clock.now())):
                    if feed.pending and feed.pending[0] is update:
                        feed.pending.popleft()
                    wait = FIRST_RETRY_SECONDS
                    self.tried()
                else:
                    self.tried()
                    await feed.clock.sleep(wait)
                    wait = min(2 * wait, LONGEST_RETRY_SECONDS)

    async def _post(self, session: aiohttp.ClientSession, update: PendingUpdate, now: int) -> bool:
        headers = {"X-Telegram-Bot-Api-Secret-Token": self.secret} if self.secret else {}
        timeout = aiohttp.ClientTimeout(total=POST_TIMEOUT_SECONDS)
        try:
            async with session.post(self.url, json=update.to_json(), headers=headers, timeout=timeout) as answer:
                if 200 <= answer.status < 300:
                    return True
                self.last_error = f"Wrong response from the webhook: {answer.status} {answer.reason}"
        except (TimeoutError, aiohttp.ClientError, OSError):
            self.last_error = "Connection refused"
        self.last_error_date = now
        return False

    def to_json(self, pending: int, allowed: list[str]) -> dict[str, object]:
        """Return the state as getWebhookInfo gives it."""
        body: dict[str, object] = {
            "url": self.url,
            "has_custom_certificate": False,
            "pending_update_count": pending,
            "max_connections": self.max_connections,
        }
        if allowed:
            body["allowed_updates"] = allowed
        if self.last_error_date is not None:
            body |= {"last_error_date": self.last_error_date, "last_error_message": self.last_error}
        return body
