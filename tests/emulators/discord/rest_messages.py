"""Routes for messages: send, read, change, remove, type."""

from aiohttp import web

from tests.emulators.discord.mentions import Allowed
from tests.emulators.discord.objects import (
    EPHEMERAL,
    Attachment,
    Channel,
    ChannelKind,
    Message,
    MessageKind,
    Payload,
)
from tests.emulators.discord.payloads import message_payload
from tests.emulators.discord.permissions import Permission, permissions_in
from tests.emulators.discord.posting import Draft
from tests.emulators.discord.refusals import (
    Refusal,
    archived_thread,
    check_body,
    empty_message,
    foreign_message,
    invalid_form,
    missing_access,
    missing_permissions,
    no_history_for_reply,
    refuses_dms,
    snowflake,
)
from tests.emulators.discord.rest import API, Rest, answer, nothing, read_body

WRITABLE = frozenset(ChannelKind) - {ChannelKind.CATEGORY, ChannelKind.FORUM, ChannelKind.MEDIA}
REPLYABLE = frozenset({MessageKind.DEFAULT, MessageKind.REPLY, MessageKind.SLASH_COMMAND})
SETTABLE_FLAGS = (1 << 2) | EPHEMERAL | (1 << 12) | (1 << 15)
CHANNEL = f"{API}/channels/{{channel_id}}"


