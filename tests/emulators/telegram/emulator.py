"""The whole emulator in one object: start it, play people, look at what the bot did."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from aiohttp import web

from tests.emulators.changes import PATIENCE_SECONDS
from tests.emulators.telegram.chats import Chat
from tests.emulators.telegram.clock import Clock, ManualClock
from tests.emulators.telegram.crowd import Crowd
from tests.emulators.telegram.faults import Fault, Trouble, any_call
from tests.emulators.telegram.limits import SendingLimits
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.methods.updates import stop_delivery
from tests.emulators.telegram.params import Params
from tests.emulators.telegram.people import User
from tests.emulators.telegram.scenery import Scenery
from tests.emulators.telegram.server import BotApi
from tests.emulators.telegram.world import World

TOKEN = "7000001:emulated-token-of-no-worth"
BOT = User(7_000_001, "Baku", username="baku_bot", is_bot=True)
CLOSING_SECONDS = 0.1


class TelegramEmulator:
    """A Bot API on a local port; `async with` starts and stops it."""

    def __init__(
        self,
        *,
        clock: Clock | None = None,
        limits: SendingLimits | None = None,
        port: int = 0,
    ) -> None:
        self.clock = clock or ManualClock()
        self.world = World(self.clock, limits or SendingLimits())
        self.bot = self.world.add_bot(TOKEN, BOT)
        self.token = TOKEN
        self.scene = Scenery(self.world, self.bot)
        self.people = Crowd(self.world, self.bot)
        self.application = BotApi(self.world).application()
        self._port = port
        self._runner: web.AppRunner | None = None
        self._taken: dict[int, int] = {}

    @property
    def api_base(self) -> str:
        """The address to put in front of /bot<token>."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def sent(self) -> list[Message]:
        """Every message that bots sent, in order."""
        return self.world.sent

    async def __aenter__(self) -> Self:
        """Open the port."""
        self._runner = web.AppRunner(self.application, access_log=None, handler_cancellation=True, shutdown_timeout=CLOSING_SECONDS)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = int(self._runner.addresses[0][1])
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Close the port and everything that waits."""
        await self.go_down()
        for bot in self.world.bots.values():
            await stop_delivery(bot)

    async def go_down(self) -> None:
        """Close the port and cut every connection; the state is kept."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def come_back(self) -> None:
        """Open the same port again."""
        self.application = BotApi(self.world).application()
        await self.__aenter__()

    def advance(self, seconds: float) -> None:
        """Move the manual clock on."""
        if not isinstance(self.clock, ManualClock):
            raise TypeError("Only a ManualClock can be moved.")
        self.clock.advance(seconds)

    def sent_to(self, chat: Chat) -> list[Message]:
        """Return what bots sent to one chat, in order."""
        return [message for message in self.sent if message.chat is chat]

    async def next_reply(self, chat: Chat, *, seconds: float = PATIENCE_SECONDS) -> Message:
        """Return the next message of a bot in this chat that no test has taken yet."""
        index = self._taken.get(chat.id, 0)
        await self.world.changes.until(lambda: len(self.sent_to(chat)) > index, "a reply", timeout=seconds)
        self._taken[chat.id] = index + 1
        return self.sent_to(chat)[index]

    def take_replies(self, chat: Chat) -> None:
        """Take all that bots have sent in this chat: the next reply is one that is not there yet."""
        self._taken[chat.id] = len(self.sent_to(chat))

    async def until(self, condition: Callable[[], bool], *, seconds: float = PATIENCE_SECONDS) -> None:
        """Return once `condition` holds; it is looked at after every call of the bot."""
        await self.world.changes.until(condition, "what the test waits for", timeout=seconds)

    async def all_acknowledged(self, *, seconds: float = PATIENCE_SECONDS) -> None:
        """Return once the bot has acknowledged every update."""
        await self.world.changes.until(lambda: not self.bot.feed.pending, "the acknowledgement", timeout=seconds)

    def calls(self, method: str) -> list[Params]:
        """Return the parameters of every call of one method so far."""
        return [call.params for call in self.world.calls if call.method.lower() == method.lower()]

    def count(self, method: str) -> int:
        """Return how often a method was called so far."""
        return len(self.calls(method))

    def fail(
        self,
        method: str,
        trouble: Trouble,
        *,
        times: int = 1,
        when: Callable[[Params], bool] = any_call,
    ) -> Fault:
        """Let the next `times` calls of a method for which `when` holds meet a trouble."""
        fault = Fault(method, trouble, times, when)
        self.world.faults.append(fault)
        return fault
