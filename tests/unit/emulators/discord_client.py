"""A plain client of the real library, to try the emulator with."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.emulators.discord.server import DiscordEmulator


class Listener(discord.Client):
    """Collects what it hears."""

    def __init__(self, intents: discord.Intents | None = None) -> None:
        super().__init__(intents=intents or discord.Intents(guilds=True, messages=True, message_content=True), guild_ready_timeout=0.05)
        self.heard: asyncio.Queue[discord.Message] = asyncio.Queue()
        self.edited: asyncio.Queue[discord.RawMessageUpdateEvent] = asyncio.Queue()
        self.asked: asyncio.Queue[discord.Interaction[discord.Client]] = asyncio.Queue()
        self.tree = app_commands.CommandTree(self)
        self.resumed = asyncio.Event()

    async def on_message(self, message: discord.Message) -> None:
        if self.user is None or message.author.id != self.user.id:
            await self.heard.put(message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        await self.edited.put(event)

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        await self.asked.put(interaction)

    async def on_resumed(self) -> None:
        self.resumed.set()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once."""

    async def next_message(self) -> discord.Message:
        async with asyncio.timeout(5):
            return await self.heard.get()

    async def next_interaction(self) -> discord.Interaction[discord.Client]:
        async with asyncio.timeout(5):
            return await self.asked.get()


def aim(emulator: DiscordEmulator) -> None:
    """Let the library talk to the emulator."""
    Route.BASE = emulator.api_base
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(emulator.gateway_url)


@asynccontextmanager
async def listening(emulator: DiscordEmulator, client: Listener | None = None) -> AsyncIterator[Listener]:
    """Yield a client that is connected and ready."""
    aim(emulator)
    client = client or Listener()
    async with client:
        await client.login(emulator.token)
        running = asyncio.create_task(client.connect())
        async with asyncio.timeout(5):
            await client.wait_until_ready()
        yield client
    await asyncio.wait([running], timeout=5)
