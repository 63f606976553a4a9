"""One connection to Discord: discord.py's client, with what Baku does on its events."""

import asyncio
import sys
from collections import defaultdict
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

import discord
import structlog

from bot.domain.chat import DISCORD
from bot.errors import BotError
from bot.platforms.discord.account import account_of
from bot.platforms.discord.asked_servers import AskedServers
from bot.platforms.discord.calls import Asked, pressed_in
from bot.platforms.discord.catch_up import DIRECT_SHARD, Readable, catch_up, last_heard
from bot.platforms.discord.convert import channel_id_of
from bot.platforms.discord.desk import Desk, Tree
from bot.platforms.discord.forms import filled_in
from bot.platforms.discord.identifying import Identifying
from bot.platforms.discord.known import Known
from bot.platforms.discord.mention import CommandMentions
from bot.platforms.discord.places import Places
from bot.platforms.discord.reception import Reception
from bot.platforms.discord.shards import Shards
from bot.platforms.discord.slash import add_commands
from bot.platforms.discord.sync import known_commands, offer_commands
from bot.platforms.discord.throttling import throttled
from bot.platforms.discord.translator import Translator
from bot.platforms.discord.trouble import PASSING, trace_of
from bot.platforms.discord.tuning import Tuning
from bot.platforms.discord.webhooks import Promises, Webhooks
from bot.ports.platform import Inbox
from bot.ports.throttle import Throttle, Unthrottled

LONGEST_RATE_LIMIT = 30.0
SERVER_LOOKS = 100

log = structlog.get_logger(__name__)


class _Keeping(TypedDict):
    member_cache_flags: discord.MemberCacheFlags
    chunk_guilds_at_startup: bool
    max_messages: None


_NOTHING_KEPT = _Keeping(member_cache_flags=discord.MemberCacheFlags.none(), chunk_guilds_at_startup=False, max_messages=None)


class _ShardIds(TypedDict, total=False):
    """How discord.py wants to be told of shards; without anything it holds all."""

    shard_ids: list[int]
    shard_count: int


def _of(shards: Shards | None) -> _ShardIds:
    return {"shard_ids": list(shards.ids), "shard_count": shards.count} if shards else {}


def needed_intents(*, reads_messages: bool = True) -> discord.Intents:
    """Return what the bot asks Discord to tell it: servers with their emoji, messages and their content; nothing about who is online."""
    return discord.Intents(guilds=True, expressions=True, guild_messages=True, dm_messages=True, message_content=reads_messages)


@dataclass(frozen=True, slots=True)
class Lasting:
    """What lasts from one connection to the next."""

    tuning: Tuning
    shards: Shards | None = None
    """Those that this process holds; without any, all that Discord recommends."""
    throttle: Throttle | None = None
    known: Known = field(default_factory=Known)
    promises: Promises = field(default_factory=dict)


