import asyncio
import json
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.emulators.discord.server import DiscordEmulator
from tests.scenario.console_stage import PATIENCE, installation
from tests.unit.cli.conftest import Baku

WEB_TOKEN = "a-token-that-is-long-enough"


async def started(folder: Path, discord: DiscordEmulator, **settings: str) -> asyncio.subprocess.Process:
    """Start `baku run` against the emulator."""
    addresses = {"DISCORD_TOKEN": discord.token, "DISCORD_API_BASE": discord.api_base, "DISCORD_GATEWAY_URL": discord.gateway_url}
    environment = installation(folder, **addresses | settings)
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", cwd=folder, env=environment, stderr=asyncio.subprocess.PIPE
    )


@asynccontextmanager
async def serving(folder: Path, discord: DiscordEmulator, **settings: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `baku run` against the emulator, and give it when it is connected."""
    process = await started(folder, discord, **settings)
    try:
        async with asyncio.timeout(PATIENCE):
            await discord.connected()
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
async def test_it_serves_until_it_is_asked_to_stop_and_stops_quickly(tmp_path: Path, number: signal.Signals, code: int) -> None:
    async with DiscordEmulator() as discord, serving(tmp_path, discord) as process:
        before = time.monotonic()
        process.send_signal(number)
        _, log = await process.communicate()

    assert process.returncode == code
    assert time.monotonic() - before < 3
    events = [json.loads(line) for line in log.splitlines()]
    first = next(event for event in events if event["logger"] == "bot.cli.serve")
    assert (first["event"], first["roles"]) == ("started", ["gateway", "scheduler", "web", "worker"])
    assert discord.token not in log.decode()


async def test_the_web_api_is_served_beside_the_platforms(tmp_path: Path, unused_tcp_port: int) -> None:
    settings = {"BAKU_WEB_TOKEN": WEB_TOKEN, "BAKU_WEB_PORT": str(unused_tcp_port)}
    async with DiscordEmulator() as discord, serving(tmp_path, discord, **settings) as process:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{unused_tcp_port}") as web:
            answer = await web.get("/api/persona/active/memory", headers={"Authorization": f"Bearer {WEB_TOKEN}"})
        process.send_signal(signal.SIGTERM)
        await process.communicate()

    assert answer.json() == {"persona": "baku", "memory_entries": [], "count": 0}
    assert process.returncode == 0


async def test_a_token_that_no_platform_takes_ends_it_with_an_error(tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:
        process = await started(tmp_path, discord, DISCORD_TOKEN="a-wrong-token")
        _, log = await process.communicate()

    assert process.returncode == 1
    assert log.decode().splitlines()[-1].startswith("error: No platform took its token")
    assert "a-wrong-token" not in log.decode()


def test_without_a_token_that_alone_is_said(baku: Baku, folder: Path) -> None:
    (folder / "plugins").mkdir()
    (folder / "plugins" / "quiet.py").touch()

    refused = baku("run")

    assert refused.code == 1
    assert [line.partition(".")[0] for line in refused.err.splitlines()] == ["error: No platform is set up"]
