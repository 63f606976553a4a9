"""Files that come with messages."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

import structlog
from telegram import Bot, Message
from telegram.error import TelegramError

from bot.domain.message import Attachment
from bot.domain.textfile import is_text_file, text_of

ADDRESS = "telegram-file:"
"""Before the id of a file; of a photo, the ids of its sizes, the largest first. A real address would hold the bot's token."""
SEPARATOR = ","
_SECONDS = 20.0

log = structlog.get_logger(__name__)


class _File(Protocol):
    @property
    def file_id(self) -> str: ...

    @property
    def file_size(self) -> int | None: ...

    def to_dict(self) -> dict[str, Any]: ...


def attachments_of(message: Message) -> tuple[Attachment, ...]:
    """Return the files of a message; of a photo its largest size."""
    return tuple(_attachments(message))


async def with_text(bot: Bot, attachment: Attachment) -> Attachment:
    """Return the attachment with what it says if it is a text file of a sensible size; what cannot be fetched stays unread."""
    if not is_text_file(attachment.media_type, attachment.size_bytes):
        return attachment
    try:
        file = await bot.get_file(attachment.url.removeprefix(ADDRESS), read_timeout=_SECONDS)
        content = await file.download_as_bytearray(read_timeout=_SECONDS)
    except TelegramError as error:
        log.warning("attachment_unread", platform="telegram", kind=type(error).__name__)
        return attachment
    return replace(attachment, text=text_of(content))


def _attachments(message: Message) -> Iterator[Attachment]:
    if message.photo:
        sizes = sorted(message.photo, key=lambda size: (size.file_size or 0, size.width * size.height), reverse=True)
        photo = _attachment(sizes[0], "photo.jpg", "image/jpeg")
        yield replace(photo, url=f"{ADDRESS}{SEPARATOR.join(size.file_id for size in sizes)}")
    if message.animation is not None:
        yield _attachment(message.animation, message.animation.file_name or "animation.mp4", message.animation.mime_type)
    elif message.document is not None:
        yield _attachment(message.document, message.document.file_name or "document", message.document.mime_type)
    if message.audio is not None:
        yield _attachment(message.audio, message.audio.file_name or "audio.mp3", message.audio.mime_type)
    if message.voice is not None:
        yield replace(_attachment(message.voice, "voice.ogg", message.voice.mime_type or "audio/ogg"), is_voice=True)
    if message.video is not None:
        yield _attachment(message.video, message.video.file_name or "video.mp4", message.video.mime_type)
    if message.video_note is not None:
        yield _attachment(message.video_note, "video note.mp4", "video/mp4")
    if message.sticker is not None and not message.sticker.emoji:
        yield _attachment(message.sticker, "sticker.webp", "image/webp")


def _attachment(file: _File, name: str, media_type: str | None) -> Attachment:
    seconds = file.to_dict().get("duration") or 0  # the attribute warns that it will be of another type one day
    return Attachment(name, media_type or "", file.file_size or 0, f"{ADDRESS}{file.file_id}", duration_seconds=float(seconds))
