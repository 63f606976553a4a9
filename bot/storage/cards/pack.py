"""Persona packs: one file that brings a persona, its picture and its lore to another installation."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.domain.lore import NO_LORE
from bot.domain.persona import Avatar, Persona
from bot.domain.tool import JsonValue
from bot.errors import CardRefused, PersonaError
from bot.storage.cards.archive import packed, unpacked
from bot.storage.cards.book import book_value, read_book
from bot.storage.cards.codec import MOST_FILE_BYTES, card_text
from bot.storage.cards.jsontext import clean, read_object, written
from bot.storage.cards.persona import plain_lore
from bot.storage.cards.png import SIGNATURE, read_png
from bot.storage.cards.spec import card_of_json
from bot.storage.cards.world import LORE_SPEC
from bot.storage.persona_files import is_costly
from bot.storage.persona_text import persona_from, text_of

MOST_TEXT = 300_000
"""Bytes of a pack's persona file."""
MOST_AVATAR = 8_000_000
_LORE, _CARD, _AVATAR = "lore.json", "card.json", "avatar."
_KINDS: Mapping[str, str] = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
_BEGINNINGS = {"image/png": SIGNATURE, "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8", "image/webp": b"RIFF"}


@dataclass(frozen=True, slots=True)
class Pack:
    """A persona with all that belongs to it."""

    persona: Persona
    avatar: Avatar | None = None


def write_pack(pack: Pack) -> bytes:
    """Return a pack as a file: a ZIP archive with `<id>.md`, and `lore.json`, `card.json` and the avatar where there are any.

    Raises PersonaError for a persona that no file can describe, and CardRefused for a picture of an unknown kind.
    """
    persona = pack.persona
    files = {f"{persona.id}.md": text_of(replace(persona, lore=NO_LORE, card="")).encode()}
    if persona.lore != NO_LORE:
        lore: dict[str, JsonValue] = {"spec": LORE_SPEC, "data": book_value(persona.lore)}
        files[_LORE] = written(lore).encode()
    if persona.card:
        files[_CARD] = persona.card.encode()
    if pack.avatar:
        files[_AVATAR + _ending(pack.avatar)] = pack.avatar.content
    return packed(files)


def read_pack(data: bytes) -> Pack:
    """Return the pack of a file. Raises CardRefused, with what to do, for one that is none, is broken, too big or hostile."""
    if len(data) > MOST_FILE_BYTES:
        raise CardRefused(f"the pack has {len(data):,} bytes; {MOST_FILE_BYTES:,} are the most. Use a smaller avatar.")
    files = unpacked(data, "the pack")
    texts = [path for path in files if path.endswith(".md")]
    pictures = [path for path in files if path.startswith(_AVATAR)]
    strange = files.keys() - {*texts, *pictures, _LORE, _CARD}
    if len(texts) != 1 or len(pictures) > 1 or strange:
        raise CardRefused(
            "this is no persona pack: it must hold one persona file, and beside it lore.json, card.json and one avatar at most."
        )
    persona = _persona(texts[0], files[texts[0]])
    if _LORE in files:
        persona = replace(persona, lore=plain_lore(read_book(_lore(files[_LORE]), _LORE)))
    if _CARD in files:
        card = card_of_json(read_object(files[_CARD], _CARD))
        persona = replace(persona, card=card_text(card).decode())
    return Pack(persona, _avatar(pictures[0], files[pictures[0]]) if pictures else None)


def _persona(path: str, content: bytes) -> Persona:
    if len(content) > MOST_TEXT:
        raise CardRefused(f"{path} in the pack has {len(content):,} bytes; {MOST_TEXT:,} are the most. Shorten it.")
    try:
        text = clean(content.decode("utf-8-sig").replace("\r\n", "\n"))
        if is_costly(text):
            raise CardRefused(f"{path} in the pack has a front matter that is too long, or uses YAML anchors; write it shorter.")
        return persona_from(path.removesuffix(".md"), text)
    except UnicodeDecodeError:
        raise CardRefused(f"{path} in the pack is not UTF-8; export the pack anew.") from None
    except PersonaError as error:
        raise CardRefused(f"{path} in the pack, line {error.line}: {error.problem}") from None


def _lore(content: bytes) -> dict[str, JsonValue]:
    value = read_object(content, _LORE)
    data = value.get("data")
    if value.get("spec") != LORE_SPEC or not isinstance(data, dict):
        raise CardRefused(f"{_LORE} in the pack is no lorebook: its `spec` must be {LORE_SPEC}, and its `data` the book. Export it anew.")
    return data


def picture(content: bytes, media_type: str = "") -> Avatar:
    """Return a picture as an avatar, without any text in a PNG. Raises CardRefused for another kind than told, or one that is unknown."""
    kind = next((kind for kind, beginning in _BEGINNINGS.items() if content.startswith(beginning)), "")
    if not kind or (media_type and kind != media_type) or len(content) > MOST_AVATAR:
        raise CardRefused(f"the avatar must be a PNG, JPEG, GIF or WebP picture of at most {MOST_AVATAR:,} bytes. Choose another.")
    return Avatar(kind, read_png(content, most_text=MOST_AVATAR).content if content.startswith(SIGNATURE) else content)


def _avatar(path: str, content: bytes) -> Avatar:
    return picture(content, _KINDS.get(path.removeprefix(_AVATAR), path))


def _ending(avatar: Avatar) -> str:
    endings = {kind: ending for ending, kind in _KINDS.items()}
    if avatar.media_type not in endings or not avatar.content.startswith(_BEGINNINGS[avatar.media_type]):
        raise CardRefused(f"the avatar is {avatar.media_type}; a pack takes PNG, JPEG, GIF and WebP. Set another avatar.")
    return endings[avatar.media_type]
