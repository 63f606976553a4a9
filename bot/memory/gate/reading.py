"""A text as the rules read it: in one case and width, without accents, and in the spellings that tricks stand for."""

import re
import unicodedata
from html import unescape

from bot.memory.gate.lookalikes import unmasked
from bot.memory.gate.unseen import visible

_ACCENTS = re.compile("[\u0300-\u036f]")
_SINGLE_QUOTES = str.maketrans("‘’‚‛`´ʼ＇", "''''''''")
_DOUBLE_QUOTES = str.maketrans("“”„‟«»「」『』＂", '"' * 11)
_BLANKS = re.compile(r"[^\S\n]+")
_SPACED = re.compile(r"(?<!\w)(?:\w([ .\-_*+|/,~]{1,2}))(?:\w\1){2,}\w(?!\w)")
_WITH_FIGURES = re.compile(r"(?<!\w)\w*(?:[a-z][0134578@$]|[0134578@$][a-z])[\w@$]*")
_FIGURES = str.maketrans("0134578@$", "oieastbas")


def read(text: str) -> str:
    """Return a text in one case and width, without accents and what nobody sees, with one kind of quotes."""
    plain = unicodedata.normalize("NFKC", visible(unescape(text))).casefold()
    bare = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", plain)))
    return _BLANKS.sub(" ", bare.translate(_SINGLE_QUOTES).translate(_DOUBLE_QUOTES)).strip()


def readings(text: str) -> tuple[str, ...]:
    """Return the ways in which a text can be read: as it is, and with each disguise taken off."""
    plain = read(text)
    latin = unmasked(plain)
    joined = _SPACED.sub(lambda match: "".join(char for char in match[0] if char.isalnum()), latin)
    lettered = _WITH_FIGURES.sub(lambda match: match[0].translate(_FIGURES), joined)
    return tuple(dict.fromkeys((plain, latin, joined, lettered)))
