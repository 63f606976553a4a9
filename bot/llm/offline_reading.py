"""What the offline model makes of words: questions, statements to keep, and the memory that answers. English, Japanese, a little German."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.memory import MAX_TEXT
from bot.llm.offline_prompt import Language, Reading, Recalled
from bot.llm.offline_talk import talk_in


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=[^\s\"')]))+[.!?。！？…\"')]*")
_ASKING = r"who|what|when|where|which|whose|why|how|wer|was|wann|wo|wie|warum"
_TURN_TO_ASK = re.compile(rf",\s+(?:and |but |so |und |aber )?(?=(?:{_ASKING})\b[^,]*[?]$)", re.IGNORECASE)
"""Where a statement goes over into a question."""
_HELLO = r"(?:hi|hello|hey|good (?:morning|day|afternoon|evening)|hallo|moin|guten (?:morgen|tag|abend))"
_GREETING = _pattern(rf"{_HELLO}(?: there| \w+)?", "こんにち[はわ]", "こんばん[はわ]", "おはよう(?:ございます)?", "やあ", "はじめまして")
_OPENING = _pattern(rf"^{_HELLO}[,!]\s+", r"^(?:well|so|oh|ok|okay|yes|no|ja|nein|also)[,!]\s+")
_QUESTION = _pattern(
    r"[?？][\"')]*$",
    r"^(?:i (?:want|would like|'d like) to know|i wonder)\b",
    r"^(?:who|what|when|where|which|whose|why|how|do|does|did|is|are|am|was|can|could|would|will|tell me (?:what|who|when|where|about))\b",
    r"^(?:wer|was|wann|wo|wie|warum|welche[rs]?|weißt du|kennst du)\b",
    r"(?:[かね]|かな|っけ|教えて)[。！]?$",
)
_WISH = _pattern(
    r"^(?:please )?(?:remember|note|don'?t forget|keep in mind)(?: that)?[:,]? +(?=\S+ \S)",
    r"^(?:bitte )?(?:merk dir|denk daran),? (?:dass )?",
    r"(?:と|のを|ことを)(?:覚えて)(?:おいて|いて|ね|ください)*[。！]?$",
)
_ABOUT_ONESELF = _pattern(
    r"\b(?:i|i'm|i've|my|we|we're|our|ich|mein(?:e[nmrs]?)?|wir|unser(?:e[nmrs]?)?)\b",
    r"\bcall me\b|\b(?:is|are) called\b",
    r"(?:です|ます|でした|ました|だ|だった|んだ|ない|ません|たい)(?:よ|ね|の|わ|けど)*[。！]?$",
)
_NOTHING_TO_KEEP = _pattern(
    r"^(?:thanks|thank you|danke)\b",
    "よろしく|すみません|ごめん|そうです|いただきます",
)
_MINE = _pattern(r"\b(?:i|i'm|me|my|mine|we|our|us|ich|mein(?:e[nmrs]?)?|mir|mich)\b", "私|わたし|僕|ぼく|俺|自分")
_EVERYTHING = _pattern(
    r"\b(?:know|remember|told you)\b.* about ",
    r"what (?:(?:do|can|did) you|you) (?:know|remember)\b|what (?:have i|did i) (?:tell|told) you\b",
    r"weißt du über|was (?:weißt|hast) du (?:noch|alles|behalten|dir gemerkt)|woran erinnerst du dich",
    "何を(?:覚えて|知って)|(?:教えた|教えてもらった|話した|覚えている)こと",
)
_MY_NAME = _pattern(r"\bmy name\b", r"\bwho am i\b", "wie heiße ich", "(?:私|僕|俺)の名前")
_NAMING = _pattern(r"\bmy name(?: is|'s)\b", r"\bcall me\b", r"\bi(?:'m| am) (?:called )?(?-i:[A-Z])", "ich heiße", "(?:私|僕|俺)の名前は")
_WORD = _pattern(r"[a-z0-9à-ÿ]+(?:[-'][a-z0-9à-ÿ]+)*", "[\u4e00-\u9fff々]+", "[\u30a0-\u30ff]{2,}")
_ENDING = re.compile(r"(?:'s|s'|ing|ies|ied|es|ed|en|s|e|y)$")
_SYNONYMS = {"mov": "liv", "relocat": "liv", "job": "work", "profession": "work", "occupation": "work", "birthday": "born"}
_SYNONYMS |= {"gezog": "wohn", "umgezog": "wohn", "zieh": "wohn", "leb": "wohn", "越": "住"}
_WEAK_WORDS = "like likes liked love favourite favorite name names mag lieblings 好 名前"
"""They count when a question holds no other word."""
_EMPTY_WORDS = """
    a about again all also an and any are as at be been but by can could did do does for from get go had has have he her him his how i if in
    is it its just know like make me mine more much my name named call called of on or our out please remember said say see she should so
    some tell than that the their them then there they this to told too us very was we were what what's when where which who who's whose why
    will with would you your yours favorite favourite one ever still now new these exactly really actually currently today
    aber am auch auf aus bei bin das dass dein deine dem den der die dir du ein eine einen er es für hat heißt ich im ist ja mein meine
    meinem meinen meiner mich mir mit nicht oder sie sind so und von war was weißt wer wie wir wo zu jetzt eigentlich denn mag
    私 僕 俺 自分 何 誰 名前 時 事 好 一番 今 覚 教 知 言 話 思 君 彼 彼女
