"""What Telegram's refusals mean for those who wait."""

from collections.abc import Mapping

from telegram.error import BadRequest, Conflict, Forbidden, InvalidToken, TelegramError

from bot.errors import DeliveryDelayed, DeliveryRefused, PlatformError
from bot.platforms.telegram.request import Flooded
from bot.platforms.telegram.tuning import Tuning

OTHER_PROGRAM = (
    "Another program fetches updates with this bot's token. Stop the other one, or give this bot a token of its own; trying again."
)
NOT_LOGGED_IN = "Telegram refuses the token. Copy the bot's token from @BotFather into TELEGRAM_TOKEN and start again."

_MAY_NOT_WRITE = "The bot may not write there. Let members send messages in the group's permissions, or make it an administrator."
_IN_WORDS: Mapping[str, str] = {
    "topic_closed": "The topic is closed. Reopen it, or make the bot an administrator who may manage topics.",
    "thread not found": "The topic is gone.",
    "not enough rights": _MAY_NOT_WRITE,
    "chat_write_forbidden": _MAY_NOT_WRITE,
    "bot was kicked": "The bot was taken out of the group. Add it again.",
    "bot is not a member": "The bot is not in the group any more. Add it again.",
    "bot was blocked": "This person has blocked the bot.",
    "user is deactivated": "This account was deleted.",
    "chat not found": "The chat is gone.",
}
"""What Telegram says in short, and what to do about it."""


def delivery_error(error: TelegramError, tuning: Tuning) -> PlatformError:
    """Return what a failed call means for a delivery: to wait, or to give up."""
    if isinstance(error, Forbidden | BadRequest):
        known = next((words for said, words in _IN_WORDS.items() if said in error.message.casefold()), "")
        return DeliveryRefused(known or f"Telegram does not take it: {error.message}")
    if isinstance(error, InvalidToken):
        return DeliveryDelayed(NOT_LOGGED_IN, retry_after=tuning.longest_wait, everywhere=True)
    return DeliveryDelayed(described(error), retry_after=tuning.wait_after(1, error), everywhere=not isinstance(error, Flooded))


def described(error: TelegramError) -> str:
    """Return one line for operators; never the token, which some texts of the library hold."""
    match error:
        case InvalidToken():
            return NOT_LOGGED_IN
        case Conflict():
            return OTHER_PROGRAM
        case _:
            return f"{type(error).__name__}: {error.message}"


def says(error: BadRequest, words: str) -> bool:
    """Return whether a refusal holds these words; the library changes the case of its texts."""
    return words.casefold() in error.message.casefold()
