"""Baku on Discord."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.domain.chat import DISCORD, ConversationKey
from bot.domain.message import Part, ReplyTarget
from bot.domain.text import one_line
from bot.platforms.alongside import alongside
from bot.platforms.discord.connection import Connection
from bot.platforms.discord.convert import channel_id_of, is_public
from bot.platforms.discord.sending import send, type_on
from bot.platforms.discord.split import split
from bot.platforms.discord.trouble import PASSING, login_problem
from bot.platforms.discord.tuning import Tuning
from bot.ports.platform import Inbox, ShowDraft

LONGEST_PROBLEM = 200

log = structlog.get_logger(__name__)


class DiscordPlatform:
    """The Platform that speaks Discord. One process has one."""

    def __init__(self, token: str, *, api_base: str | None = None, gateway_url: str | None = None, tuning: Tuning | None = None) -> None:
        self._token = token
        self._api_base = api_base
        self._gateway_url = gateway_url
        self._tuning = tuning or Tuning()
        self._connection: Connection | None = None
        self._usable = asyncio.Event()

    @property
    def name(self) -> str:
        """Return the platform of its conversations."""
        return DISCORD

    async def run(self, inbox: Inbox) -> None:
        """Stay connected until cancelled. Raises LoginRefused when the token is wrong or a right is missing."""
        self._aim()
        loop = asyncio.get_running_loop()
        waits = self._tuning.waits()
        while True:
            began = loop.time()
            problem = await self._connect_once(inbox)
            if loop.time() - began >= self._tuning.calm_seconds:
                waits = self._tuning.waits()
            wait = next(waits)
            log.warning("discord_connection_lost", problem=problem, retry_in=wait)
            await asyncio.sleep(wait)

    async def is_public(self, conversation: ConversationKey) -> bool:
        """Say whether everybody in the server can read along there just now; False while that is not known."""
        connection = self._connection
        if connection is None or not self._usable.is_set():
            return False
        channel = connection.get_channel(channel_id_of(conversation))
        return str(getattr(getattr(channel, "guild", None), "id", "")) == conversation.space_id and is_public(channel)

    def parts(self, text: str) -> Sequence[Part]:
        """Return Markdown as messages of at most 2,000 UTF-16 units."""
        return [Part(part) for part in split(text)]

    async def send(self, target: ReplyTarget, part: Part, *, nonce: str) -> str:
        """Send one part and return its id; waits until the bot is logged in. Raises DeliveryDelayed or DeliveryRefused."""
        connection = await self._connected()
        return await send(connection, target, part, nonce=nonce, tuning=self._tuning)

    @asynccontextmanager
    async def composing(self, target: ReplyTarget) -> AsyncIterator[ShowDraft]:
        """Show that the bot is typing, as long as the context is open."""
        async with alongside(self._type(target)):
            yield _show_no_draft

    async def _type(self, target: ReplyTarget) -> None:
        await type_on(await self._connected(), target, self._tuning)

    async def _connected(self) -> Connection:
        while self._connection is None or not self._usable.is_set():
            await self._usable.wait()
        return self._connection

    async def _connect_once(self, inbox: Inbox) -> str:
        """Serve one connection to its end and return why it ended."""
        connection = Connection(inbox, self._tuning, self._usable)
        self._connection = connection
        # Not awaited directly: while it connects, discord.py can swallow a cancellation.
        serving = asyncio.create_task(connection.start(self._token))
        try:
            await asyncio.wait([serving])
            serving.result()
        except PASSING as problem:
            if refused := login_problem(problem):
                raise refused from problem
            return f"{type(problem).__name__}: {one_line(str(problem), LONGEST_PROBLEM)}"
        finally:
            self._connection = None
            self._usable.clear()
            await self._close(connection, serving)
        return "closed"

    async def _close(self, connection: Connection, serving: asyncio.Task[None]) -> None:
        """End a connection, politely if that takes no time."""
        try:
            async with asyncio.timeout(self._tuning.close_seconds):
                await connection.close()
        except PASSING as problem:
            log.info("discord_not_closed_cleanly", problem=type(problem).__name__)
        serving.cancel()
        await asyncio.wait([serving], timeout=self._tuning.close_seconds)

    def _aim(self) -> None:
        """Turn discord.py to another address if one is set, and keep its log free of what people write."""
        logging.getLogger("discord").setLevel(logging.WARNING)
        if self._api_base is not None:
            Route.BASE = self._api_base
        if self._gateway_url is not None:
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self._gateway_url)


async def _show_no_draft(text: str) -> None:
    """Discord shows no drafts."""
