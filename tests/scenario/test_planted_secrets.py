"""Secrets that are planted everywhere turn up nowhere: no output, no log line, no page and no file shows one."""

import asyncio
import base64
import contextlib
import json
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import aiohttp
import pytest
from pydantic import SecretStr

from bot.config.settings import Settings
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.openai.answers import refusal
from tests.emulators.openai.server import OpenAIEmulator
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.scenario.console_stage import PATIENCE, installation

DATABASE_PASSWORD = "db/pa55word+planted"
ADDRESS_PASSWORD = "end/point-pa55word"
SETTINGS = {str(field.validation_alias): field for field in Settings.model_fields.values()}
ALL_SECRETS = {
    "DISCORD_TOKEN": "MTIzplantedDISCORD.token.Ab+cd",
    "TELEGRAM_TOKEN": "7654321:planted-TELEGRAM_token",
    "TELEGRAM_WEBHOOK_SECRET": "planted_WEBHOOK-secret",
    "OPENAI_API_KEY": "sk-planted-OPENAI-key",
    "BAKU_EMBEDDING_API_KEY": "sk-planted-EMBEDDING-key",
    "BAKU_TRANSCRIPTION_API_KEY": "sk-planted-TRANSCRIPTION-key",
    "BAKU_WEB_TOKEN": 'planted WEB token, with "quotes"',
    "BAKU_PLUGIN_WEATHER_KEY": "planted-PLUGIN-key",
}
SECRETS = {name: value for name, value in ALL_SECRETS.items() if name in SETTINGS or name.startswith("BAKU_PLUGIN_")}
VALUES = (*SECRETS.values(), DATABASE_PASSWORD, ADDRESS_PASSWORD)
TALKING_PLUGIN = """
import os

import structlog

from bot.plugin.hooks import hookimpl

SECRETS = {secrets!r}
log = structlog.get_logger(__name__)


@hookimpl
async def message_recorded(message):
    log.debug("planted", settings=dict(os.environ), secrets=SECRETS, line=" ".join(SECRETS), data=repr(SECRETS).encode())
    raise RuntimeError(SECRETS)
"""
CRASH = """
import asyncio
import threading


def fail():
    raise RuntimeError("planted crash", {secrets!r})


def crash(*_, **__):
    other = threading.Thread(target=fail)
    other.start()
    other.join()
    fail()


asyncio.run = crash
"""
"""As `sitecustomize` it makes whatever command runs fail with all secrets in hand, in two threads."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a process said, and with what code it ended."""

    code: int
    said: str


def forms(secret: str) -> set[str]:
    """Return how a secret could be written: as it is, in an address, in JSON, in Python, in a header."""
    encoded = {base64.b64encode(text.encode()).decode().rstrip("=") for text in (secret, f":{secret}", f"me:{secret}")}
    return {secret, quote(secret), quote(secret, safe=""), json.dumps(secret)[1:-1], repr(secret)[1:-1], *encoded}


def leaks(text: str) -> list[str]:
    """Return the secrets that a text shows."""
    return [secret for secret in VALUES if any(form in text for form in forms(secret))]


def files_with_secrets(folder: Path) -> list[str]:
    """Return the files below a folder, but those that a test has planted, that hold one."""
    kept = [path for path in folder.rglob("*") if path.is_file() and not {"plugins", "first"} & set(path.parts)]
    return [path.name for path in kept if leaks(path.read_bytes().decode("latin-1"))]


def planted(folder: Path, **settings: str) -> dict[str, str]:
    ports = {"BAKU_WEB_PORT": str(free_port()), "TELEGRAM_WEBHOOK_PORT": str(free_port())}
    return installation(folder, **{**SECRETS, **ports, "BAKU_LOG_LEVEL": "debug", **settings})


def settings_of_all(folder: Path, endpoint: OpenAIEmulator) -> dict[str, str]:
    """Return settings that work, in which every planted secret stands."""
    return planted(folder, OPENAI_BASE_URL=with_password(endpoint.base_url), BAKU_PLUGIN_OTHER_PASSWORD=DATABASE_PASSWORD)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        return int(nobody.getsockname()[1])


