"""The words by which a text is found: one rule for what is stored and for what is asked."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\uac00-\ud7a3"  # Hangul: its words end in particles
)
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
"""Vowel signs and accents that stand inside words and are not alphanumeric."""
_TOKEN = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    rf"|(?:(?<!\w)(?P<dot>\.)(?=[^\W\d]))?(?P<word>(?:[^\W_{_UNSPACED}]|[{_MARKS}])+)(?P<sign>[+#]{{1,2}}(?!\w))?"
)
_CONTRACTION = re.compile(r"n['’]t\b|['’](?:s|m|d|ll|re|ve)\b")
_WORD_SIGN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\uac00-\ud7a3]")
"""Han and Hangul: one character can be a word."""
_HIRAGANA = re.compile("[\u3041-\u309f]+")
_GRAMMAR_SHARE = 0.25
"""Japanese writes its grammar, and few of its nouns, in hiragana."""
_VOWEL = re.compile(r"[aeiouy]")

_LONGEST = 64
"""Characters of a word that count: an index takes no longer ones."""

_FUNCTION_WORDS = """
    a an the this that these those there here it its itself i im u ur me my mine myself you your yours yourself yourselves he him
    his himself she her hers herself we us our ours ourselves they them their theirs themselves one ones
    am is are was were be been being do does did doing done dont doesnt didnt have has had having isnt arent wasnt can could would
    should shall might must ca wo cant couldnt wont
    what whats which who whos whom whose when where why how
    and or but if then else than because so as until while of at by for with about against between into through during before
    after above below to from up down in out on off over under again once
    not no nor only own same too very just also any some all both each few more most other such thats
    something anything everything nothing someone anyone everyone
    please tell know knows knew remember say said says get got let lets ok okay yes hi hello hey thanks thank
"""
"""English. Left out on purpose, since they are names too: will, may, don, mark."""
_FUNCTION_RUNS = """
    です ます でし まし ませ せん ない する した して いる いた ある った って っと てい たい たの だっ だよ だね だれ んだ んで
    から まで けど ので のに のは のが のを なの には では とは にも でも ても とか など かな よね ねえ よう こと もの いう
    これ それ あれ この その あの ここ そこ どこ なに なん いつ どう いま すか
    이 가 은 는 을 를 에 의 도 로 와 과 하 다 요
    的 了 是 吗 嗎 呢 么 吧
"""
_STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
_STOP_RUNS = frozenset(_FUNCTION_RUNS.split())


def terms(text: str) -> frozenset[str]:
    """Return what a text is found by; empty when it says nothing of its own, as "what are you?".

    Words of letters and digits in one form for all cases, widths and English endings, without stop words; `c#`, `c++` and `.net`
    keep their signs. Scripts without blanks give each pair of neighbours, and each character that can be a word.
    """
    return frozenset(_all_terms(text))


def term_counts(text: str) -> Counter[str]:
    """Return how often each of the `terms` stands in a text."""
    return Counter(_all_terms(text))


def weight(term: str, *, having: int, total: int) -> float:
    """Return what a term counts that `having` of `total` texts have: above 0, more when it is rare, less when it looks like grammar."""
    return math.log(1 + max(total, having, 1) / max(having, 1)) * grammar_share(term)


def grammar_share(term: str) -> float:
    """Return what is left of a term's weight: all of it, or a part when it looks like grammar."""
    return _GRAMMAR_SHARE if _HIRAGANA.fullmatch(term) else 1.0


def _all_terms(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    for token in _TOKEN.finditer(_CONTRACTION.sub(" ", folded)):
        if run := token["run"]:
            yield from _run_terms(run)
        else:
            yield from _word_terms(token["word"], token["dot"], token["sign"])


def _run_terms(run: str) -> list[str]:
    singles = [run] if len(run) == 1 else _WORD_SIGN.findall(run)
    pairs = [first + second for first, second in pairwise(run)]
    return [term for term in (*singles, *pairs) if term not in _STOP_RUNS]


def _word_terms(long_word: str, dot: str | None, sign: str | None) -> list[str]:
    word = long_word[:_LONGEST]
    if sign:
        return [word + sign]
    if word in _STOP_WORDS:
        return []
    stem = _stem(word)
    return [stem, f".{stem}"] if dot else [stem]


def _stem(word: str) -> str:
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    stem = _without_ending(_singular(word))
    if len(stem) > 2 and stem[-1] == stem[-2]:
        stem = stem[:-1]
    if len(stem) > 2 and stem.endswith("e"):
        stem = stem[:-1]
    return f"{stem[:-1]}i" if len(stem) > 1 and stem.endswith("y") else stem


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def _without_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1 and _VOWEL.search(stem) and not word.endswith("eed"):
            return stem
    return word
