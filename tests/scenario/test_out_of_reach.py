"""Answers to one platform while another takes nothing, with more conversations waiting for that than a worker has places."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.app.app import App
from bot.app.world import Cluster, SystemClock
from bot.domain.chat import ConversationKey
from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.telegram.adapter import TelegramPlatform
from bot.ports.platform import Platform
from bot.queueing.inprocess import InProcessQueue
from bot.queueing.procrastinate.engine import Engine
from bot.queueing.procrastinate.queue import DREAMS, NIGHT, TURNS, ProcrastinateDreams, ProcrastinateQueue, ProcrastinateScopes
from bot.testing.bot import a_world, running
from bot.testing.factories import incoming
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.errors import flood
from tests.emulators.telegram.faults import OutagePage
from tests.scenario import discord_stage, telegram_stage
from tests.scenario.test_roles import QUICK

PLACES = 2
CHATS = 5
NO_DISCORD = "http://127.0.0.1:9/api"


@asynccontextmanager
async def bot(database: str, *platforms: Platform) -> AsyncIterator[App]:
    """Run a bot that has a place for two conversations at once."""
    world = replace(
        a_world(ScriptedModel(*["Hello!"] * 20), platforms, database=database), queue=InProcessQueue(SystemClock(), parallel=PLACES)
    )
    if database.startswith("postgresql"):
        engine = Engine(database, pacing=QUICK)
        cluster = Cluster(engine, ProcrastinateScopes(engine, NIGHT), ProcrastinateDreams(engine, DREAMS), lambda here: here)
        world = replace(world, queue=ProcrastinateQueue(engine, TURNS, parallel=PLACES), cluster=cluster)
    async with asyncio.timeout(15), running(world) as app:
        yield app


def discord_at(emulator: DiscordEmulator) -> DiscordPlatform:
    return DiscordPlatform(emulator.token, api_base=emulator.api_base, gateway_url=emulator.gateway_url, tuning=discord_stage.IMPATIENT)


def telegram_at(emulator: TelegramEmulator) -> TelegramPlatform:
    return TelegramPlatform(emulator.token, api_base=emulator.api_base, tuning=telegram_stage.IMPATIENT)


def texts(telegram: TelegramEmulator) -> Sequence[str]:
    return [message.text for message in telegram.sent]


async def test_discord_is_answered_while_telegram_asks_to_wait_for_long(store_url: str) -> None:
    async with DiscordEmulator() as discord, TelegramEmulator() as telegram:
        ada = discord.person("Ada", discord.guild())
        chat, people = discord.dm(ada), [telegram.scene.person(f"Bo {number}") for number in range(CHATS)]
        fault = telegram.fail("sendMessage", flood(300), times=1000)
        async with bot(store_url, discord_at(discord), telegram_at(telegram)):
            await discord.connected()
            for person in people:
                telegram.people.says(telegram.scene.private(person), person, "hi")
            await telegram.until(lambda: fault.times <= 1000 - PLACES)
            discord.member_says(chat, ada, "hi")

            assert (await discord.bot_says(chat)).content == "Hello!"
            assert texts(telegram) == []


async def test_what_waited_for_a_platform_is_said_once_and_in_order_when_that_is_back(store_url: str) -> None:
    async with TelegramEmulator() as telegram:
        people = [telegram.scene.person(f"Bo {number}") for number in range(CHATS)]
        chats = [telegram.scene.private(person) for person in people]
        fault = telegram.fail("sendMessage", OutagePage(502), times=1000)
        async with bot(store_url, telegram_at(telegram)) as app:
            for person, chat in zip(people, chats, strict=True):
                telegram.people.says(chat, person, "hi")
            await telegram.until(lambda: fault.times <= 1000 - PLACES)
            said = [telegram.people.says(chat, person, "and how are you?") for person, chat in zip(people, chats, strict=True)]
            await telegram.all_acknowledged()
            fault.times = 0
            await app.queue.idle()

    for chat, last in zip(chats, said, strict=True):
        answered = [message.reply_to.message_id for message in telegram.sent_to(chat) if message.reply_to is not None]
        assert answered == sorted(set(answered))
        assert answered[-1] == last.message_id


async def test_telegram_is_answered_while_discord_cannot_be_reached(postgres_url: str) -> None:
    tuning = replace(discord_stage.IMPATIENT, connect_seconds=0.05)
    nowhere = DiscordPlatform("token", api_base=NO_DISCORD, gateway_url="ws://127.0.0.1:9", tuning=tuning)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        chat = telegram.scene.private(ada)
        async with bot(postgres_url, nowhere, telegram_at(telegram)) as app:
            for number in range(CHATS):
                place = ConversationKey("discord", "10", str(number))
                await app.inbox.receive(incoming("hi", conversation=place, message_id=str(number)))
            telegram.people.says(chat, ada, "hi")

            assert (await telegram.next_reply(chat)).text == "Hello!"