"""


def is_greeting(said: str) -> bool:
    """Say whether a line opens a conversation and says no more."""
    return bool(_GREETING.fullmatch(said.strip(" .!。！")))


def question_in(said: str) -> str:
    """Return what was asked, empty when nothing was."""
    return " ".join(sentence for sentence in sentences(said) if _QUESTION.search(sentence))


def statement_in(said: str) -> str:
    """Return what people tell about themselves or wish to be remembered, in their own words; empty when there is nothing to keep."""
    worth = [sentence for sentence in sentences(said) if _may_be_kept(sentence)]
    if not any(_WISH.search(sentence) or _ABOUT_ONESELF.search(sentence) for sentence in worth):
        return ""
    kept = [_WISH.sub("", sentence) for sentence in worth]
    while len(" ".join(kept)) > MAX_TEXT:
        kept.pop()
    return " ".join(kept)


def asks_for_everything(question: str) -> bool:
    """Say whether somebody wants to hear all that is known."""
    return bool(_EVERYTHING.search(question))


def meaning(text: str) -> set[str]:
    """Return the words that carry a meaning, without their endings."""
    return _stems(text) - _EMPTY_STEMS


def may_be_meant(reading: Reading) -> Sequence[Recalled]:
    """Return the memories a question may be about: where several talk, one about oneself is answered from one's own."""
    named = [memory for memory in reading.memories if memory.about_name and meaning(memory.about_name) & meaning(reading.said)]
    if not reading.asker_id or not (named or reading.language is Language.JAPANESE or _MINE.search(reading.said)):
        return reading.memories
    return named or [memory for memory in reading.memories if memory.about_id == reading.asker_id]


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that answers a question, surely or perhaps."""

    memory: Recalled
    surely: bool
    """It holds all words of the question that carry a meaning."""


def answer_in(reading: Reading) -> Found | None:
    """Return the memory that answers what was asked, the latest of equals; None when none does."""
    question, memories = question_in(reading.said), may_be_meant(reading)
    if _MY_NAME.search(question):
        named = max((memory for memory in memories if _NAMING.search(memory.text)), key=lambda memory: memory.age, default=None)
        return Found(named, surely=True) if named else None
    asked = meaning(question) or _stems(question) & _WEAK_STEMS
    needed = len(asked) * (0.5 if _MINE.search(question) or reading.language is Language.JAPANESE else 0.6)
    best = max(memories, key=lambda memory: (_shared(asked, memory), *memory.age), default=None)
    if best is None or not asked or _shared(asked, best) < needed:
        return None
    return Found(best, surely=_shared(asked, best) == len(asked))


def sentences(said: str) -> list[str]:
    """Return what was said, sentence by sentence, without the words that only open one."""
    clauses = (clause for sentence in _SENTENCE.findall(said) for clause in _TURN_TO_ASK.split(sentence))
    return [_OPENING.sub("", clause.strip()) for clause in clauses if clause.strip()]


def _shared(asked: set[str], memory: Recalled) -> int:
    return len(asked & _stems(f"{memory.text} {memory.about_name}"))


def _may_be_kept(sentence: str) -> bool:
    if _QUESTION.search(sentence) or is_greeting(sentence):
        return False
    return bool(_WISH.search(sentence)) or not (_NOTHING_TO_KEEP.search(sentence) or talk_in(sentence))


def _stems(text: str) -> set[str]:
    stems = {_stem(word) for word in _WORD.findall(text.lower())}
    return {_SYNONYMS.get(stem, stem) for stem in stems}


def _stem(word: str) -> str:
    return _ENDING.sub("", word) if len(word) > 3 and word.isascii() else word


_EMPTY_STEMS = frozenset(_stem(word) for word in _EMPTY_WORDS.split())
_WEAK_STEMS = frozenset(_stem(word) for word in _WEAK_WORDS.split())
