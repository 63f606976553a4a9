"""Between lines of a terminal and domain values; pure."""

from collections.abc import Sequence
from datetime import datetime

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import IncomingMessage, Part, Person

_DROPPED = dict.fromkeys([ord("\r"), 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "")
"""Carriage returns overwrite a line; the others turn the order of characters around."""
_PICTURED = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n\r"} | {0x7F: "␡"}
_REPLACED = dict.fromkeys(range(0x80, 0xA0), "�")
_VISIBLE = str.maketrans(_DROPPED | _PICTURED | _REPLACED)


def visible(text: str) -> str:
    """Return the text with nothing in it that steers a terminal; control characters stand as pictures, such as ␛."""
    return text.translate(_VISIBLE)


def to_incoming(text: str, *, message_id: str, conversation: ConversationKey, author: Person, at: datetime) -> IncomingMessage:
    """Return what was typed as a message to the persona."""
    return IncomingMessage(
        conversation=conversation,
        kind=ConversationKind.DIRECT,
        message_id=message_id,
        author=author,
        text=text,
        sent_at=at,
        addressed_to_bot=True,
    )


def to_parts(text: str) -> Sequence[Part]:
    """Return the text as one part, whatever its length, or as none when it is blank."""
    kept = text.strip()
    return (Part(kept),) if kept else ()
