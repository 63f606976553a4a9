"""The emulator itself: starts on a free loopback port, stops at once, breaks on demand."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from aiohttp import web

from tests.emulators.changes import PATIENCE_SECONDS, Changes
from tests.emulators.discord.clock import Clock
from tests.emulators.discord.deeds import Deeds
from tests.emulators.discord.faults import LoseAnswer, ServerError
from tests.emulators.discord.gateway import Gateway
from tests.emulators.discord.interactions import Interactions
from tests.emulators.discord.limits import RateLimits, TooMany
from tests.emulators.discord.objects import Channel, User
from tests.emulators.discord.posting import Post
from tests.emulators.discord.rest import API, Call, Rest, guard
from tests.emulators.discord.rest_commands import CommandRoutes
from tests.emulators.discord.rest_interactions import InteractionRoutes
from tests.emulators.discord.rest_messages import MessageRoutes
from tests.emulators.discord.rest_places import PlaceRoutes
from tests.emulators.discord.rest_webhooks import WebhookRoutes
from tests.emulators.discord.state import World

LOOPBACK = "127.0.0.1"
GATEWAY_PATH = "/gateway"
FILES_PATH = "/attachments"
MAX_UPLOAD = 32 * 1024 * 1024


class DiscordEmulator(Deeds):
    """One Discord with one bot account. Use it as an async context manager."""

    def __init__(self, clock: Clock = time.time, *, port: int = 0) -> None:
        changes = Changes()
        self.world = World(clock)
        self.changes = changes
        self.gateway = Gateway(self.world, changes)
        self.interactions = Interactions()
        post = Post(self.world, self.gateway, changes)
        super().__init__(self.world, self.gateway, self.interactions, changes, post)
        self.limits = RateLimits(clock)
        self.rest = Rest(self.world, self.gateway, post, self.interactions, changes, self.limits)
        self.more_routes: list[Callable[[web.Application], None]] = []
        self._port = port
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    @property
    def api_base(self) -> str:
        """Return the address of the REST API, version included."""
        return f"http://{LOOPBACK}:{self._port}{API}"

    @property
    def gateway_url(self) -> str:
        """Return the address of the gateway."""
        return f"ws://{LOOPBACK}:{self._port}{GATEWAY_PATH}"

    @property
    def token(self) -> str:
        """Return the bot's token."""
        return self.world.token

    @property
    def bot(self) -> User:
        """Return the bot's user."""
        return self.world.bot

    @property
    def calls(self) -> list[Call]:
        """Return the REST requests so far."""
        return self.rest.calls

    def calls_to(self, method: str, path_part: str) -> list[Call]:
        """Return the requests of the method whose path contains the text."""
        return [c for c in self.calls if c.method == method and path_part in c.path]

    async def start(self) -> None:
        """Listen; with port 0 on one that is free."""
        app = web.Application(middlewares=[guard(self.rest)], client_max_size=MAX_UPLOAD)
        app.router.add_get(GATEWAY_PATH, self.gateway.handle)
        interactions = InteractionRoutes(self.rest)
        for routes in (
            PlaceRoutes(self.rest, FILES_PATH),
            MessageRoutes(self.rest),
            CommandRoutes(self.rest),
            WebhookRoutes(self.rest, interactions),
            interactions,
        ):
            routes.add_to(app)
        for add_to in self.more_routes:
            add_to(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, LOOPBACK, self._port)
        await site.start()
        self._port = int(self._runner.addresses[0][1])
        self.gateway.url = self.gateway_url
        self.gateway.files_url = f"http://{LOOPBACK}:{self._port}{FILES_PATH}"

    async def stop(self) -> None:
        """Cut every connection and stop listening; the world stays as it is."""
        self.gateway.cut_all()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def connected(self, *, timeout: float = PATIENCE_SECONDS) -> None:
        """Wait until a client has identified or resumed."""
        await self.changes.until(lambda: self.gateway.sessions.connected, "a client", timeout=timeout)

    async def commands_registered(self, *, timeout: float = PATIENCE_SECONDS) -> None:
        """Wait until there are global slash commands."""
        await self.changes.until(lambda: self.world.commands[None], "slash commands", timeout=timeout)

    async def drop_gateway(self, code: int | None = None) -> None:
        """Cut the clients' connections, or close them with the code; they may resume."""
        if code is None:
            self.gateway.cut_all()
            await self.changes.until(lambda: not self.gateway.sessions.connected, "the cut")
        else:
            await self.gateway.close_all(code)

    def ask_to_reconnect(self) -> None:
        """Send op 7."""
        self.gateway.send_to_all({"op": 7, "d": None, "s": None, "t": None})

    def invalidate_sessions(self) -> None:
        """Send op 9: clients must identify anew."""
        self.gateway.send_to_all({"op": 9, "d": False, "s": None, "t": None})
        self.gateway.forget_sessions()

    def outage(self, status: int | None = 503) -> None:
        """Answer every REST request with the status, until called with None."""
        self.rest.outage_status = status

    def fail_next(self, status: int, *, method: str = "", path: str = "", times: int = 1) -> None:
        """Answer the next requests with a page of HTML."""
        self.rest.faults.plan(ServerError(status), method=method, path=path, times=times)

    def lose_next_answer(self, *, method: str = "POST", path: str = "", times: int = 1) -> None:
        """Do what the next requests ask, but cut the connection before the answer."""
        self.rest.faults.plan(LoseAnswer(), method=method, path=path, times=times)

    def rate_limit_next(
        self,
        retry_after: float,
        *,
        method: str = "",
        path: str = "",
        times: int = 1,
        everywhere: bool = False,
    ) -> None:
        """Answer the next requests with 429."""
        trouble = TooMany(retry_after, is_global=everywhere)
        self.rest.faults.plan(trouble, method=method, path=path, times=times)

    def typing_in(self, channel: Channel) -> int:
        """Return how often the bot showed that it is typing in the channel."""
        return self.rest.typing.count(channel.id)
