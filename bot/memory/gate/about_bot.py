"""Texts about the persona itself: memory holds facts about people, so what says how the persona is or acts waits."""

import re
from collections.abc import Collection, Iterable

from bot.memory.gate.reading import read

_SUBJECT = re.compile(
    r"(?:^|[.!?;:\n]\s*|,\s*)(?:the |this |our )?(?:bot|assistant|chatbot)\b(?!,)(?:'s)? (?!is\b|was\b|seems?\b|looks?\b|sounds?\b"
    r"|are\b|were\b)\w+"
    r"(?![^.!?\n]*\b(?:i|me|my|mine|us|we|our)\b)"
)
_ADDRESSED = re.compile(
    r"\b(?:you|your|yours|yourself|bot|assistant|chatbot|du|dir|dich|dein\w*|tu|tus|te|toi|ton|tes)\b|あなた|ボット|机器人|機器人|你"
)
_ANYBODY = re.compile(
    r"\b(?:everyone|everybody|anyone|anybody|whoever|jede[mnrs]?|alle[nm]?|jemand\w*|todos|alguien|cualquiera|tout le monde"
    r"|quiconque)\b|全員|みんな|誰|所有人|大家|任何人"
)


def says_how_bot_acts(reading: str) -> bool:
    """Say whether a text, as `readings` gives it with the persona's name as `bot`, tells what the persona does, with nobody else in it."""
    return bool(_SUBJECT.search(reading))


def ties_bot_to_others(text: str, others: Collection[str], named: Iterable[str] = ()) -> bool:
    """Say whether a text tells of the persona together with some other member, by name, or with everybody."""
    reading = read(text)
    speaks_of_bot = bool(_ADDRESSED.search(reading)) or any(_holds(reading, read(name)) for name in named)
    return speaks_of_bot and bool(_ANYBODY.search(reading) or any(_holds(reading, read(name)) for name in others))


def _holds(reading: str, name: str) -> bool:
    return bool(name) and re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", reading) is not None
