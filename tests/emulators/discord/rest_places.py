"""Routes for the bot itself, people, servers, channels and threads."""

from aiohttp import web
from yarl import URL

from tests.emulators.discord.objects import Channel, Payload
from tests.emulators.discord.payloads import (
    application_payload,
    attachment_url,
    channel_payload,
    guild_payload,
    member_payload,
    role_payload,
    user_payload,
)
from tests.emulators.discord.permissions import Permission, permissions_in, permissions_in_guild
from tests.emulators.discord.refusals import (
    Refusal,
    missing_access,
    missing_permissions,
    snowflake,
    too_long,
    unknown_member,
    unknown_user,
)
from tests.emulators.discord.rest import API, Rest, answer, nothing, read_body
from tests.emulators.discord.sessions import Intent

MAX_THREAD_NAME = 100
MAX_NICKNAME = 32


class PlaceRoutes:
    """Who and where."""

    def __init__(self, rest: Rest, files_path: str) -> None:
        self._rest = rest
        self._world = rest.world
        self._files_path = files_path

    def add_to(self, app: web.Application) -> None:
        """Register the routes."""
        router = app.router
        router.add_get(f"{API}/users/@me", self.me)
        router.add_get(f"{API}/users/{{user_id}}", self.user)
        router.add_post(f"{API}/users/@me/channels", self.open_dm)
        router.add_get(f"{API}/oauth2/applications/@me", self.application)
        router.add_get(f"{API}/gateway", self.gateway)
        router.add_get(f"{API}/gateway/bot", self.gateway)
        router.add_get(f"{API}/channels/{{channel_id}}", self.channel)
        router.add_post(f"{API}/channels/{{channel_id}}/threads", self.open_thread)
        router.add_post(f"{API}/channels/{{channel_id}}/messages/{{message_id}}/threads", self.open_thread)
        router.add_put(f"{API}/channels/{{channel_id}}/thread-members/@me", self.join_thread)
        router.add_get(f"{API}/guilds/{{guild_id}}", self.guild)
        router.add_get(f"{API}/guilds/{{guild_id}}/channels", self.guild_channels)
        router.add_get(f"{API}/guilds/{{guild_id}}/roles", self.guild_roles)
        router.add_get(f"{API}/guilds/{{guild_id}}/threads/active", self.active_threads)
        router.add_get(f"{API}/guilds/{{guild_id}}/members/{{user_id}}", self.member)
        router.add_patch(f"{API}/guilds/{{guild_id}}/members/@me", self.rename)
        router.add_get(f"{self._files_path}/{{file_id}}/{{name}}", self.file)
        router.add_post(f"{API}/attachments/refresh-urls", self.refresh_links)

    async def me(self, _: web.Request) -> web.Response:
        """Return the bot."""
        return answer(user_payload(self._world.bot) | {"verified": True, "mfa_enabled": False})

    async def user(self, request: web.Request) -> web.Response:
        """Return anybody."""
        found = self._world.users.get(snowflake("user_id", request.match_info["user_id"]))
        if found is None:
            raise unknown_user()
        return answer(user_payload(found))

    async def open_dm(self, request: web.Request) -> web.Response:
        """Return the private chat with somebody; opening it is never refused, writing may be."""
        body, _ = await read_body(self._world, request)
        found = self._world.users.get(snowflake("recipient_id", body.get("recipient_id")))
        if found is None:
            raise unknown_user()
        if found is self._world.bot:
            raise Refusal(400, 50007, "Cannot send messages to this user")
        return answer(channel_payload(self._world.dm(found)))

    async def application(self, _: web.Request) -> web.Response:
        """Return the bot's application."""
        reads = bool(self._rest.gateway.allowed_intents & Intent.MESSAGE_CONTENT)
        return answer(application_payload(self._world, reads_messages=reads))

    async def gateway(self, request: web.Request) -> web.Response:
        """Return where events come from."""
        at_once = self._rest.gateway.max_concurrency
        limits = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": at_once}
        payload: Payload = {"url": self._rest.gateway.url}
        if request.path.endswith("/bot"):
            payload |= {"shards": self._rest.gateway.shards, "session_start_limit": limits}
        return answer(payload)

    async def channel(self, request: web.Request) -> web.Response:
        """Return any channel the bot may see."""
        return answer(channel_payload(self._visible(request)))

    async def open_thread(self, request: web.Request) -> web.Response:
        """Open a thread in a channel."""
        parent = self._visible(request)
        body, _ = await read_body(self._world, request)
        private = body.get("type") == 12
        needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
        if not permissions_in(parent, self._world.bot) & needed:
            raise missing_permissions()
        name = str(body.get("name") or "")
        if not 1 <= len(name) <= MAX_THREAD_NAME:
            raise too_long("name", MAX_THREAD_NAME)
        thread = self._world.thread(parent, name, self._world.bot, private=private)
        payload = channel_payload(thread)
        self._rest.gateway.dispatch_channel("THREAD_CREATE", thread, payload | {"newly_created": True})
        return answer(payload, 201)

    async def join_thread(self, request: web.Request) -> web.Response:
        """Let the bot join a thread."""
        self._visible(request).thread_member_ids.add(self._world.bot.id)
        return nothing()

    async def guild(self, request: web.Request) -> web.Response:
        """Return a server."""
        return answer(guild_payload(self._world, self._rest.guild(request)))

    async def guild_channels(self, request: web.Request) -> web.Response:
        """Return a server's channels without threads; REST also lists those one cannot enter."""
        guild = self._rest.guild(request)
        return answer([channel_payload(c) for c in guild.channels if not c.is_thread])

    async def guild_roles(self, request: web.Request) -> web.Response:
        """Return a server's roles."""
        guild = self._rest.guild(request)
        return answer([role_payload(role) for role in (guild.everyone, *guild.roles)])

    async def active_threads(self, request: web.Request) -> web.Response:
        """Return a server's open threads that the bot may see."""
        guild = self._rest.guild(request)
        threads = [channel_payload(c) for c in guild.channels if c.is_thread and not c.archived and self._world.bot_sees(c)]
        return answer({"threads": threads, "members": []})

    async def member(self, request: web.Request) -> web.Response:
        """Return a server's member."""
        guild = self._rest.guild(request)
        found = guild.members.get(snowflake("user_id", request.match_info["user_id"]))
        if found is None:
            raise unknown_member()
        return answer(member_payload(found))

    async def rename(self, request: web.Request) -> web.Response:
        """Give the bot another name in a server; an empty one gives back its own."""
        guild = self._rest.guild(request)
        member = guild.members[self._world.bot.id]
        body, _ = await read_body(self._world, request)
        if not permissions_in_guild(guild, self._world.bot) & Permission.CHANGE_NICKNAME:
            raise missing_permissions()
        nick = str(body.get("nick") or "").strip()
        if len(nick) > MAX_NICKNAME:
            raise too_long("nick", MAX_NICKNAME)
        member.nick = nick or None
        data = member_payload(member) | {"guild_id": str(guild.id)}
        self._rest.gateway.dispatch("GUILD_MEMBER_UPDATE", data, guild_id=guild.id)
        self._rest.changes.notify()
        return answer(member_payload(member))

    async def file(self, request: web.Request) -> web.Response:
        """Return the bytes of an attachment, as Discord's file host does without a token."""
        found = self._world.files.get(int(request.match_info["file_id"]))
        if found is None or request.query.get("hm") != str(found.signature):
            raise web.HTTPNotFound
        if found.moved_to:
            raise web.HTTPFound(found.moved_to)
        return web.Response(body=found.data, content_type=found.content_type.split(";")[0])

    async def refresh_links(self, request: web.Request) -> web.Response:
        """Return links that work again."""
        body, _ = await read_body(self._world, request)
        renewed = []
        for original in body.get("attachment_urls") or ():
            found = self._world.files.get(int(URL(original).parts[-2]))
            if found is not None:
                renewed.append({"original": original, "refreshed": attachment_url(found, self._rest.gateway.files_url)})
        return answer({"refreshed_urls": renewed})

    def _visible(self, request: web.Request) -> Channel:
        channel = self._rest.channel(request)
        if not self._world.bot_sees(channel):
            raise missing_access()
        return channel
