"""The state of the emulated Telegram: accounts, chats, files, queries and what bots did."""

from dataclasses import dataclass, field

from tests.emulators.changes import Changes
from tests.emulators.telegram.bots import BotAccount
from tests.emulators.telegram.chats import Chat, ChatKind
from tests.emulators.telegram.clock import Clock
from tests.emulators.telegram.errors import Refusal, bad_request, forbidden
from tests.emulators.telegram.faults import Fault
from tests.emulators.telegram.feed import Feed
from tests.emulators.telegram.limits import SendingLimits
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.params import Params
from tests.emulators.telegram.people import User


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the Bot API as it came in."""

    bot: BotAccount
    method: str
    params: Params
    at: float


@dataclass(frozen=True, slots=True)
class ChatAction:
    """One "is typing…" that a bot showed."""

    chat_id: int
    thread_id: int | None
    action: str
    at: float


@dataclass(frozen=True, slots=True)
class Draft:
    """One state of a text that a bot streams."""

    chat_id: int
    draft_id: int
    text: str


@dataclass(slots=True)
class PressedButton:
    """One press of a button that waits for the bot's answer."""

    id: str
    bot: BotAccount
    message: Message
    user: User
    at: float
    answer: str | None = None
    alert: bool = False


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file that people or bots sent."""

    id: str
    name: str
    mime_type: str
    content: bytes


@dataclass(slots=True)
class World:
    """Everything the emulator knows."""

    clock: Clock
    limits: SendingLimits = field(default_factory=SendingLimits)
    bots: dict[str, BotAccount] = field(default_factory=dict)
    users: dict[int, User] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)
    presses: dict[str, PressedButton] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    sent: list[Message] = field(default_factory=list)
    actions: list[ChatAction] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)
    _counters: dict[str, int] = field(default_factory=dict)

    def number(self, series: str, first: int = 1) -> int:
        """Return the next number of a series."""
        value = self._counters.get(series, first)
        self._counters[series] = value + 1
        return value

    def seconds(self) -> int:
        """Return the time in whole seconds, as messages carry it."""
        return int(self.clock.now())

    def add_bot(self, token: str, user: User) -> BotAccount:
        """Register a bot under its token."""
        bot = BotAccount(token, user, Feed(self.clock))
        self.bots[token] = bot
        self.users[user.id] = user
        return bot

    def post(self, message: Message, kind: str = "message") -> None:
        """Keep a message in its chat and show it to every bot that may see it."""
        message.chat.messages[message.message_id] = message
        self.announce(message, kind)

    def announce(self, message: Message, kind: str) -> None:
        """Show a message, new or edited, to every bot that may see it."""
        for bot in self.bots.values():
            if bot.sees(message):
                bot.feed.push(kind, message.to_json())

    def chat_for(self, bot: BotAccount, chat_id: int) -> Chat:
        """Return the chat a bot wants to write to, or refuse as Telegram does."""
        chat = self.chats.get(chat_id)
        if chat is None:
            raise bad_request("chat not found")
        if chat.migrated_to is not None:
            raise Refusal(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                (("migrate_to_chat_id", chat.migrated_to),),
            )
        self._check_welcome(bot, chat)
        return chat

    def _check_welcome(self, bot: BotAccount, chat: Chat) -> None:
        if chat.kind is ChatKind.PRIVATE:
            if bot.user.id in chat.blocked_bots:
                raise forbidden("bot was blocked by the user")
            if bot.user.id not in chat.people:
                raise forbidden("bot can't initiate conversation with a user")
            return
        standing = chat.standing_of(bot.user.id)
        if standing == "kicked":
            raise forbidden(f"bot was kicked from the {chat.kind.value} chat")
        if standing == "left":
            raise forbidden(f"bot is not a member of the {chat.kind.value} chat")

    def fault_for(self, method: str, params: Params) -> Fault | None:
        """Return the trouble that meets this call, if a test ordered one."""
        return next((fault for fault in self.faults if fault.meets(method, params)), None)
