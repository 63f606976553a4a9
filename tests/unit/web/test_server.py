import asyncio
import signal
import socket
import time

import httpx
import pytest

from bot.errors import ConfigError
from bot.web.api import make_web_app
from bot.web.server import Address, serve_web
from tests.unit.web.site import MEMORY, PERSONAS, TOKEN, opened


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


async def test_it_serves_on_this_machine_and_stops_quickly(database_url: str) -> None:
    port = free_port()
    handler = signal.getsignal(signal.SIGTERM)
    async with opened(database_url) as store, asyncio.TaskGroup() as group:
        serving = group.create_task(serve_web(make_web_app(store, PERSONAS, TOKEN), Address(port)))
        transport = httpx.AsyncHTTPTransport(retries=5)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{port}") as web:
            response = await web.get(MEMORY, headers={"Authorization": f"Bearer {TOKEN}"})
            before = time.monotonic()
            serving.cancel()
            await asyncio.wait([serving])

    assert response.json()["count"] == 0
    assert time.monotonic() - before < 2
    assert serving.cancelled()
    assert signal.getsignal(signal.SIGTERM) is handler


async def test_a_port_that_is_taken_is_explained(database_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        async with opened(database_url) as store:
            with pytest.raises(ConfigError, match="BAKU_WEB_PORT"):
                await serve_web(make_web_app(store, PERSONAS, TOKEN), Address(other.getsockname()[1]))


async def test_without_a_token_there_is_no_api(database_url: str) -> None:
    async with opened(database_url) as store:
        with pytest.raises(ValueError, match="BAKU_WEB_TOKEN"):
            make_web_app(store, PERSONAS, "")
