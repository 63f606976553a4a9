"""Lorebooks in a file of their own: SillyTavern's world info, and the format's own lorebook."""

from bot.domain.lore import Lorebook
from bot.domain.tool import JsonValue
from bot.errors import CardRefused
from bot.storage.cards.book import read_book
from bot.storage.cards.fields import MOST_ITEMS
from bot.storage.cards.jsontext import JsonObject

LORE_SPEC = "lorebook_v3"
_PLACES = ("before_char", "after_char")
"""By their number in `position`."""
_RENAMED = {
    "key": "keys",
    "keysecondary": "secondary_keys",
    "comment": "name",
    "content": "content",
    "constant": "constant",
    "selective": "selective",
    "order": "insertion_order",
    "caseSensitive": "case_sensitive",
}
_EXTENDED = {
    "scanDepth": "scan_depth",
    "matchWholeWords": "match_whole_words",
    "excludeRecursion": "exclude_recursion",
    "preventRecursion": "prevent_recursion",
}


def is_world(value: JsonObject) -> bool:
    """Say whether an object is a lorebook alone, and no card."""
    return value.get("spec") == LORE_SPEC or ("entries" in value and not {"spec", "data", "name", "first_mes"} & value.keys())


def read_world(value: JsonObject) -> Lorebook:
    """Return the lorebook of an object for which `is_world` holds. Raises CardRefused."""
    inner = value.get("data") if value.get("spec") == LORE_SPEC else value
    if not isinstance(inner, dict):
        raise CardRefused("`data` must be a group of keys, the lorebook itself. Export it anew.")
    entries = inner.get("entries")
    if isinstance(entries, dict):
        if len(entries) > MOST_ITEMS:
            raise CardRefused(f"`entries` has {len(entries):,} items; {MOST_ITEMS:,} are the most. Remove some.")
        inner = {"name": inner.get("name"), "entries": [_entry(item) for item in entries.values()]}
    book = read_book(inner, "the lorebook")
    if not book.entries:
        raise CardRefused("the lorebook has no entries. Choose another file.")
    return book


def _entry(item: JsonValue) -> JsonValue:
    """Return an entry of world info as cards write it; what is no entry is refused where cards are read."""
    if not isinstance(item, dict):
        return item
    left = {key: value for key, value in item.items() if value is not None}
    entry: JsonObject = {new: left.pop(old) for old, new in _RENAMED.items() if old in left}
    entry["enabled"] = left.pop("disable", False) is not True
    place = left.pop("position", None)
    if isinstance(place, int) and place in (0, 1):
        entry["position"] = _PLACES[place]
    return {**entry, "extensions": {_EXTENDED.get(key, key): value for key, value in left.items()}}
