"""People and bots as Telegram knows them."""

from dataclasses import dataclass

ANONYMOUS_ADMIN_ID = 1087968824
CHANNEL_BOT_ID = 136817688
TELEGRAM_ID = 777000


@dataclass(frozen=True, slots=True)
class User:
    """One account: a person, a bot, or one of Telegram's service accounts."""

    id: int
    first_name: str
    last_name: str = ""
    username: str = ""
    is_bot: bool = False
    language_code: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the account as the Bot API writes it."""
        body: dict[str, object] = {
            "id": self.id,
            "is_bot": self.is_bot,
            "first_name": self.first_name,
        }
        if self.last_name:
            body["last_name"] = self.last_name
        if self.username:
            body["username"] = self.username
        if self.language_code:
            body["language_code"] = self.language_code
        return body


ANONYMOUS_ADMIN = User(ANONYMOUS_ADMIN_ID, "Group", username="GroupAnonymousBot", is_bot=True)
CHANNEL_BOT = User(CHANNEL_BOT_ID, "Channel", username="Channel_Bot", is_bot=True)
TELEGRAM = User(TELEGRAM_ID, "Telegram")
