"""The lorebook in a persona file: `lore`, a list of entries, and `lorebook`, how they are searched."""

import base64
import binascii
import zlib
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from bot.domain.lore import Lorebook, LoreEntry, LorePosition, SecondaryLogic

MOST_ENTRIES = 2_000
MOST_KEY = 500
MOST_DEPTH = 1_000
MOST_TOKENS = 1_000_000
MOST_CARD = 4_000_000
"""Characters of a card's JSON, unpacked."""
_USUAL = LoreEntry("")
_Key: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=MOST_KEY)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class LoreItem(_Strict):
    """One item of `lore`."""

    content: str
    keys: list[_Key] = []
    secondary_keys: list[_Key] = []
    logic: Literal["none", "any", "all", "not_any", "not_all"] = "none"
    name: str = ""
    enabled: bool = True
    constant: bool = False
    order: int = _USUAL.order
    priority: int | None = None
    position: Literal["before", "after"] | None = None
    case_sensitive: bool = False
    whole_words: bool = False
    regex: bool = False
    scan_depth: int | None = Field(default=None, ge=0, le=MOST_DEPTH)
    ignores_lore: bool = False
    ends_recursion: bool = False

    def entry(self) -> LoreEntry:
        """Return the entry that the item describes."""
        return LoreEntry(
            content=self.content,
            keys=tuple(self.keys),
            secondary_keys=tuple(self.secondary_keys),
            logic=SecondaryLogic(self.logic),
            name=self.name,
            enabled=self.enabled,
            constant=self.constant,
            order=self.order,
            priority=self.priority,
            position=LorePosition(self.position) if self.position else None,
            case_sensitive=self.case_sensitive,
            whole_words=self.whole_words,
            regex=self.regex,
            scan_depth=self.scan_depth,
            ignores_lore=self.ignores_lore,
            ends_recursion=self.ends_recursion,
        )


class LorebookEntry(_Strict):
    """What stands under `lorebook`."""

    scan_depth: int | None = Field(default=None, ge=0, le=MOST_DEPTH)
    token_budget: int | None = Field(default=None, ge=0, le=MOST_TOKENS)
    recursive: bool | None = None
    name: str = ""

    def book(self, items: list[LoreItem]) -> Lorebook:
        """Return the lorebook of these items."""
        entries = tuple(item.entry() for item in items)
        return Lorebook(entries, self.scan_depth, self.token_budget, self.recursive, self.name)


def lore_front(book: Lorebook) -> dict[str, object]:
    """Return the lorebook as a persona file writes it; what is as usual is not written."""
    settings = {"scan_depth": book.scan_depth, "token_budget": book.token_budget, "recursive": book.recursive, "name": book.name or None}
    written = {key: value for key, value in settings.items() if value is not None}
    return {"lorebook": written, "lore": [_item(entry) for entry in book.entries]}


def packed_card(card: str) -> str:
    """Return a card's JSON as the short text without meaning that a persona file keeps of it."""
    return base64.b64encode(zlib.compress(card.encode(), 9)).decode() if card else ""


def _unpacked_card(text: str) -> str:
    if not text:
        return ""
    problem = "is no card that Baku wrote; take the line out, or import the card anew."
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(base64.b64decode(text, validate=True), MOST_CARD + 1)
        card = content.decode()
    except (binascii.Error, zlib.error, ValueError):
        raise ValueError(problem) from None
    if len(content) > MOST_CARD or not unpacker.eof:
        raise ValueError(problem)
    return card


PackedCard = Annotated[str, AfterValidator(_unpacked_card)]


def _item(entry: LoreEntry) -> dict[str, object]:
    usual = LoreItem(content="").model_dump()
    own = {name: getattr(entry, name) for name in usual}
    own |= {"keys": list(entry.keys), "secondary_keys": list(entry.secondary_keys), "logic": entry.logic.value}
    own["position"] = entry.position.value if entry.position else None
    return {name: value for name, value in own.items() if name == "content" or value != usual[name]}