class MessageRoutes:
    """Messages of channels, threads and private chats."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self._world = rest.world

    def add_to(self, app: web.Application) -> None:
        """Register the routes."""
        app.router.add_post(f"{CHANNEL}/messages", self.create)
        app.router.add_get(f"{CHANNEL}/messages", self.history)
        app.router.add_get(f"{CHANNEL}/messages/{{message_id}}", self.read)
        app.router.add_patch(f"{CHANNEL}/messages/{{message_id}}", self.edit)
        app.router.add_delete(f"{CHANNEL}/messages/{{message_id}}", self.delete)
        app.router.add_post(f"{CHANNEL}/typing", self.type)
        reaction = f"{CHANNEL}/messages/{{message_id}}/reactions/{{emoji}}/@me"
        app.router.add_put(reaction, self.react)
        app.router.add_delete(reaction, self.react)

    async def create(self, request: web.Request) -> web.Response:
        """Post a message, or return the earlier one of an enforced nonce."""
        channel = self._rest.channel(request)
        self._require_writable(channel)
        body, files = await read_body(self._world, request)
        check_body(body, files=len(files))
        self._require(channel, Permission.ATTACH_FILES, when=bool(files))
        nonce = str(body["nonce"]) if body.get("nonce") is not None else None
        earlier = self._rest.post.earlier(self._world.bot, nonce)
        if earlier is not None and body.get("enforce_nonce"):
            return self._show(earlier)
        draft = self._draft(channel, body, files, nonce)
        return self._show(self._rest.post.publish(draft))

    async def history(self, request: web.Request) -> web.Response:
        """Return messages, newest first, around the ids asked for."""
        channel = self._rest.channel(request)
        self._require_visible(channel)
        if not permissions_in(channel, self._world.bot) & Permission.READ_MESSAGE_HISTORY:
            return answer([])
        limit = int(request.query.get("limit", "50"))
        if not 1 <= limit <= 100:
            message = "int value should be between 1 and 100."
            raise invalid_form("limit", "NUMBER_TYPE_MAX", message)
        kept = [m for m in channel.messages if not m.deleted]
        if "after" in request.query:
            after = snowflake("after", request.query["after"])
            chosen = [m for m in kept if m.id > after][:limit]
        else:
            before = snowflake("before", request.query.get("before", "9" * 19))
            chosen = [m for m in kept if m.id < before][-limit:]
        return answer([self._payload(message) for message in reversed(chosen)])

    async def read(self, request: web.Request) -> web.Response:
        """Return one message."""
        channel = self._rest.channel(request)
        self._require_visible(channel)
        return self._show(self._rest.message(channel, request))

    async def edit(self, request: web.Request) -> web.Response:
        """Change one of the bot's own messages."""
        channel = self._rest.channel(request)
        self._require_visible(channel)
        message = self._rest.message(channel, request)
        body, files = await read_body(self._world, request)
        if message.author is not self._world.bot:
            raise foreign_message()
        check_body(body, files=len(files))
        if "content" in body and not body["content"] and not message.attachments + files:
            raise empty_message()
        self._rest.post.edit(message, body, allowed=Allowed.from_body(body))
        return self._show(message)

    async def delete(self, request: web.Request) -> web.Response:
        """Remove a message; those of others need a permission."""
        channel = self._rest.channel(request)
        self._require_visible(channel)
        message = self._rest.message(channel, request)
        foreign = message.author is not self._world.bot
        if foreign and channel.guild is None:
            raise Refusal(403, 50003, "Cannot execute action on a DM channel")
        self._require(channel, Permission.MANAGE_MESSAGES, when=foreign)
        self._rest.post.delete(message)
        return nothing()

    async def type(self, request: web.Request) -> web.Response:
        """Show that the bot is typing."""
        channel = self._rest.channel(request)
        self._require_writable(channel)
        self._rest.typing.append(channel.id)
        return nothing()

    async def react(self, request: web.Request) -> web.Response:
        """Let the bot put or take back a reaction."""
        channel = self._rest.channel(request)
        self._require_visible(channel)
        message = self._rest.message(channel, request)
        self._require(channel, Permission.ADD_REACTIONS)
        emoji = request.match_info["emoji"]
        message.reactions = [each for each in message.reactions if each != emoji] + ([emoji] if request.method == "PUT" else [])
        self._rest.post.noticed()
        return nothing()

    def _draft(self, channel: Channel, body: Payload, files: list[Attachment], nonce: str | None) -> Draft:
        content = (body.get("content") or "").strip()
        embeds = body.get("embeds") or []
        reference = body.get("message_reference")
        target = self._referenced(channel, reference) if reference else None
        forwards = (reference or {}).get("type") == 1
        if not (content or embeds or files or forwards or body.get("sticker_ids")):
            raise empty_message()
        may_embed = permissions_in(channel, self._world.bot) & Permission.EMBED_LINKS
        return Draft(
            channel,
            self._world.bot,
            content,
            allowed=Allowed.from_body(body),
            reply_to=None if forwards else target,
            forward_of=target if forwards else None,
            attachments=files,
            embeds=embeds if may_embed else [],
            components=body.get("components") or [],
            flags=(body.get("flags") or 0) & SETTABLE_FLAGS & ~EPHEMERAL,
            nonce=nonce,
        )

    def _referenced(self, channel: Channel, reference: Payload) -> Message | None:
        where = self._world.channels.get(int(reference.get("channel_id") or channel.id), channel)
        message_id = snowflake("message_reference.message_id", reference.get("message_id"))
        target = self._world.find_message(where, message_id)
        if reference.get("type") == 1:
            return target
        if not permissions_in(channel, self._world.bot) & Permission.READ_MESSAGE_HISTORY:
            raise no_history_for_reply()
        if target is not None and where is not channel:
            message = "Cannot reply to a message in a different channel"
            raise invalid_form("message_reference", "REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL", message)
        if target is not None and target.kind not in REPLYABLE:
            message = "Cannot reply to a system message"
            raise invalid_form("message_reference", "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", message)
        if target is None and reference.get("fail_if_not_exists", True):
            raise invalid_form("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return target

    def _require_visible(self, channel: Channel) -> None:
        if not self._world.bot_sees(channel):
            raise missing_access()

    def _require_writable(self, channel: Channel) -> None:
        self._require_visible(channel)
        if channel.kind is ChannelKind.DM and not all(u.accepts_dms for u in channel.recipients):
            raise refuses_dms()
        if channel.kind not in WRITABLE:
            raise Refusal(400, 50008, "Cannot send messages in a non-text channel")
        if channel.locked:
            raise archived_thread()
        needed = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
        self._require(channel, needed)

    def _require(self, channel: Channel, needed: Permission, *, when: bool = True) -> None:
        if when and not permissions_in(channel, self._world.bot) & needed:
            raise missing_permissions()

    def _payload(self, message: Message) -> Payload:
        return message_payload(self._world, message, self._rest.gateway.files_url)

    def _show(self, message: Message) -> web.Response:
        return answer(self._payload(message))
