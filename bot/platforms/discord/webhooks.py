"""What personas say that share a channel: each under its own name and picture, through a webhook of its own."""

from collections.abc import Callable

import discord
import structlog

from bot.domain.message import Part, ReplyTarget
from bot.errors import DeliveryDelayed, DeliveryRefused, PlatformError
from bot.platforms.discord.convert import channel_id_of
from bot.platforms.discord.own_webhooks import LONGEST_NAME, OwnWebhooks, Place, place_of
from bot.platforms.discord.sending import INVALID_FORM, delivering
from bot.platforms.discord.tuning import Tuning
from bot.ports.platform import GetPicture

RECENT = 20
"""Messages among which one is looked for whose sending was not confirmed."""
GONE, BAD_TOKEN = 10015, 50027
_NOTHING = discord.utils.MISSING

MakeFile = Callable[[], discord.File]
Promises = dict[Place, GetPicture]
"""The bylines that people see without a name in the text, with what gives their pictures."""

log = structlog.get_logger(__name__)


class Webhooks:
    """What personas that share a place say over one connection."""

    def __init__(self, client: discord.Client, tuning: Tuning, promises: Promises) -> None:
        """Take what it needs; the promises outlive the connection."""
        self._client = client
        self._tuning = tuning
        self._promises = promises
        self._own = OwnWebhooks(client, tuning)
        self._unconfirmed: set[str] = set()
        self._said: dict[str, int] = {}
        """The last message of each byline in a conversation."""

    async def ready(self, target: ReplyTarget, picture: GetPicture) -> bool:
        """Say whether the target's byline has a webhook in its channel, which is made if need be and looks as the persona does now."""
        is_ready = await self._own.prepare(target, picture)
        if is_ready:
            self._promises[place_of(target)] = picture
        else:
            self._promises.pop(place_of(target), None)
        return is_ready

    def promised(self, target: ReplyTarget) -> bool:
        """Say whether people expect to see who speaks without a name in the text."""
        return place_of(target) in self._promises

    async def say(self, target: ReplyTarget, text: str, *, nonce: str, file: MakeFile | None = None) -> str:
        """Send a text under the target's byline and return the message's id; empty where it has no webhook.

        Webhooks take no nonce: what was sent and not confirmed is looked for before it is sent again.
        """
        known, key = f"{target.conversation} {nonce}", place_of(target)
        byline = f"{target.conversation} {key[1]}"
        for _ in range(2):
            if self._own.known(target) is None and key in self._promises:
                await self._own.prepare(target, self._promises[key])
            webhook = self._own.known(target)
            if webhook is None:
                return ""
            try:
                async with delivering(self._tuning):
                    after = max(self._said.get(byline, 0), int(target.reply_to or 0))
                    found = await self._already_sent(target, webhook, text, after) if known in self._unconfirmed else ""
                    sent = found or await self._send(target, webhook, text, file)
            except DeliveryDelayed:
                self._unconfirmed.add(known)
                raise
            except DeliveryRefused as problem:
                is_refused = _refuses_name(problem)
                if not (is_refused or _lost_its_webhook(problem)):
                    raise
                self._own.forget(target)
                if is_refused:  # Discord does not tell which names it takes
                    log.warning("discord_name_refused", place=key[0], persona=key[1])
                    self._own.rest(target)
                    return ""
            else:
                self._unconfirmed.discard(known)
                self._said[byline] = int(sent)
                return sent
        return ""

    async def rewrite(self, target: ReplyTarget, part: Part, message_id: str) -> bool | None:
        """Put a part in a message under the target's byline; False when that is gone or another's, None where the byline has no webhook."""
        webhook = self._own.known(target)
        if webhook is None:
            return None
        async with delivering(self._tuning):
            try:
                await self._edit(target, webhook, int(message_id), part.text)
            except discord.NotFound:
                return False
        return True

    async def take_away(self, target: ReplyTarget, message_id: str) -> None:
        """Delete a message that one of the bot's webhooks wrote. A failure is logged."""
        channel = self._client.get_partial_messageable(channel_id_of(target.conversation))
        try:
            async with delivering(self._tuning):
                message = await channel.fetch_message(int(message_id))
                owner = await self._own.owner(target, message.webhook_id)
                if owner is None:
                    await message.delete()
                else:
                    await owner.delete_message(message.id, thread=_thread(target))
        except PlatformError as problem:
            if not isinstance(problem.__cause__, discord.NotFound):
                log.warning("discord_draft_left", problem=str(problem))

    async def _send(self, target: ReplyTarget, webhook: discord.Webhook, text: str, file: MakeFile | None) -> str:
        sent = await webhook.send(
            text,
            username=_shown(target),
            wait=True,
            thread=_thread(target),
            file=file() if file is not None else _NOTHING,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        return str(sent.id)

    async def _edit(self, target: ReplyTarget, webhook: discord.Webhook, message_id: int, text: str) -> None:
        none = discord.AllowedMentions.none()
        await webhook.edit_message(message_id, content=text, thread=_thread(target), allowed_mentions=none)

    async def _already_sent(self, target: ReplyTarget, webhook: discord.Webhook, text: str, after: int) -> str:
        """Return the id of a message that Discord took although it did not say so; a draft in it is brought up to date.

        What is not newer than `after` is something else that began with the same words.
        """
        channel = self._client.get_partial_messageable(channel_id_of(target.conversation))
        async for message in channel.history(limit=RECENT):
            if message.id <= after:
                break
            if message.webhook_id == webhook.id and message.content and text.strip().startswith(message.content):
                if message.content != text.strip():
                    await self._edit(target, webhook, message.id, text)
                return str(message.id)
        return ""


def _lost_its_webhook(problem: DeliveryRefused) -> bool:
    """Say whether a webhook is gone, or the bot may not use it any more."""
    cause = problem.__cause__
    return isinstance(cause, discord.Forbidden) or (isinstance(cause, discord.HTTPException) and cause.code in {GONE, BAD_TOKEN})


def _refuses_name(problem: DeliveryRefused) -> bool:
    cause = problem.__cause__
    return isinstance(cause, discord.HTTPException) and cause.code == INVALID_FORM and "username" in cause.text.casefold()


def _shown(target: ReplyTarget) -> str:
    assert target.byline is not None, "what has a webhook has a byline"
    return target.byline.name.strip()[:LONGEST_NAME]


def _thread(target: ReplyTarget) -> discord.abc.Snowflake:
    thread_id = target.conversation.thread_id
    return discord.Object(int(thread_id)) if thread_id else _NOTHING
