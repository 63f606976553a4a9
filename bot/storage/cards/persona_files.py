"""Cards and packs behind the port, worked on beside everything else."""

import asyncio
from dataclasses import dataclass

from bot.domain.card import Card, CardKind
from bot.domain.command import AnswerFile, UploadedFile
from bot.domain.lore import Lorebook
from bot.domain.persona import Avatar, Persona
from bot.ports.persona_files import Arrival, FileKind, LeftFile
from bot.storage.cards.archive import unpacked
from bot.storage.cards.codec import read_avatar, read_card, write_card
from bot.storage.cards.jsontext import read_object
from bot.storage.cards.pack import Pack, picture, read_pack, write_pack
from bot.storage.cards.persona import card_of, persona_of, plain_lore
from bot.storage.cards.world import is_world, read_world
from bot.storage.persona_text import text_of

_ZIP, _PERSONA_FILE = b"PK\x03\x04", ".md"
_BEFORE_JSON = b"\xef\xbb\xbf \t\r\n"
_CARD_KINDS = {FileKind.PNG: CardKind.PNG, FileKind.JSON: CardKind.JSON, FileKind.CHARX: CardKind.CHARX}


@dataclass(frozen=True, slots=True)
class CardFiles:
    """Fulfils `bot.ports.persona_files.PersonaFiles`."""

    async def read(self, file: UploadedFile) -> Arrival:
        """Return the persona of a file."""
        return await asyncio.to_thread(arrival_in, file.content)

    async def read_lore(self, file: UploadedFile) -> Lorebook | None:
        """Return the lorebook of a file."""
        return await asyncio.to_thread(lore_in, file.content)

    async def read_avatar(self, file: UploadedFile) -> Avatar:
        """Return a picture."""
        return await asyncio.to_thread(picture, file.content)

    async def write(self, persona: Persona, avatar: Avatar | None, kind: FileKind) -> AnswerFile:
        """Return a persona as a file."""
        content = await asyncio.to_thread(file_of, persona, avatar, kind)
        return AnswerFile(f"{persona.id}.{'zip' if kind is FileKind.PACK else kind.value}", content)

    async def check(self, persona: Persona) -> None:
        """Raise PersonaError where no file could describe it."""
        await asyncio.to_thread(text_of, persona)


def arrival_in(data: bytes) -> Arrival:
    """Return what a file brings. Raises CardRefused."""
    if data.startswith(_ZIP) and any(path.endswith(_PERSONA_FILE) for path in unpacked(data, "the archive")):
        pack = read_pack(data)
        return Arrival(pack.persona, pack.avatar)
    card = read_card(data)
    content = read_avatar(data)
    left = tuple(LeftFile(file.path, len(file.content)) for file in card.files if not content or file.path not in _icons(card))
    return Arrival(persona_of(card), picture(content) if content else None, left_behind=left)


def lore_in(data: bytes) -> Lorebook | None:
    """Return the lorebook that a file holds alone. Raises CardRefused."""
    if not data.lstrip(_BEFORE_JSON).startswith(b"{"):
        return None
    value = read_object(data, "the file")
    return plain_lore(read_world(value)) if is_world(value) else None


def _icons(card: Card) -> frozenset[str]:
    """Return where the pictures of a card are of which one becomes the avatar, if there is only one."""
    icons = [asset.uri for asset in card.assets or () if asset.kind == "icon"]
    return frozenset(uri.removeprefix("embeded://") for uri in icons) if len(icons) == 1 else frozenset()


def file_of(persona: Persona, avatar: Avatar | None, kind: FileKind) -> bytes:
    """Return a persona as the bytes of a file. Raises CardRefused, or PersonaError where none could describe it."""
    if kind is FileKind.PACK:
        return write_pack(Pack(persona, avatar))
    content = avatar.content if avatar else None
    return write_card(card_of(persona), _CARD_KINDS[kind], avatar=content)
