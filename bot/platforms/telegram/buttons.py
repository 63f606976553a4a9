"""What the buttons under a question carry. Telegram keeps 64 bytes a button."""

from dataclasses import dataclass

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Message

from bot.domain.chat import TELEGRAM, ConversationKey
from bot.domain.command import Confirmation

CANCEL_LABEL = "Cancel"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_YES, _YES_ELSEWHERE, _NO = "y", "e", "n"


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a pressed button says."""

    line: str
    """The command to run, confirmed; empty when the asker cancels."""
    asker_id: int | None = None
    """Who alone may press it; None in a private chat, where nobody else can."""
    asked_in: ConversationKey | None = None
    """Where the command was given, when that is not where the button stands."""


def keyboard(confirmation: Confirmation, *, asker_id: int, asked_in: ConversationKey | None = None) -> InlineKeyboardMarkup:
    """Return the two buttons of a question. `asked_in` is the group of a question that is put in private."""
    if asked_in is None:
        yes = f"{_YES}{_short(asker_id)}|{confirmation.line}"
    else:
        yes = f"{_YES_ELSEWHERE}{_short(int(asked_in.channel_id))}.{_short(int(asked_in.thread_id or 0))}|{confirmation.line}"
    no = f"{_NO}{_short(asker_id)}|"
    buttons = [InlineKeyboardButton(confirmation.label, callback_data=yes), InlineKeyboardButton(CANCEL_LABEL, callback_data=no)]
    return InlineKeyboardMarkup([buttons])


def read_button(data: str) -> Pressed | None:
    """Return what a button says, or None when it is none of ours."""
    head, bar, line = data.partition("|")
    kind, ids = head[:1], head[1:]
    try:
        match kind:
            case "y" | "n" if bar:
                return Pressed(line if kind == _YES else "", asker_id=int(ids, 36))
            case "e" if bar:
                chat, _, topic = ids.partition(".")
                chat_id, topic_id = str(int(chat, 36)), int(topic, 36)
                return Pressed(line, asked_in=ConversationKey(TELEGRAM, chat_id, chat_id, str(topic_id) if topic_id else ""))
            case _:
                return None
    except ValueError:
        return None


def carries(message: Message, data: str) -> bool:
    """Say whether one of a message's buttons says that. What a press says was written by the program of whoever pressed."""
    rows = message.reply_markup.inline_keyboard if message.reply_markup else ()
    return any(button.callback_data == data for row in rows for button in row)


def _short(number: int) -> str:
    digits, rest = "", abs(number)
    while rest:
        rest, digit = divmod(rest, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return ("-" if number < 0 else "") + (digits or "0")
