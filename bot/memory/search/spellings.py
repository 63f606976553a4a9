"""A name in kana and in Latin letters: people who write two languages write it both ways."""

import re
import unicodedata
from collections.abc import Mapping

_ROWS = """
    a あ i い u う e え o お | ka か ki き ku く ke け ko こ | ga が gi ぎ gu ぐ ge げ go ご | sa さ shi し su す se せ so そ
    za ざ ji じ zu ず ze ぜ zo ぞ | ta た chi ち tsu つ te て to と | da だ de で do ど | na な ni に nu ぬ ne ね no の
    ha は hi ひ fu ふ he へ ho ほ | ba ば bi び bu ぶ be べ bo ぼ | pa ぱ pi ぴ pu ぷ pe ぺ po ぽ | ma ま mi み mu む me め mo も
    ya や yu ゆ yo よ | ra ら ri り ru る re れ ro ろ | wa わ n ん
    kya きゃ kyu きゅ kyo きょ | gya ぎゃ gyu ぎゅ gyo ぎょ | sha しゃ shu しゅ sho しょ she しぇ | ja じゃ ju じゅ jo じょ je じぇ
    cha ちゃ chu ちゅ cho ちょ che ちぇ | nya にゃ nyu にゅ nyo にょ | hya ひゃ hyu ひゅ hyo ひょ | rya りゃ ryu りゅ ryo りょ
    mya みゃ myu みゅ myo みょ | bya びゃ byu びゅ byo びょ | pya ぴゃ pyu ぴゅ pyo ぴょ | fa ふぁ fi ふぃ fe ふぇ fo ふぉ | ti てぃ di でぃ
"""
_WORDS = _ROWS.replace("|", " ").split()
_KANA: Mapping[str, str] = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True))
_LATIN: Mapping[str, str] = {kana: latin for latin, kana in _KANA.items()}
_SYLLABLE = re.compile("|".join(sorted(_KANA, key=len, reverse=True)))
_SIGN = re.compile("|".join(sorted(_LATIN, key=len, reverse=True)))
_KATAKANA_SHIFT = ord("ア") - ord("あ")
_LEAST = 2
"""Letters, or signs, of a name that is worth looking for in the other script. In hiragana so short a one would be a piece of any text."""


def other_spellings(name: str) -> frozenset[str]:
    """Return how a name is written in the other script; empty when it has no such form."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    if folded.isascii():
        kana = _all(_SYLLABLE, _KANA, folded)
        forms = [_katakana(kana)] * (len(kana) >= _LEAST) + [kana] * (len(kana) > _LEAST)
        return frozenset(forms)
    latin = _all(_SIGN, _LATIN, _hiragana(folded))
    return frozenset([latin]) if len(latin) >= _LEAST else frozenset()


def _all(pattern: re.Pattern[str], table: Mapping[str, str], text: str) -> str:
    """Return a text written anew piece by piece; nothing when a part of it has no counterpart."""
    pieces = pattern.findall(text)
    return "".join(table[piece] for piece in pieces) if "".join(pieces) == text else ""


def _katakana(hiragana: str) -> str:
    return "".join(chr(ord(sign) + _KATAKANA_SHIFT) for sign in hiragana)


def _hiragana(text: str) -> str:
    return "".join(chr(ord(sign) - _KATAKANA_SHIFT) if "ァ" <= sign <= "ヴ" else sign for sign in text)
