"""Bot accounts: what Telegram keeps for each token."""

import asyncio
from dataclasses import dataclass, field

from tests.emulators.telegram.chats import Chat, ChatKind
from tests.emulators.telegram.feed import Feed
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.people import User
from tests.emulators.telegram.webhook import Webhook


@dataclass(frozen=True, slots=True)
class MenuCommand:
    """One line of a bot's command menu."""

    command: str
    description: str


@dataclass(slots=True)
class BotAccount:
    """One bot: its token, its account, its updates and its menu."""

    token: str
    user: User
    feed: Feed
    reads_all: bool = False
    hears_bots: bool = False
    webhook: Webhook | None = None
    delivery: "asyncio.Task[None] | None" = None
    menus: dict[tuple[str, str], list[MenuCommand]] = field(default_factory=dict)

    def sees(self, message: Message) -> bool:
        """Return whether Telegram shows this message to the bot, privacy mode respected."""
        chat = message.chat
        if message.sender is not None and message.sender.id == self.user.id:
            return False
        if chat.kind is ChatKind.PRIVATE:
            return self.user.id in chat.people
        if self.user.id not in chat.people:
            return False
        if message.sender is not None and message.sender.is_bot and message.sender_chat is None:
            return self.hears_bots
        return (
            self.reads_all
            or bool(message.service)
            or chat.kind is ChatKind.CHANNEL
            or chat.is_admin(self.user.id)
            or self._is_meant(message, chat)
        )

    def _is_meant(self, message: Message, chat: Chat) -> bool:
        replied = message.reply_to
        if replied is not None and replied.sender is not None and replied.sender.id == self.user.id:
            return True
        mention = f"@{self.user.username}".lower()
        for kind, marked in message.spans:
            if kind == "mention" and marked.lower() == mention:
                return True
            if kind == "bot_command" and self._is_for_me(marked.lower(), chat):
                return True
        return any(
            entity.type == "text_mention" and entity.user is not None and entity.user.id == self.user.id for entity in message.entities
        )

    def _is_for_me(self, command: str, chat: Chat) -> bool:
        name, at, addressee = command.partition("@")
        if at:
            return addressee == self.user.username.lower()
        bots = [person for person in chat.people.values() if person.is_bot]
        return bool(name) and len(bots) == 1

    def to_json(self) -> dict[str, object]:
        """Return the account as getMe gives it."""
        return {
            **self.user.to_json(),
            "can_join_groups": True,
            "can_read_all_group_messages": self.reads_all,
            "supports_inline_queries": False,
            "can_connect_to_business": False,
            "has_main_web_app": False,
        }
