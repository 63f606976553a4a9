"""What the offline model makes of words: questions, statements to keep, and the memory that answers. English, Japanese, a little German."""

import re
from collections.abc import Sequence

from bot.domain.memory import MAX_TEXT
from bot.llm.offline_prompt import Reading, Recalled


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=[^\s\"')]))+[.!?。！？…\"')]*")
_HELLO = r"(?:hi|hello|hey|good (?:morning|day|afternoon|evening)|hallo|moin|guten (?:morgen|tag|abend))"
_GREETING = _pattern(rf"{_HELLO}(?: there| \w+)?", "こんにち[はわ]", "こんばん[はわ]", "おはよう(?:ございます)?", "やあ", "はじめまして")
_OPENING = _pattern(rf"^{_HELLO}[,!]\s+", r"^(?:well|so|oh|ok|okay|yes|no|ja|nein|also)[,!]\s+")
_QUESTION = _pattern(
    r"[?？][\"')]*$",
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
    r"^(?:please |bitte )?(?:tell|give|show|help|let|explain|write|make|say|sing|play|forget|delete|stop|erzähl|gib|zeig|hilf)\b",
    r"\bi (?:want|need|would like|'d like) you\b|(?:ください|して|忘れて)[。！]?$",
    r"^i (?:see|know|guess|agree|mean|understand|don'?t (?:know|care|mind))\b.{0,9}$",
    r"^i'?m (?:fine|ok|okay|good|great|well|sorry|back|here)\W*$",
    r"ありがとう|よろしく|すみません|ごめん|おやすみ|そうです|いただきます",
)
_MINE = _pattern(r"\b(?:i|i'm|me|my|mine|we|our|us|ich|mein(?:e[nmrs]?)?|mir|mich)\b", "私|わたし|僕|ぼく|俺|自分")
_EVERYTHING = _pattern(
    r"\b(?:know|remember|told you)\b.* about ", r"what do you (?:know|remember)", "weißt du über", "何を(?:覚えて|知って)"
)
_MY_NAME = _pattern(r"\bmy name\b", r"\bwho am i\b", "wie heiße ich", "(?:私|僕|俺)の名前")
_NAMING = _pattern(r"\bmy name(?: is|'s)\b", r"\bcall me\b", r"\bi(?:'m| am) (?:called )?(?-i:[A-Z])", "ich heiße", "(?:私|僕|俺)の名前は")
_WORD = _pattern(r"[a-z0-9à-ÿ]+(?:[-'][a-z0-9à-ÿ]+)*", "[\u4e00-\u9fff々]+", "[\u30a0-\u30ff]{2,}")
_ENDING = re.compile(r"(?:'s|s'|ing|ies|ied|es|ed|en|s|e|y)$")
_EMPTY_WORDS = """
    a about again all also an and any are as at be been but by can could did do does for from get go had has have he her him his how i if in
    is it its just know like make me mine more much my name named call called of on or our out please remember said say see she should so
    some tell than that the their them then there they this to told too us very was we were what what's when where which who who's whose why
    will with would you your yours favorite favourite one ever still now old new
    aber am auch auf aus bei bin das dass dein deine dem den der die dir du ein eine einen er es für hat heißt ich im ist ja mein meine
    meinem meinen meiner mich mir mit nicht oder sie sind so und von war was weißt wer wie wir wo zu
    私 僕 俺 自分 何 誰 名前 時 事 好 一番 今 覚 教 知 言 話 思 君 彼 彼女
"""


def is_greeting(said: str) -> bool:
    """Say whether a line opens a conversation and says no more."""
    return bool(_GREETING.fullmatch(said.strip(" .!。！")))


def question_in(said: str) -> str:
    """Return what was asked, empty when nothing was."""
    return " ".join(sentence for sentence in _sentences(said) if _QUESTION.search(sentence))


def statement_in(said: str) -> str:
    """Return what people tell about themselves or wish to be remembered, in their own words; empty when there is nothing to keep."""
    sentences = [sentence for sentence in _sentences(said) if _may_be_kept(sentence)]
    if not any(_WISH.search(sentence) or _ABOUT_ONESELF.search(sentence) for sentence in sentences):
        return ""
    kept = [_WISH.sub("", sentence) for sentence in sentences]
    while len(" ".join(kept)) > MAX_TEXT:
        kept.pop()
    return " ".join(kept)


def asks_for_everything(question: str) -> bool:
    """Say whether somebody wants to hear all that is known."""
    return bool(_EVERYTHING.search(question))


def meaning(text: str) -> set[str]:
    """Return the words that carry a meaning, without their endings."""
    return {_stem(word) for word in _WORD.findall(text.lower())} - _EMPTY_STEMS


def may_be_meant(reading: Reading) -> Sequence[Recalled]:
    """Return the memories a question may be about: where several talk, one about oneself is answered from one's own."""
    named = [memory for memory in reading.memories if memory.about_name and meaning(memory.about_name) & meaning(reading.said)]
    if not reading.asker_id or not (named or reading.speaks_japanese or _MINE.search(reading.said)):
        return reading.memories
    return named or [memory for memory in reading.memories if memory.about_id == reading.asker_id]


def answer_in(reading: Reading) -> Recalled | None:
    """Return the memory that answers what was asked, the latest of equals; None when none does."""
    question, memories = question_in(reading.said), may_be_meant(reading)
    if _MY_NAME.search(question):
        return max((memory for memory in memories if _NAMING.search(memory.text)), key=lambda memory: memory.day, default=None)
    asked = meaning(question)
    needed = len(asked) * (0.5 if _MINE.search(question) or reading.speaks_japanese else 0.6)
    best = max(memories, key=lambda memory: (_shared(asked, memory), memory.day), default=None)
    return best if best and asked and _shared(asked, best) >= needed else None


def _shared(asked: set[str], memory: Recalled) -> int:
    return len(asked & meaning(f"{memory.text} {memory.about_name}"))


def _sentences(said: str) -> list[str]:
    return [_OPENING.sub("", sentence.strip()) for sentence in _SENTENCE.findall(said) if sentence.strip()]


def _may_be_kept(sentence: str) -> bool:
    return not (_QUESTION.search(sentence) or _NOTHING_TO_KEEP.search(_WISH.sub("", sentence)) or is_greeting(sentence))


def _stem(word: str) -> str:
    return _ENDING.sub("", word) if len(word) > 3 and word.isascii() else word


_EMPTY_STEMS = frozenset(_stem(word) for word in _EMPTY_WORDS.split())
