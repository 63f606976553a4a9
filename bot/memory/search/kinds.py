"""What sort of answer a question wants."""

import re
from enum import StrEnum

from bot.memory.search.languages import CUES


class QuestionKind(StrEnum):
    """The sort of answer."""

    WHEN = "when"
    HOW_MANY = "how many"
    HOW_LONG = "how long"
    WHO_SAID = "who said"
    OTHER = "other"


_PATTERNS = (
    (
        QuestionKind.WHO_SAID,
        r"\bwho(?: was it (?:who|that))? (?:said|told|mentioned|wrote|suggested|recommended|asked|talked|promised)\b"
        r"|\bwer (?:hat .*)?(?:gesagt|sagte|erzählt|erzählte|erwähnt|erwähnte|geschrieben)|\bquién (?:dijo|contó|mencionó|escribió)\b"
        r"|\bqui a (?:dit|raconté|écrit)\b|(?:誰|だれ)が.*(?:言|話|書)|谁(?:说|提)|誰說",
    ),
    (
        QuestionKind.HOW_MANY,
        r"\bhow many\b|\bwie ?viele?\b|\bcuánt[oa]s\b|\bcombien de\b|\bquant[oaie]s?\b|いくつ|何[人回個匹枚冊本]|几[个次人]|多少",
    ),
    (QuestionKind.HOW_LONG, r"\bhow long\b|\bwie lange\b|\bcuánto tiempo\b|\bdepuis combien\b|どのくらい|どれくらい|何年間|多久"),
    (
        QuestionKind.WHEN,
        r"\bwhen\b|\b(?:what|which) (?:\w+ )?(?:day|date|month|year|week)\b|\bwann\b|\bcuándo\b|\bquand\b|\bquando\b"
        r"|いつ|何曜日|何月|何日|什么时候|什麼時候|哪天|几号",
    ),
)
_KINDS = [(kind, re.compile(pattern)) for kind, pattern in _PATTERNS]


def kind_of(text: str) -> QuestionKind:
    """Return the sort of answer that a question wants."""
    folded = text.casefold()
    return next((kind for kind, pattern in _KINDS if pattern.search(folded)), QuestionKind.OTHER)


def cues(kind: QuestionKind) -> frozenset[str]:
    """Return terms that answers of this sort often hold."""
    return CUES.get(kind, frozenset())
