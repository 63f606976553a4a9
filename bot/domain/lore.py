"""What a persona knows of its world: sections that stand in the prompt always, or when somebody speaks of them."""

from dataclasses import dataclass
from enum import StrEnum


class SecondaryLogic(StrEnum):
    """What the secondary keys of an entry ask for, beside one of its keys."""

    NONE = "none"
    """They do not count."""
    ANY = "any"
    ALL = "all"
    NOT_ANY = "not_any"
    NOT_ALL = "not_all"


class LorePosition(StrEnum):
    """Where an entry stands."""

    BEFORE = "before"
    """Before the persona's voice."""
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """One section of a lorebook, and when it fires."""

    content: str
    """As its author wrote it: macros, and decorators in its first lines."""
    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    logic: SecondaryLogic = SecondaryLogic.NONE
    name: str = ""
    enabled: bool = True
    constant: bool = False
    """It stands in every prompt."""
    order: int = 100
    """Entries of a smaller order stand first."""
    priority: int | None = None
    """Where the budget is short, entries of a smaller one are left out first; None stands for `order`."""
    position: LorePosition | None = None
    """None stands for after."""
    case_sensitive: bool = False
    whole_words: bool = False
    regex: bool = False
    """Its keys are patterns."""
    scan_depth: int | None = None
    """So many of the last messages are searched for its keys; None leaves it to the book."""
    ignores_lore: bool = False
    """The content of other entries does not fire it."""
    ends_recursion: bool = False
    """Its content fires no other entries."""
    kept: str = ""
    """What a card said of it beyond this, as a JSON object; empty for nothing."""


@dataclass(frozen=True, slots=True)
class Lorebook:
    """Entries, and how they are searched."""

    entries: tuple[LoreEntry, ...] = ()
    scan_depth: int | None = None
    """Last messages in which keys are looked for; None stands for 4."""
    token_budget: int | None = None
    """What entries may fill in a prompt; None stands for 512."""
    recursive: bool | None = None
    """Whether what entries say fires further ones; None stands for no."""
    name: str = ""
    kept: str = ""
    """What a card said of the book beyond this, as a JSON object; empty for nothing."""


NO_LORE = Lorebook()
