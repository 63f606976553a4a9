"""Routes for webhooks: made, listed, changed and removed with the right to, written through by whoever has the token."""

from aiohttp import web

from tests.emulators.discord.mentions import Allowed
from tests.emulators.discord.objects import Attachment, Channel, ChannelKind, Message, Payload, User
from tests.emulators.discord.payloads import message_payload, user_payload
from tests.emulators.discord.permissions import Permission, permissions_in
from tests.emulators.discord.posting import Draft
from tests.emulators.discord.refusals import (
    archived_thread,
    check_body,
    empty_message,
    expired_token,
    missing_access,
    missing_permissions,
    snowflake,
    unauthorized,
    unknown_channel,
    unknown_message,
    unknown_webhook,
)
from tests.emulators.discord.rest import API, Rest, answer, nothing, read_body
from tests.emulators.discord.rest_interactions import WEBHOOK, InteractionRoutes
from tests.emulators.discord.webhooks import (
    MOST_A_CHANNEL,
    WITH_WEBHOOKS,
    Webhook,
    checked_avatar,
    checked_name,
    no_thread_in_forum,
    no_webhooks_there,
    too_many_webhooks,
)

CHANNEL = f"{API}/channels/{{channel_id}}/webhooks"
ITSELF = f"{API}/webhooks/{{webhook_id}}"
FORUMS = frozenset({ChannelKind.FORUM, ChannelKind.MEDIA})


