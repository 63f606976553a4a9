"""The webhooks through which personas speak that share a channel: one each, which the bot makes and owns."""

import asyncio
import hashlib
from dataclasses import dataclass

import discord
import structlog

from bot.domain.chat import ConversationKind
from bot.domain.message import Byline, ReplyTarget
from bot.platforms.discord.account import account_of
from bot.platforms.discord.trouble import OUT_OF_REACH
from bot.platforms.discord.tuning import Tuning
from bot.ports.platform import GetPicture

LONGEST_NAME = 80
_NOT_IN_NAMES = ("discord", "clyde")
_NO_NAMES = frozenset({"everyone", "here"})

Place = tuple[int, str]
"""A channel, and the persona that speaks in it."""
WithWebhooks = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Made:
    """A webhook, and how it looks."""

    webhook: discord.Webhook
    looks: str | None
    """Name and digest of the picture that Discord has; None while they are not known."""


class OwnWebhooks:
    """Finds and makes the personas' webhooks, as far as one connection knows them."""

    def __init__(self, client: discord.Client, tuning: Tuning) -> None:
        self._client = client
        self._tuning = tuning
        self._made: dict[Place, _Made] = {}
        self._rests_until: dict[Place, float] = {}
        self._asked: dict[int, object] = {}
        """Channels that Discord had to be asked for."""

    def known(self, target: ReplyTarget) -> discord.Webhook | None:
        """Return the webhook of the target's byline; None while none is known."""
        made = self._made.get(place_of(target))
        return made.webhook if made is not None else None

    def forget(self, target: ReplyTarget) -> None:
        """Look for the webhook of the target's byline anew when it is needed again."""
        del self._made[place_of(target)]

    def rest(self, target: ReplyTarget) -> None:
        """Use no webhook for the target's byline for a while."""
        self._rests_until[place_of(target)] = asyncio.get_running_loop().time() + self._tuning.webhook_rest

    async def prepare(self, target: ReplyTarget, picture: GetPicture) -> bool:
        """Say whether the target's byline has a webhook after all that could be done."""
        byline, key, now = target.byline, place_of(target), asyncio.get_running_loop().time()
        if byline is None or not sayable(byline) or (key not in self._made and self._rests_until.get(key, 0.0) > now):
            return False
        try:
            async with asyncio.timeout(self._tuning.request_seconds):
                channel = await self._channel(target)
                if channel is None or not _may_have(channel, account_of(self._client).id):
                    self._made.pop(key, None)
                    return False
                await self._dress(channel, byline, picture)
        except (discord.DiscordException, *OUT_OF_REACH) as problem:
            self._rests_until[key] = now + self._tuning.webhook_rest
            log.warning("discord_webhook_not_ready", place=key[0], persona=byline.persona_id, problem=type(problem).__name__)
        return key in self._made

    async def owner(self, target: ReplyTarget, webhook_id: int | None) -> discord.Webhook | None:
        """Return a webhook of the bot's own in the target's channel; None for any other."""
        channel = await self._channel(target)
        if webhook_id is None or channel is None:
            return None
        known = [made.webhook for (place, _), made in self._made.items() if place == channel.id]
        found = next((each for each in known if each.id == webhook_id), None)
        return found or next((each for each in await channel.webhooks() if each.id == webhook_id and each.token), None)

    async def _dress(self, channel: WithWebhooks, byline: Byline, picture: GetPicture) -> None:
        """Find or make the webhook of a byline, and let it look as the persona does now."""
        key, avatar = (channel.id, byline.persona_id), await picture()
        content = avatar.content if avatar is not None else None
        looks = f"{byline.name}|{hashlib.sha256(content).hexdigest() if content is not None else ''}"
        made = self._made.get(key) or await self._find(channel, byline)
        if made is None:
            self._made[key] = _Made(await self._make(channel, byline, content), looks)
        elif made.looks != looks:
            self._made[key] = _Made(await _changed(made.webhook, byline, content), looks)
        else:
            self._made[key] = made

    async def _find(self, channel: WithWebhooks, byline: Byline) -> _Made | None:
        """Return the webhook that the bot once made for a persona."""
        me = account_of(self._client)
        for each in await channel.webhooks():
            if each.token and each.user is not None and each.user.id == me.id and (each.name or "").endswith(_mark(byline)):
                is_as_made = each.avatar is None and each.name == _name(byline)
                return _Made(each, f"{byline.name}|" if is_as_made else None)
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

    async def _channel(self, target: ReplyTarget) -> WithWebhooks | None:
        """Return the channel whose webhooks serve a target: of a thread, its parent. Discord is asked where it has not told of it."""
        if target.kind is not ConversationKind.GROUP:
            return None
        channel_id = int(target.conversation.channel_id)
        channel = self._client.get_channel(channel_id) or self._asked.get(channel_id)
        if channel is None:
            channel = self._asked[channel_id] = await self._client.fetch_channel(channel_id)
        return channel if isinstance(channel, WithWebhooks) else None


def place_of(target: ReplyTarget) -> Place:
    """Return for whom, and where, a target has a webhook: of a thread, its channel."""
    return int(target.conversation.channel_id), target.byline.persona_id if target.byline is not None else ""


def sayable(byline: Byline) -> bool:
    """Say whether Discord lets a webhook speak under a persona's name."""
    name = byline.name.strip().casefold()
    return bool(name) and name not in _NO_NAMES and not any(word in f"{name} {byline.persona_id}" for word in _NOT_IN_NAMES)


def _may_have(channel: WithWebhooks, own_id: int) -> bool:
    """Say whether the bot may have webhooks in a channel, as far as Discord has told."""
    me = channel.guild.get_member(own_id)
    return me is None or channel.permissions_for(me).manage_webhooks


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
