"""Character cards: personas as other programs exchange them, in the versions 1, 2 and 3 of SillyTavern's format."""

from dataclasses import dataclass
from enum import StrEnum

from bot.domain.lore import Lorebook


class CardKind(StrEnum):
    """What a card comes in."""

    PNG = "png"
    """A picture that carries the card as text."""
    JSON = "json"
    CHARX = "charx"
    """A ZIP archive with the card and its files."""


@dataclass(frozen=True, slots=True)
class CardAsset:
    """A picture, sound or other part that a card names; nothing is ever fetched from its address."""

    kind: str
    uri: str
    name: str
    extension: str
    kept: str = ""
    """Its further keys, as a JSON object; empty for none."""


@dataclass(frozen=True, slots=True)
class CardFile:
    """A file that a card carries."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Card:
    """A character card: all that the file said, with nothing left out. Macros stand as they were written."""

    name: str
    nickname: str = ""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    first_message: str = ""
    alternate_greetings: tuple[str, ...] = ()
    group_only_greetings: tuple[str, ...] = ()
    example_messages: str = ""
    system_prompt: str = ""
    post_history_instructions: str = ""
    creator: str = ""
    creator_notes: str = ""
    notes_by_language: tuple[tuple[str, str], ...] = ()
    """The creator's notes, by language code."""
    version: str = ""
    """The character's own, not that of the format."""
    tags: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    book: Lorebook | None = None
    assets: tuple[CardAsset, ...] | None = None
    """None where the card says nothing of assets."""
    created: int | None = None
    """Seconds since 1970."""
    modified: int | None = None
    extensions: str = ""
    """What programs keep in a card for themselves, as a JSON object; empty for nothing."""
    kept: str = ""
    """Further keys of the card, as a JSON object; empty for none."""
    kept_outside: str = ""
    """Further keys beside the card's data, as a JSON object; empty for none."""
    files: tuple[CardFile, ...] = ()
    """What the file carried beside the card, without its main picture in a PNG."""

    @property
    def shown_name(self) -> str:
        """Return what the character is called in a conversation."""
        return self.nickname or self.name