class WebhookRoutes:
    """Webhooks. Their addresses are those of interactions, too: what is no webhook goes on to them."""

    def __init__(self, rest: Rest, interactions: InteractionRoutes) -> None:
        self._rest = rest
        self._world = rest.world
        self._interactions = interactions

    def add_to(self, app: web.Application) -> None:
        """Register the routes, before those of interactions."""
        router = app.router
        router.add_get(CHANNEL, self.of_channel)
        router.add_post(CHANNEL, self.create)
        router.add_patch(ITSELF, self.change)
        router.add_delete(ITSELF, self.remove)
        router.add_post(WEBHOOK, self.execute)
        router.add_get(f"{WEBHOOK}/messages/{{message_id}}", self.read)
        router.add_patch(f"{WEBHOOK}/messages/{{message_id}}", self.edit)
        router.add_delete(f"{WEBHOOK}/messages/{{message_id}}", self.delete)

    async def of_channel(self, request: web.Request) -> web.Response:
        """Return a channel's webhooks."""
        channel = self._manageable(self._rest.channel(request))
        return answer([self._payload(each) for each in self._world.webhooks.values() if each.channel is channel])

    async def create(self, request: web.Request) -> web.Response:
        """Make a webhook."""
        channel = self._manageable(self._rest.channel(request))
        if channel.kind not in WITH_WEBHOOKS:
            raise no_webhooks_there()
        body, _ = await read_body(self._world, request)
        name, avatar = checked_name("name", body.get("name")), checked_avatar(body.get("avatar"))
        if sum(each.channel is channel for each in self._world.webhooks.values()) >= MOST_A_CHANNEL:
            raise too_many_webhooks()
        return answer(self._payload(self._world.webhook(channel, name, avatar)))

    async def change(self, request: web.Request) -> web.Response:
        """Change a webhook's name or picture."""
        webhook = self._managed(request)
        body, _ = await read_body(self._world, request)
        if "name" in body:
            webhook.name = checked_name("name", body["name"])
        if "avatar" in body:
            webhook.avatar = checked_avatar(body["avatar"])
        return answer(self._payload(webhook))

    async def remove(self, request: web.Request) -> web.Response:
        """Remove a webhook; what it wrote stays."""
        del self._world.webhooks[self._managed(request).id]
        return nothing()

    async def execute(self, request: web.Request) -> web.Response:
        """Write a message; its sender learns what became of it with `wait`."""
        webhook = self._with_token(request)
        if webhook is None:
            return await self._interactions.follow_up(request)
        channel = self._channel(webhook, request)
        body, files = await read_body(self._world, request)
        check_body(body, files=len(files))
        message = self._rest.post.publish(self._draft(webhook, channel, body, files))
        return self._show(message) if request.query.get("wait") in ("1", "true") else nothing()

    async def read(self, request: web.Request) -> web.Response:
        """Return a message of the webhook."""
        webhook = self._with_token(request)
        return await self._interactions.read(request) if webhook is None else self._show(self._message(webhook, request))

    async def edit(self, request: web.Request) -> web.Response:
        """Change a message of the webhook."""
        webhook = self._with_token(request)
        if webhook is None:
            return await self._interactions.edit(request)
        message = self._message(webhook, request)
        body, files = await read_body(self._world, request)
        check_body(body, files=len(files))
        if "content" in body and not body["content"] and not message.attachments + files:
            raise empty_message()
        self._rest.post.edit(message, body, allowed=Allowed.from_body(body))
        return self._show(message)

    async def delete(self, request: web.Request) -> web.Response:
        """Remove a message of the webhook."""
        webhook = self._with_token(request)
        if webhook is None:
            return await self._interactions.delete(request)
        self._rest.post.delete(self._message(webhook, request))
        return nothing()

    def _draft(self, webhook: Webhook, channel: Channel, body: Payload, files: list[Attachment]) -> Draft:
        content = (body.get("content") or "").strip()
        if not (content or files or body.get("embeds")):
            raise empty_message()
        name = checked_name("username", body["username"], is_sender=True) if body.get("username") else webhook.name
        author = User(webhook.id, name, bot=True)
        allowed = Allowed.from_body(body)
        return Draft(channel, author, content, allowed=allowed, attachments=files, embeds=body.get("embeds") or [], webhook_id=webhook.id)

    def _with_token(self, request: web.Request) -> Webhook | None:
        """Return the webhook of the path; None where it may be an interaction's address."""
        webhook_id = snowflake("webhook_id", request.match_info["webhook_id"])
        webhook = self._world.webhooks.get(webhook_id)
        if webhook is None and webhook_id in self._world.own_webhooks:
            raise unknown_webhook()
        if webhook is not None and request.match_info["webhook_token"] != webhook.token:
            raise expired_token()
        return webhook

    def _channel(self, webhook: Webhook, request: web.Request) -> Channel:
        """Return where the webhook writes: its channel, or a thread in it."""
        if "thread_id" not in request.query:
            if webhook.channel.kind in FORUMS:
                raise no_thread_in_forum()
            return webhook.channel
        thread = self._world.channels.get(snowflake("thread_id", request.query["thread_id"]))
        if thread is None or thread.parent is not webhook.channel:
            raise unknown_channel()
        if thread.locked:
            raise archived_thread()
        return thread

    def _message(self, webhook: Webhook, request: web.Request) -> Message:
        channel = self._channel(webhook, request)
        found = self._world.find_message(channel, snowflake("message_id", request.match_info["message_id"]))
        if found is None or found.webhook_id != webhook.id:
            raise unknown_message()
        return found

    def _managed(self, request: web.Request) -> Webhook:
        if request.headers.get("Authorization") != f"Bot {self._world.token}":
            raise unauthorized()
        webhook = self._world.webhooks.get(snowflake("webhook_id", request.match_info["webhook_id"]))
        if webhook is None:
            raise unknown_webhook()
        self._manageable(webhook.channel)
        return webhook

    def _manageable(self, channel: Channel) -> Channel:
        if not self._world.bot_sees(channel):
            raise missing_access()
        if not permissions_in(channel, self._world.bot) & Permission.MANAGE_WEBHOOKS:
            raise missing_permissions()
        return channel

    def _payload(self, webhook: Webhook) -> Payload:
        return webhook.payload(self._world.application_id, user_payload(self._world.bot))

    def _show(self, message: Message) -> web.Response:
        return answer(message_payload(self._world, message, self._rest.gateway.files_url))
