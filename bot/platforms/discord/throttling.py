"""Keeping to Discord's global rate together with other processes of the same bot."""

from types import SimpleNamespace

import aiohttp

from bot.ports.throttle import Throttle

_UNCOUNTED = ("/interactions/", "/webhooks/")
"""Answers to commands and what webhooks say count elsewhere."""


def throttled(throttle: Throttle) -> aiohttp.TraceConfig:
    """Return what discord.py's session asks before each request."""

    async def hold_back(_: aiohttp.ClientSession, __: SimpleNamespace, request: aiohttp.TraceRequestStartParams) -> None:
        if "/api/" in request.url.path and not any(path in request.url.path for path in _UNCOUNTED):
            await throttle.wait()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(hold_back)
    return trace
