"""A message with a line for each file that came with it."""

from bot.domain.message import Attachment, IncomingMessage, MessageEdit
from bot.domain.text import one_line

FILE_CHARACTERS = 20_000
"""Characters of an attached text file that are kept."""
LONGEST_NAME = 100
"""Characters of a file's name, which its sender chose, that are kept."""


def described(message: IncomingMessage | MessageEdit) -> str:
    """Return the text of a message with a line for each attachment, and what attached text files say."""
    return "\n".join(part for part in (message.text, *map(_described, message.attachments)) if part)


def label(attachment: Attachment, *, note: str = "") -> str:
    """Return the line that stands for a file."""
    name, kind = one_line(attachment.name, LONGEST_NAME), one_line(attachment.media_type, LONGEST_NAME) or "unknown kind"
    lasts = f", {attachment.duration_seconds:.0f} seconds" if attachment.duration_seconds else ""
    spoken = "voice message, " if attachment.is_voice else ""
    said = f", {note}" if note else ""
    return f"[attached: {spoken}{name}, {kind}, {attachment.size_bytes:,} bytes{lasts}{said}]"


def _described(attachment: Attachment) -> str:
    if not attachment.text:
        return label(attachment)
    kept = attachment.text[:FILE_CHARACTERS]
    cut = f"\n[… cut: only the first {FILE_CHARACTERS:,} characters were read]" if len(attachment.text) > FILE_CHARACTERS else ""
    return f"{label(attachment)}\n{kept}{cut}"
