"""Personas that share a channel speak under their own names and pictures: through a webhook each, which the bot makes and owns."""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import discord
import structlog

from bot.domain.chat import ConversationKind
from bot.domain.message import Byline, Part, ReplyTarget
from bot.errors import DeliveryDelayed, DeliveryRefused, PlatformError
from bot.platforms.discord.account import account_of
from bot.platforms.discord.convert import channel_id_of
from bot.platforms.discord.sending import INVALID_FORM, delivering
from bot.platforms.discord.trouble import OUT_OF_REACH
from bot.platforms.discord.tuning import Tuning
from bot.ports.platform import GetPicture

LONGEST_NAME = 80
RECENT = 20
"""Messages among which one is looked for whose sending was not confirmed."""
GONE, BAD_TOKEN = 10015, 50027
_NOT_IN_NAMES = ("discord", "clyde")
_NO_NAMES = frozenset({"everyone", "here"})
_Key = tuple[int, str]
_NOTHING = discord.utils.MISSING

WithWebhooks = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel
MakeFile = Callable[[], discord.File]
Promises = dict[_Key, GetPicture]
"""The bylines that people see without a name in the text, with what gives their pictures."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Mouth:
    """What a persona speaks through in one channel."""

    webhook: discord.Webhook
    looks: str | None
    """Name and digest of the picture that Discord has; None while they are not known."""


class Webhooks:
    """The personas' webhooks, as far as one connection knows them."""

    def __init__(self, client: discord.Client, tuning: Tuning, promises: Promises) -> None:
        """Take what it needs; the promises outlive the connection."""
        self._client = client
        self._tuning = tuning
        self._promises = promises
        self._mouths: dict[_Key, _Mouth] = {}
        self._rests_until: dict[_Key, float] = {}
        self._asked: dict[int, object] = {}
        self._unconfirmed: set[str] = set()
        self._said: dict[str, int] = {}
        """The last message of each byline in a conversation."""

    async def ready(self, target: ReplyTarget, picture: GetPicture) -> bool:
        """Say whether the target's byline has a webhook in its channel, which is made if need be and looks as the persona does now."""
        is_ready = await self._prepare(target, picture)
        if is_ready:
            self._promises[_key(target)] = picture
        else:
            self._promises.pop(_key(target), None)
        return is_ready

    def promised(self, target: ReplyTarget) -> bool:
        """Say whether people expect to see who speaks without a name in the text."""
        return _key(target) in self._promises

    async def say(self, target: ReplyTarget, text: str, *, nonce: str, file: MakeFile | None = None) -> str:
        """Send a text under the target's byline and return the message's id; empty where it has no webhook.

        Webhooks take no nonce: what was sent and not confirmed is looked for before it is sent again.
        """
        known, key = f"{target.conversation} {nonce}", _key(target)
        byline = f"{target.conversation} {key[1]}"
        for _ in range(2):
            if key not in self._mouths and key in self._promises:
                await self._prepare(target, self._promises[key])
            mouth = self._mouths.get(key)
            if mouth is None:
                return ""
            try:
                async with delivering(self._tuning):
                    after = max(self._said.get(byline, 0), int(target.reply_to or 0))
                    found = await self._already_sent(target, mouth, text, after) if known in self._unconfirmed else ""
                    sent = found or await self._send(target, mouth, text, file)
            except DeliveryDelayed:
                self._unconfirmed.add(known)
                raise
            except DeliveryRefused as problem:
                if _refuses_name(problem):
                    self._be_silent(key)
                    return ""
                if not _lost_its_webhook(problem):
                    raise
                del self._mouths[key]
            else:
                self._unconfirmed.discard(known)
                self._said[byline] = int(sent)
                return sent
        return ""

    async def rewrite(self, target: ReplyTarget, part: Part, message_id: str) -> bool | None:
        """Put a part in a message under the target's byline; False when that is gone or another's, None where the byline has no webhook."""
        mouth = self._mouths.get(_key(target))
        if mouth is None:
            return None
        async with delivering(self._tuning):
            try:
                await self._edit(target, mouth, int(message_id), part.text)
            except discord.NotFound:
                return False
        return True

    async def take_away(self, target: ReplyTarget, message_id: str) -> None:
        """Delete a message that one of the bot's webhooks wrote. A failure is logged."""
        channel = self._client.get_partial_messageable(channel_id_of(target.conversation))
        try:
            async with delivering(self._tuning):
                message = await channel.fetch_message(int(message_id))
                owner = await self._of_id(target, message.webhook_id)
                if owner is None:
                    await message.delete()
                else:
                    await owner.delete_message(message.id, thread=_thread(target))
        except PlatformError as problem:
            if not isinstance(problem.__cause__, discord.NotFound):
                log.warning("discord_draft_left", problem=str(problem))

    async def _prepare(self, target: ReplyTarget, picture: GetPicture) -> bool:
        """Say whether the target's byline has a webhook after all that could be done."""
        byline, key, now = target.byline, _key(target), asyncio.get_running_loop().time()
        if byline is None or not sayable(byline) or (key not in self._mouths and self._rests_until.get(key, 0.0) > now):
            return False
        try:
            async with asyncio.timeout(self._tuning.request_seconds):
                channel = await self._channel(target)
                if channel is None or not _may_have(channel, account_of(self._client).id):
                    self._mouths.pop(key, None)
                    return False
                await self._dress(channel, byline, picture)
        except (discord.DiscordException, *OUT_OF_REACH) as problem:
            self._rests_until[key] = now + self._tuning.webhook_rest
            log.warning("discord_webhook_not_ready", place=key[0], persona=byline.persona_id, problem=type(problem).__name__)
        return key in self._mouths

    async def _dress(self, channel: WithWebhooks, byline: Byline, picture: GetPicture) -> None:
        """Find or make the webhook of a byline, and let it look as the persona does now."""
        key, avatar = (channel.id, byline.persona_id), await picture()
        content = avatar.content if avatar is not None else None
        looks = f"{byline.name}|{hashlib.sha256(content).hexdigest() if content is not None else ''}"
        mouth = self._mouths.get(key) or await self._find(channel, byline)
        if mouth is None:
            self._mouths[key] = _Mouth(await self._make(channel, byline, content), looks)
        elif mouth.looks != looks:
            self._mouths[key] = _Mouth(await _changed(mouth.webhook, byline, content), looks)
        else:
            self._mouths[key] = mouth

    async def _find(self, channel: WithWebhooks, byline: Byline) -> _Mouth | None:
        """Return the webhook that the bot once made for a persona."""
        me = account_of(self._client)
        for each in await channel.webhooks():
            if each.token and each.user is not None and each.user.id == me.id and (each.name or "").endswith(_mark(byline)):
                is_as_made = each.avatar is None and each.name == _name(byline)
                return _Mouth(each, f"{byline.name}|" if is_as_made else None)
        return None

    async def _make(self, channel: WithWebhooks, byline: Byline, picture: bytes | None) -> discord.Webhook:
        """Make a webhook; a picture that Discord does not take is left out."""
        reason = f"{byline.persona_id} speaks under its own name"
        try:
            return await channel.create_webhook(name=_name(byline), avatar=picture, reason=reason)
        except (discord.HTTPException, ValueError) as problem:
            if picture is None or not _refuses_picture(problem):
                raise
            log.info("discord_picture_refused", persona=byline.persona_id, bytes=len(picture))
            return await channel.create_webhook(name=_name(byline), reason=reason)

    async def _send(self, target: ReplyTarget, mouth: _Mouth, text: str, file: MakeFile | None) -> str:
        sent = await mouth.webhook.send(
            text,
            username=_shown(target),
            wait=True,
            thread=_thread(target),
            file=file() if file is not None else _NOTHING,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        return str(sent.id)

    async def _edit(self, target: ReplyTarget, mouth: _Mouth, message_id: int, text: str) -> None:
        none = discord.AllowedMentions.none()
        await mouth.webhook.edit_message(message_id, content=text, thread=_thread(target), allowed_mentions=none)

    def _be_silent(self, key: _Key) -> None:
        """Let a byline rest whose name Discord does not take, though nobody knows why."""
        log.warning("discord_name_refused", place=key[0], persona=key[1])
        del self._mouths[key]
        self._rests_until[key] = asyncio.get_running_loop().time() + self._tuning.webhook_rest

    async def _already_sent(self, target: ReplyTarget, mouth: _Mouth, text: str, after: int) -> str:
        """Return the id of a message that Discord took although it did not say so; a draft in it is brought up to date.

        What is not newer than `after` is something else that began with the same words.
        """
        channel = self._client.get_partial_messageable(channel_id_of(target.conversation))
        async for message in channel.history(limit=RECENT):
            if message.id <= after:
                break
            if message.webhook_id == mouth.webhook.id and message.content and text.strip().startswith(message.content):
                if message.content != text.strip():
                    await self._edit(target, mouth, message.id, text)
                return str(message.id)
        return ""

    async def _of_id(self, target: ReplyTarget, webhook_id: int | None) -> discord.Webhook | None:
        """Return a webhook of the bot's own in the target's channel; None for any other."""
        channel = await self._channel(target)
        if webhook_id is None or channel is None:
            return None
        known = [mouth.webhook for (place, _), mouth in self._mouths.items() if place == channel.id]
        found = next((each for each in known if each.id == webhook_id), None)
        return found or next((each for each in await channel.webhooks() if each.id == webhook_id and each.token), None)

    async def _channel(self, target: ReplyTarget) -> WithWebhooks | None:
        """Return the channel whose webhooks serve a target: of a thread, its parent. Discord is asked where it has not told of it."""
        if target.kind is not ConversationKind.GROUP:
            return None
        channel_id = int(target.conversation.channel_id)
        channel = self._client.get_channel(channel_id) or self._asked.get(channel_id)
        if channel is None:
            channel = self._asked[channel_id] = await self._client.fetch_channel(channel_id)
        return channel if isinstance(channel, WithWebhooks) else None


def sayable(byline: Byline) -> bool:
    """Say whether Discord lets a webhook speak under a persona's name."""
    name = byline.name.strip().casefold()
    return bool(name) and name not in _NO_NAMES and not any(word in f"{name} {byline.persona_id}" for word in _NOT_IN_NAMES)


def _key(target: ReplyTarget) -> _Key:
    return int(target.conversation.channel_id), target.byline.persona_id if target.byline is not None else ""


def _may_have(channel: WithWebhooks, own_id: int) -> bool:
    """Say whether the bot may have webhooks in a channel, as far as Discord has told."""
    me = channel.guild.get_member(own_id)
    return me is None or channel.permissions_for(me).manage_webhooks


def _lost_its_webhook(problem: DeliveryRefused) -> bool:
    """Say whether a webhook is gone, or the bot may not use it any more."""
    cause = problem.__cause__
    return isinstance(cause, discord.Forbidden) or (isinstance(cause, discord.HTTPException) and cause.code in {GONE, BAD_TOKEN})


def _refuses_name(problem: DeliveryRefused) -> bool:
    cause = problem.__cause__
    return isinstance(cause, discord.HTTPException) and cause.code == INVALID_FORM and "username" in cause.text.casefold()


async def _changed(webhook: discord.Webhook, byline: Byline, picture: bytes | None) -> discord.Webhook:
    """Return a webhook with the name and picture of a persona; a picture that Discord does not take is left out."""
    try:
        return await webhook.edit(name=_name(byline), avatar=picture)
    except (discord.HTTPException, ValueError) as problem:
        if picture is None or not _refuses_picture(problem):
            raise
        log.info("discord_picture_refused", persona=byline.persona_id, bytes=len(picture))
        return await webhook.edit(name=_name(byline))


def _refuses_picture(problem: Exception) -> bool:
    return isinstance(problem, ValueError) or (isinstance(problem, discord.HTTPException) and "avatar" in problem.text)


def _mark(byline: Byline) -> str:
    return f"({byline.persona_id})"


def _name(byline: Byline) -> str:
    """Return what a webhook is called in the server's settings: the persona's id tells it from all others."""
    mark = _mark(byline)
    return f"{byline.name.strip()[: LONGEST_NAME - len(mark) - 1].strip()} {mark}"


def _shown(target: ReplyTarget) -> str:
    assert target.byline is not None, "what has a webhook has a byline"
    return target.byline.name.strip()[:LONGEST_NAME]


def _thread(target: ReplyTarget) -> discord.abc.Snowflake:
    thread_id = target.conversation.thread_id
    return discord.Object(int(thread_id)) if thread_id else _NOTHING
