"""Updates that Telegram delivers by POST."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import structlog
from telegram import Bot, Update
from telegram.ext import Updater

from bot.errors import StoreError

TakeOne = Callable[[Update], Awaitable[None]]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where Telegram delivers, how it proves to be Telegram, and where this program listens."""

    url: str
    secret: str
    port: int


class _Intake(asyncio.Queue[Any]):
    """A queue that keeps nothing: what is put is taken at once, and only then is Telegram told that it has arrived."""

    def __init__(self, take: TakeOne) -> None:
        super().__init__()
        self._take = take

    async def put(self, item: Any) -> None:
        """Take an update; what is raised here makes Telegram deliver it again."""
        try:
            await self._take(item)
        except StoreError as error:
            log.error("telegram_update_not_stored", problem=str(error))
            raise


@asynccontextmanager
async def webhook_open(bot: Bot, webhook: Webhook, take: TakeOne, kinds: Sequence[str]) -> AsyncIterator[None]:
    """Have updates delivered as long as the context is open. A delivery without the secret is refused.

    Raises OSError when the port is taken.
    """
    updater = Updater(bot, _Intake(take))
    with socket.create_server(("", webhook.port)) as door:
        door.setblocking(False)
        await updater.initialize()
        await updater.start_webhook(
            unix=door,
            url_path=urlsplit(webhook.url).path,
            webhook_url=webhook.url,
            secret_token=webhook.secret,
            allowed_updates=kinds,
            bootstrap_retries=-1,
        )
        try:
            yield
        finally:
            await updater.stop()
