"""Calls of the Bot API over HTTP, and what python-telegram-bot leaves to its users there."""

import json
from http import HTTPStatus
from typing import Any

import structlog
from telegram import Update
from telegram.error import NetworkError, TelegramError
from telegram.request import HTTPXRequest

from bot.ports.throttle import Throttle, Unthrottled

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 20.0
CONNECTIONS = 32
UNREADABLE = (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError)
"""What the library and we raise for an update of a shape that nobody expected."""

log = structlog.get_logger(__name__)


class Flooded(TelegramError):
    """Telegram asks to wait."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"Telegram asks to wait {retry_after:g} seconds.")
        self.retry_after = retry_after


class Calls(HTTPXRequest):
    """Makes calls. A 429 is `Flooded`, a page from a proxy is a NetworkError without its HTML."""

    def __init__(self, throttle: Throttle | None = None) -> None:
        """Take what holds back messages, so that all processes together keep to what Telegram takes."""
        self._throttle = throttle or Unthrottled()
        super().__init__(
            connection_pool_size=CONNECTIONS,
            connect_timeout=CONNECT_SECONDS,
            read_timeout=ANSWER_SECONDS,
            write_timeout=ANSWER_SECONDS,
            pool_timeout=ANSWER_SECONDS,
        )

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Return status and body of an answer."""
        if _says_something(str(kwargs.get("url", args[0] if args else ""))):
            await self._throttle.wait()
        status, body = await super().do_request(*args, **kwargs)
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            raise Flooded(_seconds_to_wait(body))
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise NetworkError(f"Telegram answers with status {status}.")
        return status, body


class UpdateCalls(Calls):
    """Fetches updates. One that the library cannot read comes as an empty one, so that it holds up no other."""

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Return status and body of an answer."""
        status, body = await super().do_request(*args, **kwargs)
        return status, readable_updates(body) if status == HTTPStatus.OK else body


def readable_updates(body: bytes) -> bytes:
    """Return an answer of getUpdates with only those updates filled in that the library can read, and no half characters."""
    try:
        answer = json.loads(body)
    except ValueError:
        return body
    updates = answer.get("result")
    if not isinstance(updates, list):
        return body
    answer["result"] = [update if _is_readable(update) else {"update_id": update["update_id"]} for update in updates]
    return json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")


def _is_readable(update: dict[str, object]) -> bool:
    try:
        Update.de_json(dict(update), None)
    except UNREADABLE as error:
        log.error("telegram_update_unreadable", update=update["update_id"], kind=type(error).__name__)
        return False
    return True


def _says_something(url: str) -> bool:
    """Say whether a call puts something before people: those are counted."""
    return url.rpartition("/")[2].casefold().startswith(("send", "edit", "copy", "forward"))


def _seconds_to_wait(body: bytes) -> float:
    try:
        return float(json.loads(body)["parameters"]["retry_after"])
    except (KeyError, TypeError, ValueError):
        return 5.0
