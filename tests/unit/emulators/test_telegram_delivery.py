"""Webhooks, and the emulator as a process of its own."""

import asyncio
import sys
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from telegram import Bot

from tests.emulators.telegram.clock import ManualClock
from tests.emulators.telegram.control import ControlClient
from tests.emulators.telegram.emulator import TelegramEmulator


class Receiver:
    """A web server that takes updates; its first answers can be failures."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.secrets: list[str] = []
        self.taken: asyncio.Queue[str] = asyncio.Queue()

    async def take(self, request: web.Request) -> web.Response:
        self.secrets.append(request.headers.get("X-Telegram-Bot-Api-Secret-Token", ""))
        if self.statuses:
            return web.Response(status=self.statuses.pop(0))
        body = await request.json()
        self.taken.put_nowait(body["message"]["text"])
        return web.Response()

    async def serve(self) -> tuple[web.AppRunner, str]:
        app = web.Application()
        app.router.add_post("/hook", self.take)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        return runner, f"http://127.0.0.1:{runner.addresses[0][1]}/hook"


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramEmulator]:
    async with TelegramEmulator() as emulator:
        yield emulator


@pytest.fixture
async def bot(telegram: TelegramEmulator) -> AsyncIterator[Bot]:
    async with Bot(telegram.token, base_url=f"{telegram.api_base}/bot") as started:
        yield started


async def test_a_webhook_gets_updates_in_order_with_the_secret(telegram: TelegramEmulator, bot: Bot) -> None:
    receiver = Receiver()
    runner, address = await receiver.serve()
    await bot.set_webhook(address, secret_token="s3cret")
    ada = telegram.scene.person("Ada")
    dm = telegram.scene.private(ada)

    telegram.people.says(dm, ada, "one")
    telegram.people.says(dm, ada, "two")

    assert [await receiver.taken.get() for _ in range(2)] == ["one", "two"]
    assert receiver.secrets == ["s3cret", "s3cret"]
    await runner.cleanup()


async def test_what_a_webhook_refuses_is_delivered_later(telegram: TelegramEmulator, bot: Bot) -> None:
    receiver = Receiver(500)
    runner, address = await receiver.serve()
    await bot.set_webhook(address)
    ada = telegram.scene.person("Ada")
    telegram.people.says(telegram.scene.private(ada), ada, "one")
    await telegram.until(lambda: bool(telegram.bot.webhook and telegram.bot.webhook.last_error))
    assert isinstance(telegram.clock, ManualClock)

    telegram.clock.advance(2)

    assert await receiver.taken.get() == "one"
    await runner.cleanup()


async def test_a_deleted_webhook_gives_the_updates_back_to_polling(telegram: TelegramEmulator, bot: Bot) -> None:
    await bot.set_webhook("http://127.0.0.1:9/hook")
    ada = telegram.scene.person("Ada")
    telegram.people.says(telegram.scene.private(ada), ada, "one")

    await bot.delete_webhook()

    assert len(await bot.get_updates()) == 1


async def test_the_emulator_runs_as_a_process_and_is_steered_over_http() -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.emulators.telegram", stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    api_base, token = (await process.stdout.readline()).decode().split()
    async with aiohttp.ClientSession() as session, Bot(token, base_url=f"{api_base}/bot") as bot:
        control = ControlClient(session, api_base)
        ada = await control.act("person", name="Ada")
        dm = await control.act("private", user=ada)
        await control.act("says", chat=dm, user=ada, text="hi")
        (update,) = await bot.get_updates()
        await bot.send_message(dm, "Hello Ada")

        assert update.effective_user is not None
        assert update.effective_user.first_name == "Ada"
        assert [sent["text"] for sent in await control.act("sent")] == ["Hello Ada"]
        with pytest.raises(ValueError, match="Acts:"):
            await control.act("dance")
    process.terminate()
    assert await process.wait() == 0
