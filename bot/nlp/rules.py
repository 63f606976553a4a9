"""Names found by rules, without a model."""

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.domain.entity import EntityKind
from bot.nlp.names import Found, is_shouted, names_in
from bot.nlp.places import PLACES
from bot.nlp.sentences import Sentences
from bot.nlp.words import GIVEN_NAMES, JAPANESE_ROLES, STOP_WORDS

_CAPITALISED = r"[^\W\d_a-z][\w-]*"
_BEINGS = (
    "cat|dog|pet|puppy|kitten|hamster|rabbit|bunny|parrot|bird|horse|pony|fish|turtle|snake|tortoise|guinea pig|baby|son|daughter|kid|child"
    "|sister|brother|sibling|mother|father|mom|mum|dad|grandma|grandmother|grandpa|grandfather|wife|husband|partner|girlfriend|boyfriend"
    "|friend|neighbou?r|boss|colleague|teacher|roommate|flatmate|cousin|niece|nephew|twin|girl|boy|man|woman|guy"
)
_INTRODUCED = re.compile(
    rf"(?P<being>\b(?i:{_BEINGS})s?\b[^.!?\n]{{0,40}}?|\b(?i:my|call\sme)\s)?"
    rf"(?:\b(?:called|named|nicknamed|names?\s(?:is|are)|name['’]s)\s|(?<=(?i:call\sme\s)))"
    rf"(?P<name>{_CAPITALISED}(?:\s{_CAPITALISED})?|[a-z][\w-]+(?=\s*(?:[.,!?]|$|\band\b)))",
    re.MULTILINE,
)
_PLACE = re.compile(
    "|".join(
        re.escape(name) if name[0] > "\u3000" else rf"\b{re.escape(name)}\b" for name in sorted(PLACES, key=lambda name: (-len(name), name))
    )
)
_CAPITAL_WORD = re.compile(r"\b(?P<first>[^\W\d_a-z]\w+)(?=(?P<surname>\s[^\W\d_a-z][a-z]\w+)?)")
_HONOURED = re.compile(
    r"(?:(?P<kanji>[\u4e00-\u9fff々]{1,5})|(?P<kana>[\u30a1-\u30faー]{2,12})|(?P<latin>\b[A-Z][a-z]+))"
    r"(?P<honorific>さん|くん|ちゃん|君|先生)"
)
_TIME_BEFORE = re.compile("^(?:昨日|今日|明日|昨夜|今朝|今夜|毎日|先日|先週|今週|来週|先月|今月|来月|去年|昨年|今年|来年|最近|今|昔|当時)")
_ROLE_ENDINGS = ("屋", "員", "師", "者", "手", "長", "係")
_NAMED_IN_JAPANESE = re.compile(
    r"名前は[「『]?(?P<name>[\u30a1-\u30faー]{2,12}|[\u4e00-\u9fff々]{1,5}|[\u3041-\u3096ー]{2,8}?|[A-Za-z]{2,20})[」』]?"
    r"(?:です|だ|と(?:いい|言い|いう)|といい|にし|。|！|$)"
    r"|[「『]?(?P<called>[\u30a1-\u30faー]{2,12}|[A-Z][a-z]+)[」』]?という(?:名前|猫|犬|人|友達|友人|町|街|村|店|会社|ゲーム|本|映画)",
    re.MULTILINE,
)


def known_names(text: str) -> Iterator[Found]:
    """Yield what is surely a name: somebody introduced, honoured, or of a common first name."""
    yield from _introduced(text)
    yield from _japanese(text)
    for match in _CAPITAL_WORD.finditer(text):
        if match["first"] in GIVEN_NAMES:
            yield from names_in(text, match.start(), match.end() + len(match["surname"] or ""), EntityKind.PERSON)


def places(text: str) -> Iterator[Found]:
    """Yield well-known towns and countries."""
    yield from (Found(match.start(), match[0], EntityKind.PLACE) for match in _PLACE.finditer(text))


def capitalised_names(text: str) -> Iterator[Found]:
    """Yield words with a capital inside sentences, where no other reason for the capital is known."""
    for start, end in Sentences(text).bounds:
        if not is_shouted(text[start:end]):
            found = names_in(text, start, end, EntityKind.OTHER)
            yield from (name for name in found if text[start : name.start].strip("\"'“‘(「『 "))


def _introduced(text: str) -> Iterator[Found]:
    for match in _INTRODUCED.finditer(text):
        name, kind = match["name"], EntityKind.PERSON if match["being"] else EntityKind.OTHER
        if name[0].islower():
            if name not in STOP_WORDS:
                yield Found(match.start("name"), name, kind, introduced=True)
        else:
            found = names_in(text, match.start("name"), match.end("name"), kind)
            yield from (replace(name, introduced=True) for name in found)


def _japanese(text: str) -> Iterator[Found]:
    for match in _HONOURED.finditer(text):
        name = _TIME_BEFORE.sub("", match[0].removesuffix(match["honorific"]))
        least = 2 if match["honorific"] in {"君", "先生"} else 1
        if len(name) >= least and name not in JAPANESE_ROLES and not name.endswith(_ROLE_ENDINGS):
            yield Found(match.start("honorific") - len(name), name, EntityKind.PERSON)
    for match in _NAMED_IN_JAPANESE.finditer(text):
        group = "name" if match["name"] else "called"
        yield Found(match.start(group), match[group], EntityKind.OTHER)
