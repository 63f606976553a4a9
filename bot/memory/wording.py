"""One wording for what is said in many: the rules and small tables behind `likeness`."""

import re
from collections.abc import Mapping

_BE = r"(?:is|am|are)"
_MUCH = r"(?:(?:really|truly|very|quite|absolutely|big|huge|great|a|an) )*"
_TIMES = r"(morning|afternoon|evening|night|weekend)"
_DAYS = r"(monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_MONTHS = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"

_SHORT_FORMS: tuple[tuple[str, str], ...] = (
    (r"\bcan't\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"\bi'm\b", "i am"),
    (r"'re\b", " are"),
    (r"'ve\b", " have"),
    (r"'ll\b", " will"),
    (r"'d\b", " would"),
    (r"\b(he|she|it|that|there|who|what)'s\b", r"\1 is"),
    (r"'s (?=(?:a|an|the|not|called|named|in|on|at|from)\b)", " is "),
    (r"'s name is\b", " name"),
)
_DATES: tuple[tuple[str, str], ...] = (
    (rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTHS}(?![a-z])", r"\2 \1"),
    (rf"\b{_MONTHS} (\d{{1,2}})(?:st|nd|rd|th)?\b", r"\1 \2"),
)
_NOT: tuple[tuple[str, str], ...] = (
    (r"\b(?:do|does)(?= not\b)", ""),
    (rf"\b{_BE} not {_MUCH}(?:fond of|keen on|fan of|into)\b", "dislike"),
    (r"\b(?:not (?:really )?(?:likes?|loves?|enjoys?)|can ?not stand)\b", "dislike"),
)
_PHRASES: tuple[tuple[str, str], ...] = (
    (r"\b(?:(?:is|am|are) able|knows? how) to\b", "can"),
    (r"\bwould (?:really )?(?:like|love) to\b|\b(?:wants?|wish|wishes|hopes?) to\b", "want"),
    (rf"\b{_BE} {_MUCH}(?:fond of|keen on|crazy about|mad about|fan of|lover of|into)\b", "like"),
    (rf"\b{_BE} {_MUCH}(\w+) (?:lover|fan|enthusiast)\b", r"like \1"),
    (r"\b(?:hates?|dislikes?|detests?|loathes?) ", "dislike "),
    (r"\b(?:likes|loves?|enjoys?|adores?) ", "like "),
    (r"\blike (.+?) (?:very much|so much|a lot)\b", r"like \1"),
    (r"\b(like|dislike) to (\w+)\b", r"\1 \2~"),
    (rf"\b(?:lives?|{_BE} living|resides?|{_BE} residing|{_BE} based|home {_BE}) in\b", "live in"),
    (r"\b(?:(?:works?|working) as|(?:job|profession|occupation) is)\b", "is"),
    (rf"\b(?:works?|{_BE} working|{_BE} employed) (?:at|for|by)\b|\bha(?:ve|s) a job at\b", "work at"),
    (r"\b(?:(?:have|has) got|has|owns?)\b", "have"),
    (rf"\b(?:{_BE} )?(?:called|named)\b|\bname is\b", "name"),
    (r"\bname of (?:the|my|his|her|their) ((?:\w+ ){1,3})is\b", r"\1name"),
    (r"\bhave (?:an?|one) ((?:\w+ ){1,3})(?=name\b)", r"\1"),
    (rf"\b(?:(?:{_BE} )?allergic|have an allergy) to\b", "allergy"),
    (r"\bhave an? (\w+) allergy\b", r"allergy \1"),
    (r"\b(?:birthday is(?: on)?|was born on)\b", "birthday"),
    (rf"\b(?:(?:every|each) {_DAYS}|(?:on )?{_DAYS}s)\b", r"each\1\2"),
    (rf"\b(?:(?:every|each|in the) {_TIMES}s?|{_TIMES}s)\b", r"each\1\2"),
    (r"\b(?:every|each) day\b", "daily"),
    (r"\bprefers? (.+?) (?:over|to|rather than)\b", r"prefer \1 than"),
)


def _compiled(rules: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), words) for pattern, words in rules)


_BY_SIGN = (("'", _compiled(_SHORT_FORMS)), ("not", _compiled(_NOT)), ("", _compiled(_PHRASES)))
"""Rules in order, each set for texts that hold the sign."""
_BY_DATE = _compiled(_DATES)
_DIGIT = re.compile(r"\d")

_COUNTED = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS: Mapping[str, str] = {
    "colour": "color",
    "favourite": "favorite",
    "kitty": "kitten",
    "film": "movie",
    "mum": "mother",
    "mom": "mother",
    "dad": "father",
    "kids": "child",
    "children": "child",
    "people": "person",
    "men": "man",
    "women": "woman",
    "every": "each",
    **{word: str(value) for value, word in enumerate(_COUNTED, 2)},
}
_NO_PLURALS = ("ss", "us", "is", "ics", "sses", "news")
_SAME_IN_JAPANESE: tuple[tuple[str, str], ...] = (
    (r"^(?:ユーザー|私|わたし|僕|ぼく|俺|おれ|あたし|彼女|彼)(?:さん)?[はが]", ""),
    (r"(?:よね|よ|ね|わ|の)?[。!?]*$", ""),
    (r"じゃ(?=な)", "では"),
    (r"ではありません", "ではない"),
    (r"(?:なん)?(?:です|だ|である)$", ""),
    (r"(?<=[てで])います", "いる"),
    (r"(?<=[って])ます$|(?<=[って])る$", "いる"),
    (r"(?<=んで)ます$|(?<=んで)る$", "いる"),
    (r"大好き|だいすき|すき", "好き"),
    (r"大嫌い|だいきらい|きらい", "嫌い"),
    (r"ネコ|ねこ", "猫"),
    (r"イヌ|いぬ", "犬"),
    (r"は", "が"),
)
_JAPANESE = _compiled(_SAME_IN_JAPANESE)


def reworded(folded: str) -> str:
    """Return an English text, in small letters, with its common phrases in one form. Other languages pass unchanged, as far as they can."""
    told = folded.replace("’", "'").replace("&", " and ").replace("cannot", "can not")
    for sign, rules in _BY_SIGN:
        if sign in told:
            told = _applied(rules, told)
    return _applied(_BY_DATE, told) if _DIGIT.search(told) else told


def reworded_japanese(text: str) -> str:
    """Return a Japanese text without politeness, its first person and what only colours it."""
    return _applied(_JAPANESE, text)


def stem(word: str) -> str:
    """Return an English word in small letters without the endings of plurals and of the third person; past tenses stay."""
    if word in _WORDS:
        return _WORDS[word]
    if len(word) < 4 or not word.isascii() or not word.endswith("s") or word.endswith(_NO_PLURALS):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    singular = word[:-2] if word.endswith(("shes", "ches", "xes", "zes", "oes")) else word[:-1]
    return _WORDS.get(singular, singular)


def without_ing(word: str) -> str:
    """Return the verb that a form in -ing belongs to, other words as they are."""
    base = word.removesuffix("ing")
    if base == word or len(base) < 3 or not re.search("[aeiouy]", base):
        return word
    return base[:-1] if base[-1] == base[-2] and base[-1] not in "ls" else base


def _applied(rules: tuple[tuple[re.Pattern[str], str], ...], text: str) -> str:
    for pattern, words in rules:
        text = pattern.sub(words, text)
    return text
