"""What the files of a turn's messages say: pictures for models that see, the text of documents, the words of voice messages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import structlog

from bot.conversation.described import label
from bot.domain.message import Attachment, StoredMessage
from bot.domain.model import Image
from bot.domain.turn import Turn
from bot.errors import FileUnavailable
from bot.memory.past.index import reindex
from bot.ports.files import Documents, Transcriber
from bot.ports.platform import FileSource, Platform
from bot.ports.store import Store

MOST_IMAGES = 4
"""Pictures of a turn that a model is shown."""
IMAGE_BYTES = 5 * 1024 * 1024
DOCUMENT_BYTES = 10 * 1024 * 1024
VOICE_BYTES = 20 * 1024 * 1024
VOICE_SECONDS = 300
PDF = "application/pdf"
NO_TRANSCRIBER = "nobody has set up how to listen to voice messages"

_BEGINNINGS: Mapping[bytes, str] = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class FileReader:
    """Looks at files when their message is answered. Until then, the store knows where they can be had."""

    platforms: Mapping[str, Platform]
    documents: Documents | None = None
    transcriber: Transcriber | None = None

    async def read(self, store: Store, turn: Turn, *, sees: bool) -> tuple[Turn, tuple[Image, ...]]:
        """Return the turn with what its files say, and pictures where the model sees any. What is read is stored, and not read twice."""
        source = self.platforms[turn.conversation.platform]
        if not isinstance(source, FileSource):
            return turn, ()
        async with store.read() as tx:
            files = await tx.messages.files([message.id for message in turn.messages])
        if not files:
            return turn, ()
        messages = [await self._told(store, source, message, files.get(message.id, ())) for message in turn.messages]
        pictures = [file for message in messages for file in files.get(message.id, ()) if file.media_type.startswith("image/")]
        images = await _images(source, pictures[-MOST_IMAGES:]) if sees else ()
        return replace(turn, messages=tuple(messages)), images

    async def _told(self, store: Store, source: FileSource, message: StoredMessage, files: Sequence[Attachment]) -> StoredMessage:
        """Return a message whose text tells what its documents and voice messages say."""
        readable = [file for file in files if file.media_type == PDF or file.is_voice]
        if not readable:
            return message
        told = [(label(file), await self._words(source, file)) for file in readable]
        async with store.write() as tx:
            now = await tx.messages.several(message.conversation, [message.id])  # its author may have changed it meanwhile
            text = now[0].text if now else message.text
            for line, words in told:
                text = text.replace(line, words, 1)
            await tx.messages.tell_files(message.id, text, [file for file in files if file not in readable])
            await reindex(tx, replace(message, text=text))
        return replace(message, text=text)

    async def _words(self, source: FileSource, file: Attachment) -> str:
        """Return what stands in a file's place: its label with what it says, or with why it says nothing."""
        try:
            return await (self._spoken(source, file) if file.is_voice else self._document(source, file))
        except FileUnavailable as problem:
            log.info("file_not_read", kind=file.media_type, problem=str(problem))
            return label(file, note=f"not read: {problem}")

    async def _document(self, source: FileSource, file: Attachment) -> str:
        if self.documents is None:
            return label(file)
        text = await self.documents.read(await source.fetch(file, limit=DOCUMENT_BYTES))
        return f"{label(file)}\n{text}" if text else label(file, note="no text in it")

    async def _spoken(self, source: FileSource, file: Attachment) -> str:
        """Return the words before the label: they are the speaker's own, not something that came along."""
        if self.transcriber is None:
            raise FileUnavailable(NO_TRANSCRIBER)
        if file.duration_seconds > VOICE_SECONDS:
            raise FileUnavailable(f"longer than {VOICE_SECONDS // 60} minutes")
        words = await self.transcriber.write_down(await source.fetch(file, limit=VOICE_BYTES), file.name)
        return f"{words}\n{label(file, note='written down above')}"


async def _images(source: FileSource, files: Sequence[Attachment]) -> tuple[Image, ...]:
    found = []
    for file in files:
        try:
            data = await source.fetch(file, limit=IMAGE_BYTES)
        except FileUnavailable as problem:
            log.info("image_not_shown", problem=str(problem))
            continue
        if kind := _kind_of(data):
            found.append(Image(kind, data))
    return tuple(found)


def _kind_of(data: bytes) -> str:
    """Return which kind of picture these bytes are, whatever their name says; empty for none that models know."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in _BEGINNINGS.items() if data.startswith(beginning)), "")
