"""The emulator as a process of its own."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp


@asynccontextmanager
async def emulator_process() -> AsyncIterator[tuple[Process, dict[str, str]]]:
    """Yield a running emulator and its addresses."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.emulators.discord", stdout=PIPE)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(20):
            yield process, json.loads(await process.stdout.readline())
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def test_process_is_driven_over_http_and_stops_when_told() -> None:
    async with emulator_process() as (process, addresses), aiohttp.ClientSession() as http:

        async def do(deed: str, **given: Any) -> Any:
            async with http.post(f"{addresses['control']}/{deed}", json=given) as response:
                assert response.status == 200, await response.text()
                return await response.json()

        guild = await do("guild", name="Tea house")
        channel = await do("channel", guild=guild["id"])
        ada = await do("person", name="Ada", guild=guild["id"])
        await do("say", channel=channel["id"], user=ada["id"], text="hello")
        shown = await do("messages", channel=channel["id"])
        headers = {"Authorization": f"Bot {addresses['token']}"}
        async with http.get(f"{addresses['api_base']}/users/@me", headers=headers) as me:
            status = me.status
        process.terminate()
        code = await process.wait()

    assert [m["text"] for m in shown["messages"]] == ["hello"]
    assert (status, code) == (200, 0)
