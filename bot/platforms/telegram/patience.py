"""Tries again what failed only for the moment. For what stands in no outbox: answers to commands, the menu."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog
from telegram.error import BadRequest, NetworkError

from bot.platforms.telegram.refusals import described
from bot.platforms.telegram.request import Flooded
from bot.platforms.telegram.tuning import Tuning

MOST_TRIES = 5
T = TypeVar("T")

log = structlog.get_logger(__name__)


async def patiently(call: Callable[[], Awaitable[T]], tuning: Tuning) -> T:
    """Return what `call` returns; a flood or an outage is waited out, at most four times. Raises TelegramError."""
    for failures in range(1, MOST_TRIES):
        try:
            return await call()
        except BadRequest:
            raise
        except (Flooded, NetworkError) as error:
            wait = tuning.wait_after(failures, error)
            log.info("telegram_call_delayed", problem=described(error), seconds=round(wait, 1))
            await asyncio.sleep(wait)
    return await call()
