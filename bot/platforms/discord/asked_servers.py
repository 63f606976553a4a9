"""What a process that only sends asks Discord of servers and channels: nobody tells it. Answers are kept for a moment."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
import structlog

from bot.domain.chat import ConversationKey
from bot.platforms.discord.convert import channel_id_of
from bot.platforms.discord.trouble import PASSING

KEPT_SECONDS = 60.0
"""After a change of rights, what was public counts as public for that long at most."""
MOST_KEPT = 5_000
_ROOMS = frozenset(kind.value for kind in (discord.ChannelType.text, discord.ChannelType.voice, discord.ChannelType.news)) | frozenset(
    kind.value for kind in (discord.ChannelType.stage_voice, discord.ChannelType.forum)
)
_THREADS = frozenset(kind.value for kind in (discord.ChannelType.news_thread, discord.ChannelType.public_thread))

Payload = Mapping[str, Any]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class AskedEmoji:
    """An emoji of a server, as far as the bot may use it without any role."""

    id: int
    name: str
    animated: bool
    available: bool

    def __str__(self) -> str:
        """Return what Discord shows as the emoji."""
        return f"<{'a' if self.animated else ''}:{self.name}:{self.id}>"

    def is_usable(self) -> bool:
        """Say whether the bot may use it."""
        return self.available


class AskedServers:
    """Asks, one request a server or channel and minute. What cannot be asked is not public and has no emoji."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._kept: dict[tuple[str, int], tuple[float, Payload]] = {}

    async def is_public(self, conversation: ConversationKey) -> bool:
        """Say whether everybody in the server can read along there."""
        channel = await self._channel(channel_id_of(conversation))
        if channel.get("type") in _THREADS:
            channel = await self._channel(int(conversation.channel_id))
        if channel.get("type") not in _ROOMS or str(channel.get("guild_id")) != conversation.space_id:
            return False
        server = await self._server(conversation.space_id)
        everybody = next((role for role in server.get("roles", ()) if role["id"] == conversation.space_id), None)
        if everybody is None:
            return False
        rights = discord.Permissions(int(everybody["permissions"]))
        if rights.administrator:
            return True
        here = channel.get("permission_overwrites", ())
        changed = next((each for each in here if each["id"] == conversation.space_id), {"allow": 0, "deny": 0})
        rights.handle_overwrite(int(changed["allow"]), int(changed["deny"]))
        return rights.view_channel

    async def emoji(self, space_id: str) -> Sequence[AskedEmoji]:
        """Return the emoji of a server that are nobody's in particular."""
        found = (await self._server(space_id)).get("emojis", ())
        free = [each for each in found if not each.get("roles")]
        return [AskedEmoji(int(each["id"]), each["name"], bool(each.get("animated")), bool(each.get("available", True))) for each in free]

    async def _channel(self, channel_id: int) -> Payload:
        return await self._asked("channel", channel_id, lambda: self._client.http.get_channel(channel_id))

    async def _server(self, space_id: str) -> Payload:
        return await self._asked("server", int(space_id), lambda: self._client.http.get_guild(int(space_id), with_counts=False))

    async def _asked(self, kind: str, number: int, ask: Callable[[], Awaitable[Any]]) -> Payload:
        now = asyncio.get_running_loop().time()
        until, known = self._kept.get((kind, number), (0.0, {}))
        if until > now:
            return known
        try:
            found: Payload = await ask()
        except PASSING as problem:
            log.info("discord_not_told", kind=kind, problem=type(problem).__name__)
            found = {}
        if len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[kind, number] = (now + KEPT_SECONDS, found)
        return found
