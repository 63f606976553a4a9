"""What texts claim, by patterns: for languages without a parser, and for English where no model is there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.domain.claim import SPEAKER, Claim, is_asked, is_denied, is_supposed
from bot.domain.entity import EntityKind, name_key
from bot.nlp.language import Language
from bot.nlp.names import Found
from bot.nlp.roles import VAGUE
from bot.nlp.sentences import Sentences, prose
from bot.nlp.words import JAPANESE_ROLES, STOP_WORDS

_KINDS = {
    "lives_in": EntityKind.PLACE,
    "comes_from": EntityKind.PLACE,
    "works_at": EntityKind.ORGANISATION,
    "studies_at": EntityKind.ORGANISATION,
}
_NAME = r"[^\W\d_a-z][\w'’-]*(?:\s[^\W\d_a-z][\w'’-]*){0,2}"
_SELF = {
    Language.ENGLISH: "[Ii]",
    Language.GERMAN: "[Ii]ch",
    Language.FRENCH: "[Jj]e|[Jj]['’]",
    Language.SPANISH: "(?:[Yy]o)?",
    Language.ITALIAN: "(?:[Ii]o)?",
    Language.PORTUGUESE: "(?:[Ee]u)?",
    Language.DUTCH: "[Ii]k",
}
_SELVES = frozenset(("i", "ich", "je", "j'", "j’", "yo", "io", "eu", "ik", "私", "僕", "俺", "我"))
_NOBODY = JAPANESE_ROLES | frozenset(("彼", "彼女", "妻", "夫", "彼氏", "友達", "友人", "他", "她", "他们", "我们", "妈妈", "爸爸", "朋友"))
_NOBODY |= frozenset(
    ("Er", "Sie", "Es", "Wir", "Ihr", "Wer", "Il", "Elle", "On", "Nous", "Ella", "Él", "Lei", "Lui", "Ele", "Ela", "Hij", "Zij")
)
_CLAUSE_BEGINS = re.compile(
    r"(?:^|[,;:(–—]|[\u3040-\u9fff]|(?<!\w)(?:and|but|so|because|cause|since|hey|hi|hello|und|aber|denn|et|mais|car|y|pero|e|ma|mas|en|maar|now|yes|well))\s*$",
    re.IGNORECASE,
)
"""What stands before a clause that is a statement by itself: not `she says that`."""
_TOPIC = re.compile("[はが]")
_NO_CHINESE_NAME = "我你您他她它的这那们是有和妈爸姐哥弟妹朋友谁都也就很"
_JA_NAME = r"(?:[\u4e00-\u9fff々]{1,5}|[\u30a1-\u30faー]{2,12}|[A-Za-z]{2,20})"


@dataclass(frozen=True, slots=True)
class _Pattern:
    predicate: str
    regex: re.Pattern[str]
    holds: bool = True


def claims_by_patterns(text: str, language: Language) -> Sequence[Claim]:
    """Return what a text claims in words that leave no doubt."""
    sentences = Sentences(text)
    found = [
        Claim(subject, pattern.predicate, match["what"].strip(), sentences.at(match.start("what")), pattern.holds)
        for pattern, match, subject in _matches(text, language)
    ]
    return tuple(dict.fromkeys(claim for claim in found if name_key(claim.subject) != name_key(claim.object)))


def placed_names(text: str, language: Language) -> Iterator[Found]:
    """Yield the names of places and companies that somebody is said to live in, come from or work at."""
    for pattern, match, _ in _matches(text, language):
        kind = _KINDS.get(pattern.predicate)
        if kind is not None and match["what"][:1] != match["what"][:1].lower():
            yield Found(match.start("what"), match["what"], kind)


def _matches(text: str, language: Language) -> Iterator[tuple[_Pattern, re.Match[str], str]]:
    plain = prose(text)
    for start, end in Sentences(text).bounds:
        sentence = text[start:end]
        if is_asked(sentence) or is_supposed(sentence) or is_denied(sentence) or sentence.startswith(">"):
            continue
        for pattern in _PATTERNS.get(language, ()):
            for match in pattern.regex.finditer(plain, start, end):
                before = sentence[: match.start() - start]
                subject = _subject(match["who"], before)
                if subject is None or not _CLAUSE_BEGINS.search(before) or _is_quoted(sentence, match.start("what") - start):
                    continue
                if (what := match["what"].strip().lower()) in VAGUE or what in STOP_WORDS:
                    continue
                yield pattern, match, subject


def _subject(who: str | None, before: str) -> str | None:
    """Return who is meant; None for one who is known by context alone, as `she` or `mother`, or a topic farther off."""
    if not who:
        return None if _TOPIC.search(before) else SPEAKER
    if who.lower() in _SELVES:
        return SPEAKER
    return None if who in _NOBODY or who.split()[0].lower() in STOP_WORDS else who


def _is_quoted(sentence: str, place: int) -> bool:
    return sum(sentence[:place].count(mark) for mark in '"“„«「『') > sum(sentence[:place].count(mark) for mark in "”»」』")


def _latin(language: Language, predicate: str, own: str, others: str, what: str = _NAME, *, holds: bool = True) -> _Pattern:
    """Return a pattern with a form of the verb for the speaker, and one for others."""
    selves = rf"(?P<self>(?<!\w)(?:{_SELF[language]})\s*(?:{own}))"
    named = rf"(?P<named>(?<!\w){_NAME})\s(?:{others})"
    whole = rf"(?:{selves}|{named})\s(?P<what>{what})"
    return _Pattern(predicate, re.compile(whole.replace("(?P<named>", "(?P<who>")), holds)


_NOUN = r"[^\W\d_]+(?=\s*(?:$|[.,;!)]|\b(?:and|but|so|because|und|et|mais|y|pero|very|too|so)\b))"
_PATTERNS: Mapping[Language, Sequence[_Pattern]] = {
    Language.ENGLISH: (
        _latin(
            Language.ENGLISH,
            "lives_in",
            "live in|moved to|have moved to|['’]ve moved to|am living in",
            "lives in|moved to|has moved to|is living in",
        ),
        _latin(Language.ENGLISH, "lives_in", "used to live in|lived in", "used to live in|lived in", holds=False),
        _latin(Language.ENGLISH, "works_at", "work (?:at|for)", "works (?:at|for)"),
        _latin(Language.ENGLISH, "comes_from", "['’]?a?m from|come from", "is from|comes from"),
        _latin(Language.ENGLISH, "married_to", "['’]?a?m married to", "is married to|married"),
        _latin(Language.ENGLISH, "speaks", "speak", "speaks"),
        _latin(Language.ENGLISH, "loves", "love", "loves", _NOUN),
        _latin(Language.ENGLISH, "likes", "like", "likes", _NOUN),
        _latin(Language.ENGLISH, "hates", "hate", "hates", _NOUN),
    ),
    Language.GERMAN: (
        _latin(Language.GERMAN, "lives_in", "(?:wohne|lebe)(?: jetzt)? in", "(?:wohnt|lebt)(?: jetzt)? in"),
        _latin(Language.GERMAN, "lives_in", "bin(?: \\w+)? nach", "ist(?: \\w+)? nach", rf"{_NAME}(?=\s(?:um)?gezogen)"),
        _latin(Language.GERMAN, "lives_in", "(?:wohnte|lebte|habe früher) in", "(?:wohnte|lebte|hat früher) in", holds=False),
        _latin(Language.GERMAN, "works_at", "arbeite bei", "arbeitet bei"),
        _latin(Language.GERMAN, "comes_from", "komme aus", "kommt aus"),
        _latin(Language.GERMAN, "married_to", "bin mit", "ist mit", rf"{_NAME}(?=\sverheiratet)"),
        _latin(Language.GERMAN, "speaks", "spreche", "spricht"),
        _latin(Language.GERMAN, "loves", "liebe", "liebt"),
        _latin(Language.GERMAN, "likes", "mag", "mag"),
        _latin(Language.GERMAN, "hates", "hasse", "hasst"),
    ),
    Language.FRENCH: (
        _latin(Language.FRENCH, "lives_in", "(?:habite|vis) (?:à|en|au)", "(?:habite|vit) (?:à|en|au)"),
        _latin(Language.FRENCH, "lives_in", "ai déménagé à", "a déménagé à"),
        _latin(Language.FRENCH, "lives_in", "habitais à|vivais à", "habitait à|vivait à", holds=False),
        _latin(Language.FRENCH, "works_at", "travaille chez", "travaille chez"),
        _latin(Language.FRENCH, "comes_from", "viens d[eu]", "vient d[eu]"),
        _latin(Language.FRENCH, "loves", "adore (?:les?|la)", "adore (?:les?|la)", _NOUN),
        _latin(Language.FRENCH, "likes", "aime (?:les?|la)", "aime (?:les?|la)", _NOUN),
        _latin(Language.FRENCH, "hates", "déteste (?:les?|la)", "déteste (?:les?|la)", _NOUN),
    ),
    Language.SPANISH: (
        _latin(Language.SPANISH, "lives_in", "[Vv]ivo en|[Mm]e mudé a", "vive en|se mudó a"),
        _latin(Language.SPANISH, "lives_in", "[Vv]ivía en", "vivía en", holds=False),
        _latin(Language.SPANISH, "works_at", "[Tt]rabajo (?:en|para)", "trabaja (?:en|para)"),
        _latin(Language.SPANISH, "comes_from", "[Ss]oy de", "es de"),
        _latin(Language.SPANISH, "likes", "[Mm]e gustan? (?:el|la|los|las)", "ama (?:el|la|los|las)", _NOUN),
    ),
    Language.ITALIAN: (
        _latin(Language.ITALIAN, "lives_in", "(?:[Vv]ivo|[Aa]bito) (?:a|in)", "(?:vive|abita) (?:a|in)"),
        _latin(Language.ITALIAN, "comes_from", "[Vv]engo da", "viene da"),
    ),
    Language.PORTUGUESE: (
        _latin(Language.PORTUGUESE, "lives_in", "(?:[Mm]oro|[Vv]ivo) (?:em|no|na)", "(?:mora|vive) (?:em|no|na)"),
        _latin(Language.PORTUGUESE, "comes_from", "[Ss]ou d[eao]", "é d[eao]"),
    ),
    Language.DUTCH: (
        _latin(Language.DUTCH, "lives_in", "woon in", "woont in"),
        _latin(Language.DUTCH, "works_at", "werk bij", "werkt bij"),
        _latin(Language.DUTCH, "comes_from", "kom uit", "komt uit"),
    ),
    Language.JAPANESE: tuple(
        _Pattern(
            predicate,
            re.compile(
                rf"(?:(?P<who>{_JA_NAME})(?:さん|ちゃん|くん|君|先生)?[はが]|(?<![はがの\u4e00-\u9fff\u30a1-\u30faー]))(?:今は?|最近|昨年|去年|先月)?(?P<what>{_JA_NAME}){ending}"
            ),
            holds,
        )
        for predicate, ending, holds in (
            ("lives_in", "(?:市|県|都)?(?:に住んで(?:い)?(?:ます|る)|に引っ越し(?:ました|た)|に引越し(?:ました|た))", True),
            ("lives_in", "に住んで(?:い)?(?:ました|た)", False),
            ("works_at", "で働いて(?:い)?(?:ます|る)", True),
            ("comes_from", "の?出身(?:です|だ)", True),
            ("likes", "が(?:大)?好き(?:です|だ|。|！|$)", True),
            ("hates", "が(?:大)?嫌い(?:です|だ|。|！|$)", True),
        )
    ),
    Language.CHINESE: tuple(
        _Pattern(
            predicate,
            re.compile(
                rf"(?<![\u4e00-\u9fff])(?P<who>我|(?:(?![{_NO_CHINESE_NAME}])[\u4e00-\u9fff]){{2,3}}){verb}(?P<what>[\u4e00-\u9fff]{{2,6}}?)(?={end})"
            ),
        )
        for predicate, verb, end in (
            ("lives_in", "(?:现在)?(?:住在|搬到了?)", r"[了。，！,.!\s]|$"),
            ("works_at", "在", "工作"),
            ("comes_from", "来自", r"[。，！,.!\s]|$"),
            ("likes", "(?:很|最)?喜欢", r"[。，！,.!\s]|$"),
        )
    ),
}
