"""Lorebooks as cards write them, and what other programs keep in an entry's extensions that we know too."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.domain.lore import Lorebook, LoreEntry, LorePosition, SecondaryLogic
from bot.domain.tool import JsonValue
from bot.errors import CardRefused
from bot.storage.cards.fields import Fields
from bot.storage.cards.jsontext import JsonObject, back, kept

_USUAL = LoreEntry("")
_POSITIONS: Mapping[str, LorePosition] = MappingProxyType({"before_char": LorePosition.BEFORE, "after_char": LorePosition.AFTER})
_POSITION_NAMES = MappingProxyType({position: name for name, position in _POSITIONS.items()})
_LOGICS = (SecondaryLogic.ANY, SecondaryLogic.NOT_ALL, SecondaryLogic.NOT_ANY, SecondaryLogic.ALL)
"""By their number in `selectiveLogic`."""
_LOGIC, _WHOLE, _DEPTH, _CASE = "selectiveLogic", "match_whole_words", "scan_depth", "case_sensitive"
_IGNORES, _ENDS = "exclude_recursion", "prevent_recursion"


def read_book(value: JsonObject, place: str) -> Lorebook:
    """Return the lorebook that an object describes. Raises CardRefused."""
    fields = Fields(value, f"{place}.")
    items, extensions = fields.items("entries"), fields.object("extensions")
    return Lorebook(
        entries=tuple(_entry(item, f"{place}.entries[{number}]") for number, item in enumerate(items, 1)),
        scan_depth=fields.number("scan_depth"),
        token_budget=fields.number("token_budget"),
        recursive=fields.flag("recursive_scanning"),
        name=fields.text("name"),
        kept=_kept(fields, extensions),
    )


def book_value(book: Lorebook) -> JsonObject:
    """Return the object that describes a lorebook."""
    optional = {"name": book.name or None, "scan_depth": book.scan_depth, "token_budget": book.token_budget}
    written: JsonObject = {"extensions": {}, **back(book.kept), "recursive_scanning": book.recursive, **optional}
    said: JsonObject = {key: value for key, value in written.items() if value is not None}
    return {**said, "entries": [_entry_value(entry) for entry in book.entries]}


def _entry(item: JsonValue, place: str) -> LoreEntry:
    if not isinstance(item, dict):
        raise CardRefused(f"`{place}` must be a group of keys. Mend the lorebook in the program that made the card.")
    fields = Fields(item, f"{place}.")
    selective, order, case_sensitive = fields.flag("selective"), fields.number("insertion_order"), fields.flag("case_sensitive")
    extensions = fields.object("extensions")
    return LoreEntry(
        content=fields.text("content"),
        keys=fields.words("keys"),
        secondary_keys=fields.words("secondary_keys"),
        logic=_logic(extensions) if selective else SecondaryLogic.NONE,
        name=fields.text("name"),
        enabled=fields.flag("enabled") is not False,
        constant=bool(fields.flag("constant")),
        order=_USUAL.order if order is None else order,
        priority=fields.number("priority"),
        position=_position(fields),
        case_sensitive=_switched_on(extensions, _CASE) if case_sensitive is None else case_sensitive,
        whole_words=_switched_on(extensions, _WHOLE),
        regex=bool(fields.flag("use_regex")),
        scan_depth=_depth(extensions),
        ignores_lore=_switched_on(extensions, _IGNORES),
        ends_recursion=_switched_on(extensions, _ENDS),
        kept=_kept(fields, extensions),
    )


def _kept(fields: Fields, extensions: JsonObject) -> str:
    """Return what nobody took; extensions that say nothing are written anyway."""
    return kept({**fields.rest(), **({"extensions": extensions} if extensions else {})})


def _entry_value(entry: LoreEntry) -> JsonObject:
    others = back(entry.kept)
    extensions = others.pop("extensions", {})
    optional: JsonObject = {
        "name": entry.name,
        "secondary_keys": list(entry.secondary_keys),
        "selective": entry.logic is not SecondaryLogic.NONE,
        "constant": entry.constant,
        "case_sensitive": entry.case_sensitive,
        "position": _POSITION_NAMES[entry.position] if entry.position else "",
    }
    return {
        "keys": list(entry.keys),
        "content": entry.content,
        "extensions": {**(extensions if isinstance(extensions, dict) else {}), **_own_extensions(entry)},
        "enabled": entry.enabled,
        "insertion_order": entry.order,
        "use_regex": entry.regex,
        **({} if entry.priority is None else {"priority": entry.priority}),
        **{key: value for key, value in optional.items() if value},
        **others,
    }


def _own_extensions(entry: LoreEntry) -> JsonObject:
    known: JsonObject = {_WHOLE: entry.whole_words, _IGNORES: entry.ignores_lore, _ENDS: entry.ends_recursion}
    if entry.logic in _LOGICS:
        known[_LOGIC] = _LOGICS.index(entry.logic)
    written: JsonObject = {key: value for key, value in known.items() if value}
    return written if entry.scan_depth is None else {**written, _DEPTH: entry.scan_depth}


def _switched_on(extensions: JsonObject, key: str) -> bool:
    """Take a switch that is on; one that is off says nothing and stays where it is."""
    if extensions.get(key) is True:
        del extensions[key]
        return True
    return False


def _depth(extensions: JsonObject) -> int | None:
    value = extensions.get(_DEPTH)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    del extensions[_DEPTH]
    return value


def _logic(extensions: JsonObject) -> SecondaryLogic:
    value = extensions.get(_LOGIC)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < len(_LOGICS):
        return SecondaryLogic.ANY
    del extensions[_LOGIC]
    return _LOGICS[value]


def _position(fields: Fields) -> LorePosition | None:
    value = fields.any("position")
    if isinstance(value, str) and value in _POSITIONS:
        return _POSITIONS[value]
    if value is not None:
        fields.put_back("position", value)
    return None
