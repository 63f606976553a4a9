"""Why something stood in a prompt, as it is kept, told in the reader's language."""

from bot.memory.recall import ASKED_FOR, CAME_BACK, STANDING, TOLD
from bot.memory.search.reasons import ALIKE, BESIDE, SAID_BY, WORD, WORDS
from bot.wording.say import later, say, translated

_WHOLE = {
    STANDING: later("stood in the prompt by default"),
    TOLD: later("told since my memory was last put in order"),
    CAME_BACK: later("came back lately"),
    ASKED_FOR: later("shares words with the message"),
    ALIKE: later("means something similar"),
    BESIDE: later("next to another hit"),
}


def told_reason(kept: str) -> str:
    """Return a reason in the present language; a part of it that nobody knows stays as it is."""
    return "; ".join(_part(part) for part in kept.split("; "))


def _part(part: str) -> str:
    if part in _WHOLE:
        return translated(_WHOLE[part])
    if part.startswith(WORDS):
        return say("shares the words {words}", words=part.removeprefix(WORDS))
    if part.startswith(WORD):
        return say("shares the word {word}", word=part.removeprefix(WORD))
    if part.startswith(SAID_BY):
        return say("said by {name}", name=part.removeprefix(SAID_BY))
    return part
