"""What the buttons under an answer carry. Telegram keeps 64 bytes a button."""

from dataclasses import dataclass

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Message

from bot.domain.chat import TELEGRAM, ConversationKey
from bot.domain.command import Answer, Button, Confirmation, button_rows
from bot.wording.say import later, translated

CANCEL_LABEL = later("Cancel")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_YES, _YES_ELSEWHERE, _NO, _GO, _GO_ELSEWHERE, _ANSWER = "y", "e", "n", "g", "h", "q"
_IN_A_ROW = 3
MOST_BYTES = 64
CHOSEN = "✓ "


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a pressed button says."""

    line: str
    """The command to run; empty when the asker cancels."""
    confirms: bool = True
    """The button of a question, rather than one that only goes on: to a page, to a choice."""
    asker_id: int | None = None
    """Who alone may press it; None in a private chat, where nobody else can."""
    asked_in: ConversationKey | None = None
    """Where the command was given, when that is not where the button stands."""
    answers: bool = False
    """It answers a question for what a command lacks; `line` is the answer."""


def answering(asker_id: int, says: str) -> str:
    """Return what a button carries that answers a question for what a command lacks."""
    return f"{_ANSWER}{_short(asker_id)}|{says}"


def keyboard(answer: Answer, *, asker_id: int, asked_in: ConversationKey | None = None) -> InlineKeyboardMarkup | None:
    """Return the buttons below an answer, None where it has none. `asked_in` is the group of one that is given in private."""
    own = "" if asked_in is None else f"{_short(int(asked_in.channel_id))}.{_short(int(asked_in.thread_id or 0))}"
    yes, go = (f"{_YES_ELSEWHERE}{own}|", f"{_GO_ELSEWHERE}{own}|") if own else (f"{_YES}{_short(asker_id)}|", f"{_GO}{_short(asker_id)}|")
    carried = [button for button in answer.buttons if len(f"{go}{button.line}".encode()) <= MOST_BYTES]
    rows = [[_button(button, go) for button in row] for row in button_rows(carried, _IN_A_ROW)]
    if answer.confirmation is not None:
        rows.append(_question(answer.confirmation, yes, f"{_NO}{_short(asker_id)}|"))
    return InlineKeyboardMarkup(rows) if rows else None


def _question(confirmation: Confirmation, yes: str, no: str) -> list[InlineKeyboardButton]:
    confirm = InlineKeyboardButton(confirmation.label, callback_data=f"{yes}{confirmation.line}")
    return [confirm, InlineKeyboardButton(translated(CANCEL_LABEL), callback_data=no)]


def _button(button: Button, go: str) -> InlineKeyboardButton:
    return InlineKeyboardButton(f"{CHOSEN if button.chosen else ''}{button.label}", callback_data=f"{go}{button.line}")


def read_button(data: str) -> Pressed | None:
    """Return what a button says, or None when it is none of ours."""
    head, bar, line = data.partition("|")
    kind, ids = head[:1], head[1:]
    try:
        match kind:
            case "y" | "n" | "g" if bar:
                return Pressed("" if kind == _NO else line, kind != _GO, asker_id=int(ids, 36))
            case "q" if bar:
                return Pressed(line, confirms=False, asker_id=int(ids, 36), answers=True)
            case "e" | "h" if bar:
                chat, _, topic = ids.partition(".")
                chat_id, topic_id = str(int(chat, 36)), int(topic, 36)
                asked_in = ConversationKey(TELEGRAM, chat_id, chat_id, str(topic_id) if topic_id else "")
                return Pressed(line, kind != _GO_ELSEWHERE, asked_in=asked_in)
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