def with_password(address: str) -> str:
    return address.replace("://", f"://me:{quote(ADDRESS_PASSWORD, safe='')}@")


def database_out_of_reach() -> str:
    return f"postgresql://me:{quote(DATABASE_PASSWORD, safe='')}@127.0.0.1:{free_port()}/baku"


async def baku(folder: Path, environment: Mapping[str, str], *arguments: str, typed: str = "") -> Ran:
    """Run a command to its end."""
    process = await _started(folder, environment, *arguments)
    async with asyncio.timeout(PATIENCE):
        said, _ = await process.communicate(typed.encode())
    assert process.returncode is not None
    return Ran(process.returncode, said.decode())


async def _started(folder: Path, environment: Mapping[str, str], *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=folder,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


def plant(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text.format(secrets=VALUES))


def test_every_secret_setting_is_planted() -> None:
    secret = {name for name, field in SETTINGS.items() if field.annotation == (SecretStr | None)}

    assert secret <= set(SECRETS)


def test_a_planted_secret_would_be_found() -> None:
    assert leaks("key=sk-planted-OPENAI-key") == ["sk-planted-OPENAI-key"]
    assert leaks(f"Authorization: Basic {base64.b64encode(f'me:{ADDRESS_PASSWORD}'.encode()).decode()}") == [ADDRESS_PASSWORD]
    assert leaks(with_password("http://host")) == [ADDRESS_PASSWORD]


async def test_a_chat_with_an_endpoint_that_echoes_the_key_shows_none(tmp_path: Path) -> None:
    echo = refusal(401, f"Incorrect API key provided: {' '.join(VALUES)}")
    async with OpenAIEmulator(echo, echo, echo) as endpoint:
        ran = await baku(
            tmp_path, planted(tmp_path, OPENAI_BASE_URL=with_password(endpoint.base_url)), "chat", typed="hello\n/memory list\nbye\n"
        )

    assert "model_refused" in ran.said
    assert leaks(ran.said) == []
    assert files_with_secrets(tmp_path) == []


async def test_a_plugin_that_logs_and_raises_all_it_knows_shows_none(tmp_path: Path) -> None:
    plant(tmp_path / "plugins" / "planted.py", TALKING_PLUGIN)
    async with OpenAIEmulator() as endpoint:
        ran = await baku(tmp_path, settings_of_all(tmp_path, endpoint), "chat", typed="hello\n")

    assert ran.said.count("planted") >= 2
    assert "Traceback" in ran.said
    assert "***" in ran.said
    assert leaks(ran.said) == []


@pytest.mark.parametrize("arguments", [["run"], ["doctor"], ["memory", "list"]], ids=" ".join)
async def test_a_crash_that_nobody_catches_shows_none(tmp_path: Path, arguments: list[str]) -> None:
    plant(tmp_path / "first" / "sitecustomize.py", CRASH)
    settings = planted(tmp_path, BAKU_DB=database_out_of_reach(), OPENAI_BASE_URL=with_password("http://127.0.0.1:1/v1"))
    settings["PYTHONPATH"] = f"{tmp_path / 'first'}:{settings['PYTHONPATH']}"
    ran = await baku(tmp_path, settings, *arguments)

    assert ran.code != 0
    assert ran.said.count("RuntimeError: ('planted crash'") == 2
    assert leaks(ran.said) == []


@pytest.mark.parametrize("arguments", [["run"], ["chat"], ["doctor"], ["migrate"]], ids=" ".join)
async def test_a_database_out_of_reach_shows_no_password(tmp_path: Path, arguments: list[str]) -> None:
    ran = await baku(tmp_path, planted(tmp_path, BAKU_DB=database_out_of_reach()), *arguments, typed="hello\n")

    assert ran.code != 0
    assert "127.0.0.1" in ran.said
    assert leaks(ran.said) == []


async def test_doctor_on_an_endpoint_that_echoes_the_key_shows_none(tmp_path: Path) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        body = json.dumps({"error": {"message": f"You sent {asked.decode()} {VALUES}"}}).encode()
        writer.write(b"HTTP/1.1 401 No\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(echo, "127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        ran = await baku(tmp_path, planted(tmp_path, OPENAI_BASE_URL=with_password(address)), "doctor")

    assert "OPENAI_API_KEY" in ran.said
    assert leaks(ran.said) == []


async def test_platforms_that_refuse_their_tokens_show_none(tmp_path: Path) -> None:
    async with DiscordEmulator() as discord, TelegramEmulator() as telegram:
        ran = await baku(
            tmp_path,
            planted(
                tmp_path, DISCORD_API_BASE=discord.api_base, DISCORD_GATEWAY_URL=discord.gateway_url, TELEGRAM_API_BASE=telegram.api_base
            ),
            "run",
        )

    assert ran.code != 0
    assert ran.said.count("login_refused") == 2
    assert leaks(ran.said) == []


async def test_platforms_and_a_webhook_out_of_reach_show_none(tmp_path: Path) -> None:
    gone = f"http://127.0.0.1:{free_port()}"
    settings = planted(
        tmp_path,
        DISCORD_API_BASE=f"{gone}/api/v10",
        DISCORD_GATEWAY_URL=gone.replace("http", "ws"),
        TELEGRAM_API_BASE=gone,
        TELEGRAM_WEBHOOK_URL=f"{gone}/telegram",
    )
    said = await _while_running(tmp_path, settings, until=("telegram_out_of_reach", "discord_connection_lost"))

    assert leaks(said) == []


async def test_a_day_at_work_shows_none_on_any_page_or_in_any_file(tmp_path: Path) -> None:
    port = free_port()
    pages: list[str] = []
    async with DiscordEmulator() as discord, OpenAIEmulator() as endpoint:
        ada = discord.person("Ada", discord.guild())
        chat = discord.dm(ada)
        settings = planted(
            tmp_path,
            DISCORD_TOKEN=discord.token,
            DISCORD_API_BASE=discord.api_base,
            DISCORD_GATEWAY_URL=discord.gateway_url,
            OPENAI_BASE_URL=with_password(endpoint.base_url),
            BAKU_WEB_PORT=str(port),
        )
        settings.pop("TELEGRAM_TOKEN")

        async def work() -> None:
            await discord.commands_registered()
            discord.member_says(chat, ada, "Please remember that I like tea")
            await discord.bot_says(chat)
            pages.extend(await _all_pages(port))

        said = await _while_running(tmp_path, settings, until=("started",), then=work)
        shown = json.dumps([message.content for message in discord.said_by_bot(chat)])
        told = "".join(request.text for request in endpoint.requests)

    assert "turn" in said or "message_recorded" in said
    assert len(pages) > 4
    assert leaks("\n".join([said, shown, told, *pages])) == []
    assert discord.token not in "\n".join([said, shown, told, *pages])
    assert files_with_secrets(tmp_path) == []


async def _all_pages(port: int) -> list[str]:
    """Return what the web serves to those with and without its token, their headers too."""
    address, token = f"http://127.0.0.1:{port}", SECRETS["BAKU_WEB_TOKEN"]
    paths = ["/", "/healthz", "/openapi.json", "/docs", "/metrics", "/api/persona/active/memory", f"/{quote('no page')}", "/api/settings"]
    found = []
    async with aiohttp.ClientSession() as session:
        for path in paths:
            for headers in ({}, {"Authorization": f"Bearer {token}"}, {"Authorization": "Bearer wrong"}):
                async with session.get(f"{address}{path}", headers=headers) as page:
                    found.append(f"{page.headers} {await page.text()}")
    return found


async def _while_running(
    folder: Path, environment: Mapping[str, str], *, until: tuple[str, ...], then: Callable[[], Awaitable[None]] | None = None
) -> str:
    """Run `baku run` until its log has said all of `until`, do something, stop it and return all that it said."""
    process = await _started(folder, environment, "run")
    assert process.stdout is not None
    said: list[str] = []
    missing = set(until)
    try:
        async with asyncio.timeout(PATIENCE):
            while missing:
                line = (await process.stdout.readline()).decode()
                assert line, "".join(said)
                said.append(line)
                missing -= {word for word in missing if word in line}
            if then is not None:
                await then()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            rest, _ = await process.communicate()
    return "".join(said) + rest.decode()
