"""Character cards as files: PNG, JSON and CHARX are read as a whole or refused, and written so that nothing is lost."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import replace

from bot.domain.card import Card, CardAsset, CardFile, CardKind
from bot.errors import CardRefused
from bot.storage.cards.archive import is_safe, packed, unpacked
from bot.storage.cards.jsontext import MOST_BYTES, read_object, written
from bot.storage.cards.png import SIGNATURE, plain_picture, read_png, with_texts
from bot.storage.cards.spec import V2, V3, card_of_json, json_of_card

MOST_FILE_BYTES = 16_000_000
"""Of a file with a card."""
_MOST_PACKED_TEXT = 4_000_000
_ZIP, _JPEG = b"PK\x03\x04", b"\xff\xd8\xff"
_CARD = "card.json"
_OLD, _NEW = "chara", "ccv3"
_PNG_FILE = "chara-ext-asset_:"
_MOST_KEYWORD = 79
"""Characters that a PNG takes as the name of a text."""
_IN_ARCHIVE, _IN_PNG = "embeded://", "__asset:"
"""How cards point to files that they carry; the spelling is the format's."""
_AVATAR_PATH = "assets/icon/images/main.png"
_MAIN, _ICON = "main", "icon"


def read_card(data: bytes) -> Card:
    """Return the card of a file. Raises CardRefused, with what to do, for one that is none, is broken, too big or hostile."""
    if len(data) > MOST_FILE_BYTES:
        raise CardRefused(f"the file has {len(data):,} bytes; {MOST_FILE_BYTES:,} are the most. Use a smaller picture or leave out assets.")
    if data.startswith(SIGNATURE):
        return _from_png(data)
    if data.startswith((_ZIP, _JPEG)):
        return _from_archive(data)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return card_of_json(read_object(data, "the card"))
    raise CardRefused("the file is neither PNG, JSON nor CHARX; choose the file of a character card.")


def read_avatar(data: bytes) -> bytes:
    """Return the main picture of a file that `read_card` takes, without any text in it; empty when it has none."""
    if data.startswith(SIGNATURE):
        return read_png(data, most_text=_MOST_PACKED_TEXT).content
    card = read_card(data)
    icons = [asset for asset in card.assets or () if asset.kind == _ICON]
    chosen = [asset.uri for asset in icons if asset.name == _MAIN] + [asset.uri for asset in icons]
    files = {_IN_ARCHIVE + file.path: file.content for file in card.files}
    content = next((files[uri] for uri in chosen if uri in files), b"")
    return read_png(content, most_text=_MOST_PACKED_TEXT).content if content.startswith(SIGNATURE) else content


def write_card(card: Card, kind: CardKind, *, avatar: bytes | None = None) -> bytes:
    """Return a card as a file: a PNG holds versions 2 and 3, JSON and CHARX version 3. Without an avatar a PNG gets a plain picture.

    Raises CardRefused for a card that this kind of file cannot hold.
    """
    match kind:
        case CardKind.JSON:
            if card.files:
                raise CardRefused("the card carries files, which JSON cannot hold; export it as CHARX.")
            return card_text(card)
        case CardKind.PNG:
            return _to_png(card, avatar)
        case CardKind.CHARX:
            return _to_archive(card, avatar)


def card_text(card: Card, spec: str = V3) -> bytes:
    """Return a card as JSON, in the version of `spec`. Raises CardRefused for one that is too long to be read again."""
    text = written(json_of_card(card, spec)).encode()
    if len(text) > MOST_BYTES:
        raise CardRefused(f"the card has {len(text):,} bytes of text; {MOST_BYTES:,} are the most. Shorten its lorebook.")
    return text


def _from_png(data: bytes) -> Card:
    texts = read_png(data, most_text=_MOST_PACKED_TEXT).texts
    named = {keyword.casefold(): text for keyword, text in texts.items()}
    found = named.get(_NEW) or named.get(_OLD)
    if not found:
        raise CardRefused("the PNG is a picture without a card. Fetch the original file: chats and image hosts often take the card out.")
    value = read_object(_decoded(found), "the card in the PNG")
    bodies = {key.removeprefix(_PNG_FILE): text for key, text in texts.items() if key.startswith(_PNG_FILE)}
    if unsafe := [path for path in bodies if not is_safe(path)]:
        raise CardRefused(f"the PNG carries a file with an unsafe name, {unsafe[0][:60]!r}. Nothing was taken.")
    card = card_of_json(value, tuple(CardFile(path, _decoded(text)) for path, text in bodies.items()))
    return _pointing(card, {_IN_PNG + path: _IN_ARCHIVE + path for path in bodies})


def _to_png(card: Card, avatar: bytes | None) -> bytes:
    if avatar is not None and not avatar.startswith(SIGNATURE):
        raise CardRefused("the avatar is no PNG, which a PNG card needs; set another avatar, or export the card as CHARX.")
    picture = read_png(avatar, most_text=_MOST_PACKED_TEXT).content if avatar is not None else plain_picture()
    keywords = {_PNG_FILE + file.path: file.content for file in card.files}
    if any(len(keyword) > _MOST_KEYWORD or not keyword.isascii() for keyword in keywords):
        raise CardRefused("the card carries files whose names a PNG cannot hold; export it as CHARX.")
    card = _pointing(card, {_IN_ARCHIVE + file.path: _IN_PNG + file.path for file in card.files})
    texts = {_OLD: card_text(card, V2), _NEW: card_text(card), **keywords}
    return with_texts(picture, [(keyword, base64.b64encode(text)) for keyword, text in texts.items()])


def _from_archive(data: bytes) -> Card:
    files = dict(unpacked(data, "the CHARX file"))
    text = files.pop(_CARD, None)
    if text is None:
        raise CardRefused("the archive holds no card.json, so that it is no CHARX card. A persona pack is imported as a pack.")
    return card_of_json(read_object(text, _CARD), tuple(CardFile(path, content) for path, content in files.items()))


def _to_archive(card: Card, avatar: bytes | None) -> bytes:
    files: dict[str, bytes] = {file.path: file.content for file in card.files}
    if avatar is not None:
        card, files = _with_avatar(card, files, avatar)
    return packed({_CARD: card_text(card), **files})


def _with_avatar(card: Card, files: Mapping[str, bytes], avatar: bytes) -> tuple[Card, dict[str, bytes]]:
    """Return a card whose main icon is the avatar, unless it points to that very picture already."""
    if avatar in [files.get(asset.uri.removeprefix(_IN_ARCHIVE)) for asset in card.assets or () if asset.kind == _ICON]:
        return card, dict(files)
    others = tuple(asset for asset in card.assets or () if (asset.kind, asset.name) != (_ICON, _MAIN))
    main = CardAsset(_ICON, _IN_ARCHIVE + _AVATAR_PATH, _MAIN, "png")
    return replace(card, assets=(main, *others)), {**files, _AVATAR_PATH: avatar}


def _pointing(card: Card, moved: Mapping[str, str]) -> Card:
    """Return a card whose assets point to where their files are."""
    if not moved or card.assets is None:
        return card
    return replace(card, assets=tuple(replace(asset, uri=moved.get(asset.uri, asset.uri)) for asset in card.assets))


def _decoded(text: bytes) -> bytes:
    try:
        return base64.b64decode(b"".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise CardRefused("the card in the PNG is damaged: it is no base64. Fetch the file anew.") from None
