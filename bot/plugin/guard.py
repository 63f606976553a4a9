"""Calling plugin code so that it cannot stop what goes on around it."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

import structlog

START_SECONDS = 30.0
"""How long an import or a hook at start-up may take: some packages are slow to load."""
TURN_SECONDS = 2.0
"""How long a hook may hold up a turn."""

log = structlog.get_logger(__name__)
T = TypeVar("T")


def attempt(call: Callable[[], T], *, plugin: str, doing: str, seconds: float = START_SECONDS) -> T | None:
    """Return the call's result, or None when it fails or takes too long, which is logged.

    It runs in a thread of its own, which is left behind when it hangs and does not keep the program from ending.
    """
    outcome: Future[T | None] = Future()

    def work() -> None:
        result = None
        try:
            result = call()
        except (Exception, SystemExit):
            log.exception("plugin_failed", plugin=plugin, doing=doing)
        outcome.set_result(result)

    threading.Thread(target=copy_context().run, args=(work,), name=f"plugin {plugin}", daemon=True).start()
    try:
        return outcome.result(timeout=seconds)
    except TimeoutError:
        log.error("plugin_too_slow", plugin=plugin, doing=doing, seconds=seconds)
        return None


async def attempt_async(call: Callable[[], Awaitable[T]], *, plugin: str, doing: str, seconds: float | None = TURN_SECONDS) -> T | None:
    """Return what the call comes to, or None when it fails or takes too long, which is logged. Without `seconds` it has all the time."""
    timeout = asyncio.timeout(seconds)
    try:
        async with timeout:
            return await call()
    except asyncio.CancelledError:
        if _is_cancelled_from_outside():
            raise
        log.exception("plugin_failed", plugin=plugin, doing=doing)
    except (Exception, SystemExit):
        if timeout.expired():
            log.warning("plugin_too_slow", plugin=plugin, doing=doing, seconds=seconds)
        else:
            log.exception("plugin_failed", plugin=plugin, doing=doing)
    return None


def _is_cancelled_from_outside() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
