"""Letters of other scripts that pose as Latin ones."""

import re
import unicodedata

_CYRILLIC = dict(zip("авеёзіїјкмнорсстухуԁԛԝһѕєѵьӏ", "abee3iijkmhopcctyxydqwhsevbl", strict=True))
_GREEK = dict(zip("αβγεηικνορτυχωϲϳ", "abyenikvoptuxwcj", strict=True))
_OTHERS = dict(zip("ɑɡɩıⅼοօոսցհյ", "agiilooungnj", strict=True))
_POSING = str.maketrans(_CYRILLIC | _GREEK | _OTHERS)
_ALIKE = frozenset("аеёіїјорсухԁԛԝһѕѵӏ") | frozenset("αεικνορτυχϲϳ") | frozenset("ɑɡɩοօոսցհ")
"""Those that cannot be told from a Latin letter by eye."""
_WORD = re.compile(r"[^\W\d_]+")


def unmasked(text: str) -> str:
    """Return a text in one case with Latin letters in place of those that look like them."""
    return text.casefold().translate(_POSING)


def mixes_alphabets(text: str) -> bool:
    """Say whether a word mixes Latin letters with others that cannot be told from them by eye. A foreign ending on a name is none."""
    return any(_is_mixed(word) for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _is_mixed(word: str) -> bool:
    foreign = [char for char in word if not char.isascii() and not unicodedata.name(char, "").startswith("LATIN")]
    latin = len(word) - len(foreign)
    return latin > 1 and len(foreign) > 0 and all(char in _ALIKE for char in foreign)
