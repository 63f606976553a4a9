"""Serving the web API as long as the bot runs."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
import uvicorn
from fastapi import FastAPI

from bot.errors import ConfigError

HOST = "127.0.0.1"

log = structlog.get_logger(__name__)


class _Server(uvicorn.Server):
    """Leaves the process's signals alone: they belong to the bot."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve_web(app: FastAPI, port: int) -> None:
    """Serve on this machine alone until cancelled, then stop within about a second. Port 0 takes any free one, named in the log."""
    server = _Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1))
    with _listening(port) as listener:
        log.info("web_api_listening", address=f"http://{HOST}:{listener.getsockname()[1]}")
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(server.serve(sockets=[listener]))
            try:
                await asyncio.shield(serving)
            finally:
                server.should_exit = True
                await serving


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    try:
        listener = socket.create_server((HOST, port))
    except OSError as problem:
        raise ConfigError(f"The web API cannot listen on port {port}: {problem.strerror}. Set BAKU_WEB_PORT to a free one.") from problem
    with listener:
        yield listener
