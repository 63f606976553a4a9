"""Serving the web API as long as the bot runs."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import structlog
import uvicorn
from fastapi import FastAPI

from bot.errors import ConfigError

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen, and what a mistake there is to be called. Port 0 takes any free one, named in the log."""

    port: int
    host: str = HOST
    setting: str = "BAKU_WEB_PORT"
    what: str = "The web API"


log = structlog.get_logger(__name__)


class _Server(uvicorn.Server):
    """Leaves the process's signals alone: they belong to the bot."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve_web(app: FastAPI, address: Address) -> None:
    """Serve until cancelled, then stop within about a second."""
    server = _Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1))
    with _listening(address) as listener:
        log.info("web_api_listening", what=address.what, address=f"http://{address.host}:{listener.getsockname()[1]}")
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(server.serve(sockets=[listener]))
            try:
                await asyncio.shield(serving)
            finally:
                server.should_exit = True
                await serving


@contextmanager
def _listening(address: Address) -> Iterator[socket.socket]:
    try:
        listener = socket.create_server((address.host, address.port))
    except OSError as problem:
        where = f"port {address.port} of {address.host}"
        raise ConfigError(f"{address.what} cannot listen on {where}: {problem.strerror}. Set {address.setting} to a free one.") from problem
    with listener:
        yield listener