class Connection(discord.AutoShardedClient):
    """Lives from a login to its end; a new one is made after that."""

    def __init__(self, inbox: Inbox, lasting: Lasting, logged_in: Callable[[discord.Client], None], *, reads_messages: bool = True) -> None:
        """Take what it needs; `logged_in` is called as soon as it can send.

        Without `reads_messages` Discord is not asked for what it refuses to tell.
        """
        super().__init__(
            intents=needed_intents(reads_messages=reads_messages),
            allowed_mentions=discord.AllowedMentions.none(),
            **_NOTHING_KEPT,
            max_ratelimit_timeout=LONGEST_RATE_LIMIT,
            http_trace=throttled(lasting.throttle or Unthrottled()),
            **_of(lasting.shards),
        )
        self.asked: AskedServers | None = None
        """Set where Discord tells nothing by itself."""
        self._inbox, self._lasting, self._tuning = inbox, lasting, lasting.tuning
        self._identifying = self._pace(lasting.throttle) if lasting.throttle and self._tuning.identify_wait else None
        self._logged_in, self._reads_messages = logged_in, reads_messages
        self._mentions = CommandMentions(inbox.commands)
        self._desk = Desk(inbox, self._tuning, self._mentions)
        self.webhooks = Webhooks(self, self._tuning, lasting.promises)
        self._tree = Tree(self)
        self._behind: frozenset[int] | None = None  # where something was heard before; None until that has been looked up
        self._noted: set[int] = set()  # servers that are known to have the bot in them
        self._caught_up: defaultdict[int, asyncio.Event] = defaultdict(asyncio.Event)
        self._reception: Reception | None = None
        self._events: set[asyncio.Task[None]] = set()
        add_commands(self._tree, inbox.commands, self._desk)

    async def start_sending(self, token: str) -> None:
        """Log in, and stay so without being told of anything. Commands are not offered: who is told of them does that."""
        self.asked = AskedServers(self)
        await self.login(token)
        await asyncio.Event().wait()

    async def setup_hook(self) -> None:
        """Begin to receive: the bot is logged in and knows who it is."""
        await self._tree.set_translator(Translator())
        places = Places(self, self._tuning)
        self._reception = Reception(
            self._inbox, places, account_of(self), self._tuning, known=self._lasting.known, reads_messages=self._reads_messages
        )
        self._logged_in(self)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Keep Discord's pace of new connections: here as discord.py does by itself, and together with other processes."""
        if not initial:
            log.info("discord_identifies_again", shard=shard_id, wait=self._tuning.identify_wait)
            await asyncio.sleep(self._tuning.identify_wait)
        if self._identifying is not None:
            await self._identifying.wait(shard_id or 0)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Hold back what is said until what was missed is stored, then offer the commands."""
        self._caught_up[shard_id].clear()
        try:
            await self._note_servers(shard_id)
            await self._know_servers(shard_id)
            if self._reception is not None:
                heard = await last_heard(self._inbox)
                self._behind = frozenset(channel_id_of(message.conversation) for message in heard)
                await catch_up(self, shard_id, heard, self._reception, self._tuning)
        except BotError as problem:
            log.error("discord_not_caught_up", shard=shard_id, problem=type(problem).__name__)
        finally:
            self._caught_up[shard_id].set()
        log.info("discord_connected", shard=shard_id, servers=len(self.guilds))
        if shard_id == (self._lasting.shards.ids[0] if self._lasting.shards else DIRECT_SHARD):
            await self._offer_commands(shard_id)

    async def on_message(self, message: discord.Message) -> None:
        """Store what somebody said. In a direct chat that nobody knows there is nothing to catch up on, nor any way to do so later."""
        is_known = message.guild is not None or self._behind is None or message.channel.id in self._behind
        if is_known:
            await self._caught_up[_shard_of(message)].wait()
        if self._reception is not None:
            await self._reception.take(message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """Store what somebody changed."""
        await self._caught_up[_shard_of(event.message)].wait()
        if self._reception is not None:
            await self._reception.take_edit(event.message)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        """Let go of what was deleted."""
        await self._take_deletion(event.channel_id, event.guild_id, [event.message_id])

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        """Let go of what was deleted at once."""
        await self._take_deletion(event.channel_id, event.guild_id, sorted(event.message_ids))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that the bot is in a server, perhaps again."""
        await self._inbox.joined(DISCORD, str(guild.id))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Note the same of a server that was joined while the bot connected; those it was in before are noted."""
        if guild.id not in self._noted:
            await self._inbox.joined(DISCORD, str(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot is no longer in a server."""
        self._noted.discard(guild.id)
        await self._inbox.left(DISCORD, str(guild.id))

    async def on_interaction(self, asked: Asked) -> None:
        """Take a pressed button or a form; commands find their own way."""
        if (pressed := pressed_in(asked)) is not None:
            await self._desk.press(asked, pressed)
        elif (form := filled_in(asked)) is not None:
            await self._desk.submit(asked, form)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        """Log what failed in one event; the next one is not touched."""
        if self.is_closed():
            log.info("discord_event_cut_short", where=event_method)
            return
        log.error("discord_event_failed", where=event_method, trace=trace_of(sys.exc_info()[1]))

    async def end_events(self) -> None:
        """Let the events that are being taken in end, and cancel those that take long: what they use is closed next."""
        if running := self._events - {asyncio.current_task()}:
            _, late = await asyncio.wait(running, timeout=self._tuning.close_seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _schedule_event(
        self, coro: Callable[..., Coroutine[Any, Any, Any]], event_name: str, *args: Any, **kwargs: Any
    ) -> asyncio.Task[None]:
        """Start an event's task; discord.py itself keeps no track of them."""
        task: asyncio.Task[None] = super()._schedule_event(coro, event_name, *args, **kwargs)
        self._events.add(task)
        task.add_done_callback(self._events.discard)
        return task

    async def _take_deletion(self, channel_id: int, guild_id: int | None, message_ids: Sequence[int]) -> None:
        guild = self.get_guild(guild_id) if guild_id is not None else None
        await self._caught_up[guild.shard_id if guild is not None else DIRECT_SHARD].wait()
        if self._reception is not None:
            known = self.get_channel(channel_id)
            channel = known if isinstance(known, Readable) else self.get_partial_messageable(channel_id, guild_id=guild_id)
            await self._reception.take_deletion(channel, message_ids)

    async def _note_servers(self, shard_id: int) -> None:
        """Note that the bot is in all servers that Discord has named, whether it describes them at once or later."""
        named = {guild.id for guild in self.guilds if guild.shard_id == shard_id}
        await self._inbox.joined(DISCORD, *map(str, sorted(named)))
        self._noted |= named

    async def _know_servers(self, shard_id: int) -> None:
        """Wait until Discord has described the shard's servers; one that has an outage is not waited for.

        discord.py's own events for this get lost when a session is invalidated in the middle.
        """
        for _ in range(SERVER_LOOKS):
            if not any(guild.unavailable for guild in self.guilds if guild.shard_id == shard_id):
                return
            await asyncio.sleep(self._tuning.servers_wait / SERVER_LOOKS)

    def _pace(self, throttle: Throttle) -> Identifying:
        return Identifying(throttle, seconds=self._tuning.identify_wait, ask_buckets=self._ask_buckets)

    async def _ask_buckets(self) -> int:
        """Return how many shards may identify at once."""
        _, _, limits = await self.http.get_bot_gateway()
        return limits["max_concurrency"]

    async def _offer_commands(self, shard_id: int) -> None:
        """Tell Discord the commands, if it knows others. Of several processes, the one with the first shard does that."""
        offer = offer_commands if shard_id == DIRECT_SHARD else known_commands
        try:
            async with asyncio.timeout(self._tuning.request_seconds):
                self._mentions.learn(await offer(self._tree))
        except PASSING as problem:
            log.warning("discord_commands_not_offered", problem=str(problem))


def _shard_of(message: discord.Message) -> int:
    """Return the shard that a message came by; direct chats come by the first."""
    return message.guild.shard_id if message.guild is not None else DIRECT_SHARD
