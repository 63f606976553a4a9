"""Baku on Discord."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.domain.chat import DISCORD, ConversationKey, ConversationKind
from bot.domain.command import AnswerFile
from bot.domain.message import Attachment, Part, ReplyTarget
from bot.domain.text import one_line, utf16_length
from bot.errors import DeliveryDelayed, DeliveryRefused, FileUnavailable
from bot.platforms.alongside import alongside
from bot.platforms.discord.connection import Connection, Lasting
from bot.platforms.discord.convert import channel_id_of, is_public
from bot.platforms.discord.drafts import Drafts
from bot.platforms.discord.emoji import may_name_emoji, with_server_emoji
from bot.platforms.discord.files import fetch, trusted_hosts
from bot.platforms.discord.rights import NEEDED, Speakable, invite_link, missing_rights
from bot.platforms.discord.sending import delete, react, rename, rewrite, send, send_file, type_on, upload_of
from bot.platforms.discord.shards import Shards
from bot.platforms.discord.split import LIMIT, split
from bot.platforms.discord.trouble import NO_CONTENT_INTENT, PASSING, lacks_a_right, lacks_content_intent, login_problem
from bot.platforms.discord.tuning import Tuning
from bot.platforms.growing import GrowingMessage, NoDraft
from bot.platforms.latex import with_readable_formulas
from bot.platforms.operator import tell_terminal
from bot.ports.platform import Draft, GetPicture, Inbox, NotePosted
from bot.ports.throttle import Throttle

LONGEST_PROBLEM = 200

log = structlog.get_logger(__name__)


class DiscordPlatform:
    """The Platform that speaks Discord. One process has one."""

    def __init__(
        self,
        token: str,
        *,
        api_base: str | None = None,
        gateway_url: str | None = None,
        tuning: Tuning | None = None,
        shards: Shards | None = None,
        throttle: Throttle | None = None,
        tell_operator: Callable[[str], None] = tell_terminal,
    ) -> None:
        """Take the bot's token, and other addresses of Discord where there are any. `tell_operator` gets what a person should read.

        Without `shards` this process holds all that Discord recommends.
        """
        self._token = token
        self._api_base = api_base
        self._gateway_url = gateway_url
        self._lasting = Lasting(tuning or Tuning(), shards, throttle)
        self._tuning = self._lasting.tuning
        self._connection: Connection | None = None
        self._usable = asyncio.Event()
        self._drafts = Drafts()
        self._tell_operator = tell_operator
        self._is_introduced = False
        self._reads_messages = True

    @property
    def name(self) -> str:
        """Return the platform of its conversations."""
        return DISCORD

    @property
    def is_connected(self) -> bool:
        """Say whether the bot is logged in."""
        return self._usable.is_set()

    async def run(self, inbox: Inbox) -> None:
        """Stay connected until cancelled. Raises LoginRefused when the token is wrong or a right is missing."""
        await self._stay(inbox, Connection.start)

    async def run_sending(self, inbox: Inbox) -> None:
        """Be able to send until cancelled, without a connection for events. Raises LoginRefused when the token is wrong."""
        await self._stay(inbox, Connection.start_sending)

    async def _stay(self, inbox: Inbox, start: Callable[[Connection, str], Coroutine[None, None, None]]) -> None:
        self._aim()
        loop = asyncio.get_running_loop()
        waits = self._tuning.waits()
        while True:
            began = loop.time()
            problem = await self._connect_once(inbox, start)
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
        if connection.asked is not None:
            return await connection.asked.is_public(conversation)
        channel = connection.get_channel(channel_id_of(conversation))
        return str(getattr(getattr(channel, "guild", None), "id", "")) == conversation.space_id and is_public(channel)

    async def missing_rights(self, conversation: ConversationKey) -> Sequence[str]:
        """Return what the bot may not do there just now, in Discord's own words; what it can do without comes last, so marked."""
        connection = self._connection
        guild = connection.get_guild(int(conversation.space_id)) if connection is not None and self._usable.is_set() else None
        if guild is None or guild.unavailable:
            return ()
        channel = guild.get_channel_or_thread(channel_id_of(conversation)) or guild.get_channel(int(conversation.channel_id))
        return missing_rights(channel, guild.me) if isinstance(channel, Speakable) else (NEEDED["view_channel"],)

    async def fetch(self, attachment: Attachment, *, limit: int) -> bytes:
        """Return the bytes of a file from Discord's own hosts, at most `limit`. Raises FileUnavailable."""
        if self._connection is None or not self._usable.is_set():
            raise FileUnavailable("Discord is out of reach just now.")
        return await fetch(self._connection, attachment, limit=limit, hosts=trusted_hosts(self._api_base))

    def parts(self, text: str) -> Sequence[Part]:
        """Return Markdown as messages of at most 2,000 UTF-16 units."""
        return [Part(part) for part in split(with_readable_formulas(text))]

    async def shows_byline(self, target: ReplyTarget, picture: GetPicture) -> bool:
        """Say whether people see the target's byline there, with a picture: a webhook is made for it where the bot may."""
        try:
            return await (await self._reached()).webhooks.ready(target, picture)
        except DeliveryDelayed:
            return False

    async def send(self, target: ReplyTarget, part: Part, *, nonce: str, draft_id: str = "") -> str:
        """Send one part and return its id; waits a moment for the bot to be logged in. Raises DeliveryDelayed or DeliveryRefused."""
        connection = await self._reached()
        part = await self._with_emoji(connection, target, part)
        async with self._naming_missing_rights(target):
            if draft_id and await self._rewritten(connection, target, part, draft_id):
                return draft_id
            if draft_id:
                await self._take_away(connection, target, draft_id)  # it may be there, under another byline
            is_promised = connection.webhooks.promised(target)
            if sent := await connection.webhooks.say(target, part.text, nonce=nonce):
                return sent
            part = _under_name(target, part) if is_promised else part
            return await send(connection, target, part, nonce=nonce, tuning=self._tuning)

    async def send_file(self, target: ReplyTarget, file: AnswerFile, text: str, *, nonce: str = "") -> str:
        """Send a file below some Markdown and return the message's id. Raises DeliveryDelayed or DeliveryRefused."""
        connection, part = await self._reached(), next(iter(self.parts(text)), Part(""))
        nonce = nonce or f"file-{target.reply_to}"
        async with self._naming_missing_rights(target):
            if sent := await connection.webhooks.say(target, part.text, nonce=nonce, file=partial(upload_of, file)):
                return sent
            return await send_file(connection, target, file, part, nonce=nonce, tuning=self._tuning)

    async def rename(self, conversation: ConversationKey, name: str) -> None:
        """Call the bot so in a server; an empty name gives its own back. Raises DeliveryDelayed or DeliveryRefused."""
        await rename(await self._reached(), conversation, name, self._tuning)

    async def react(self, target: ReplyTarget, emoji: str) -> None:
        """Put a reaction to the message that is replied to."""
        await react(await self._connected(), target, emoji, self._tuning)

    @asynccontextmanager
    async def composing(self, target: ReplyTarget, *, draft_id: str = "", posted: NotePosted | None = None) -> AsyncIterator[Draft]:
        """Show that the bot is typing, as long as the context is open, and what it has written so far in a message."""
        async with alongside(self._type(target)):
            if posted is None:
                yield NoDraft(draft_id)
                return
            post, edit = partial(self._post, target), partial(self._edit, target)
            draft = GrowingMessage(self.parts, post, edit, posted, self._tuning.draft, draft_id)
            async with draft.growing():
                yield draft

    async def withdraw(self, target: ReplyTarget, draft_id: str) -> None:
        """Delete the message that showed a draft."""
        self._drafts.withdrawn(draft_id)
        await self._take_away(await self._connected(), target, draft_id)

    async def _post(self, target: ReplyTarget, part: Part) -> str:
        message_id = await self.send(target, part, nonce=self._drafts.nonce(target.reply_to))
        self._drafts.posted(message_id, target.reply_to)
        return message_id

    async def _edit(self, target: ReplyTarget, message_id: str, part: Part) -> None:
        connection = await self._reached()
        part = await self._with_emoji(connection, target, part)
        if not await self._rewritten(connection, target, part, message_id):
            raise DeliveryRefused("The message that showed the answer is gone.")

    async def _rewritten(self, connection: Connection, target: ReplyTarget, part: Part, message_id: str) -> bool:
        """Put a part in a message under the target's byline, or of the bot's own; False when it is gone or another's."""
        done = await connection.webhooks.rewrite(target, part, message_id)
        return await rewrite(connection, target, part, message_id=message_id, tuning=self._tuning) if done is None else done

    async def _take_away(self, connection: Connection, target: ReplyTarget, message_id: str) -> None:
        """Delete a message of the bot's own, whatever its byline."""
        if not await delete(connection, target, message_id, self._tuning):
            await connection.webhooks.take_away(target, message_id)

    async def _with_emoji(self, connection: Connection, target: ReplyTarget, part: Part) -> Part:
        if not may_name_emoji(part.text):
            return part
        space_id, guild = target.conversation.space_id, connection.get_guild(int(target.conversation.space_id))
        if connection.asked is not None and target.kind is ConversationKind.GROUP:
            return replace(part, text=with_server_emoji(part.text, await connection.asked.emoji(space_id)))
        return replace(part, text=with_server_emoji(part.text, () if guild is None else guild.emojis))

    async def _type(self, target: ReplyTarget) -> None:
        await type_on(await self._connected(), target, self._tuning)

    async def _reached(self) -> Connection:
        """Return the connection, or one that comes about in a moment. Raises DeliveryDelayed."""
        try:
            async with asyncio.timeout(self._tuning.connect_seconds):
                return await self._connected()
        except TimeoutError:
            raise DeliveryDelayed("Discord is out of reach.", retry_after=self._tuning.outage_seconds, everywhere=True) from None

    async def _connected(self) -> Connection:
        while self._connection is None or not self._usable.is_set():
            await self._usable.wait()
        return self._connection

    async def _connect_once(self, inbox: Inbox, start: Callable[[Connection, str], Coroutine[None, None, None]]) -> str:
        """Serve one connection to its end and return why it ended."""
        connection = self._connection = Connection(inbox, self._lasting, self._logged_in, reads_messages=self._reads_messages)
        # Not awaited directly: while it connects, discord.py can swallow a cancellation.
        serving = asyncio.create_task(start(connection, self._token))
        try:
            await asyncio.wait([serving])
            serving.result()
        except PASSING as problem:
            if self._reads_messages and lacks_content_intent(problem):
                self._reads_messages = False
                log.error("discord_mentions_only", problem=NO_CONTENT_INTENT)
                self._tell_operator(NO_CONTENT_INTENT)
                await asyncio.sleep(self._tuning.identify_wait)
                return "asks for less"
            if refused := login_problem(problem):
                raise refused from problem
            return f"{type(problem).__name__}: {one_line(str(problem), LONGEST_PROBLEM)}"
        finally:
            self._connection = None
            self._usable.clear()
            await self._close(connection, serving)
        return "closed"

    def _logged_in(self, client: discord.Client) -> None:
        """Let messages be sent, and tell the operator once how to invite the bot."""
        self._usable.set()
        if self._is_introduced or client.application_id is None:
            return
        self._is_introduced = True
        link = invite_link(client.application_id)
        log.info("discord_logged_in", bot=str(client.user), invite_link=link)
        self._tell_operator(f"{client.user} is on Discord. To invite it into a server, open\n{link}")

    @asynccontextmanager
    async def _naming_missing_rights(self, target: ReplyTarget) -> AsyncIterator[None]:
        """Name in the log what right is missing where Discord refuses something for want of one."""
        try:
            yield
        except DeliveryRefused as problem:
            if lacks_a_right(problem.__cause__):
                missing = list(await self.missing_rights(target.conversation))
                log.warning("discord_right_missing", channel=channel_id_of(target.conversation), missing=missing)
            raise

    async def _close(self, connection: Connection, serving: asyncio.Task[None]) -> None:
        """End a connection, politely if that takes no time."""
        try:
            async with asyncio.timeout(self._tuning.close_seconds):
                await connection.close()
        except PASSING as problem:
            log.info("discord_not_closed_cleanly", problem=type(problem).__name__)
        serving.cancel()
        await asyncio.wait([serving], timeout=self._tuning.close_seconds)
        await connection.end_events()

    def _aim(self) -> None:
        """Turn discord.py to another address if one is set, and keep its log free of what people write."""
        logging.getLogger("discord").setLevel(logging.WARNING)
        if self._api_base is not None:
            Route.BASE = self._api_base
        if self._gateway_url is not None:
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self._gateway_url)


def _under_name(target: ReplyTarget, part: Part) -> Part:
    """Return a part under the name of who speaks, where people were to see that and cannot; one that has no room stays as it is."""
    named = f"**{target.byline.name}**\n{part.text}" if target.byline is not None else part.text
    return replace(part, text=named) if utf16_length(named) <= LIMIT else part
