"""Characters that nobody sees: what is harmless of them is taken out, what can only be a trick is found."""

import re
import unicodedata

_OVERRIDES = re.compile("[\u202d\u202e]")
_TAGS = re.compile("[\U000e0000-\U000e007f]")
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,8}\U000e007f")
"""A flag such as that of Wales: the one honest use of tag characters."""
_JOINERS = "\u200c\u200d"
_SHAPED = re.compile("[\u0600-\u08ff\u0900-\u0dff\u0e80-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufeff]")
"""Scripts in which a joiner changes how neighbours are written."""
_PICTURE_PARTS = "\ufe0f\u20e3"
_EXTRA_SELECTORS = re.compile("[\U000e0100-\U000e01ef]")
_HIDDEN = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u2800\u3164\uffa0")
"""Characters of other classes that show nothing."""
_KEPT_CONTROLS = frozenset("\n\t")
_LINES = re.compile("\r\n?|[\u2028\u2029\u0085\v\f]")


def is_tricky(text: str) -> bool:
    """Say whether a text holds what no honest one does: reversed writing, or letters that are hidden in tag characters."""
    return bool(_OVERRIDES.search(text) or _TAGS.search(_FLAG.sub("", text)) or len(_EXTRA_SELECTORS.findall(text)) > 3)


def visible(text: str) -> str:
    """Return a text without what nobody sees. Emoji and the scripts that need joiners stay as they are."""
    lines = _LINES.sub("\n", text)
    return "".join(char for place, char in enumerate(lines) if not _is_unseen(lines, place, char))


def _is_unseen(text: str, place: int, char: str) -> bool:
    if char in _KEPT_CONTROLS:
        return False
    if char in _JOINERS:
        return not _joins(text, place)
    if "\U000e0020" <= char <= "\U000e007f":
        return not any(match.start() < place < match.end() for match in _FLAG.finditer(text))
    if "\ufe00" <= char <= "\ufe0e" or _EXTRA_SELECTORS.match(char):
        return not _is_ideograph(text[place - 1 : place])
    return char in _HIDDEN or unicodedata.category(char) in {"Cc", "Cf", "Co", "Cn"}


def _joins(text: str, place: int) -> bool:
    """Say whether a joiner stands where one is needed: between emoji, or in a script that shapes its letters by it."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if not before or not after:
        return False
    if _SHAPED.match(before) and _SHAPED.match(after):
        return True
    return text[place] == "\u200d" and _is_picture(before) and _is_picture(after)


def _is_picture(char: str) -> bool:
    return char in _PICTURE_PARTS or unicodedata.category(char) in {"So", "Sk"} or "\U0001f3fb" <= char <= "\U0001f3ff" or char in "♀♂"


def _is_ideograph(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff" or "\U00020000" <= char <= "\U0003134f"
