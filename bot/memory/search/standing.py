"""How a text's likeness to a question stands out among those of unrelated texts.

Models disagree about what a cosine means: unrelated texts lie at 0.1 for one and at 0.8 for another. So none is judged by itself.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.ports.corpus import Likenesses
from bot.ports.embedder import Vectors

REFERENCES = (
    *("Good morning, how are you today?", "I will be back in an hour.", "That sounds great, thanks a lot!"),
    *("The meeting was moved to another room.", "My brother bought a new phone.", "It has been raining all week."),
    *("We had soup for dinner.", "I do not like this song.", "The bus was late again.", "She works in a small office."),
    *("Let's play another round tonight.", "He is looking for his keys."),
    *(
        "おはよう、元気？",
        "あとで電話するね。",
        "新しい靴を買った。",
        "今日はとても疲れた。",
        "週末は家でゆっくりした。",
        "その映画はまだ見ていない。",
    ),
    *(
        "Ich komme morgen etwas später.",
        "Das Wetter ist heute schön.",
        "Wir haben gestern lange geredet.",
        "Mein Auto ist in der Werkstatt.",
    ),
    *("Mañana tengo mucho trabajo.", "La comida estaba muy rica.", "No encuentro mi teléfono.", "Mi hermana vive cerca."),
    *("今天天气很好。", "我刚刚到家。", "他想换一份工作。", "这本书很有意思。"),
    *("Je suis en retard.", "Nous partons la semaine prochaine."),
)
"""Everyday sentences: a question's likeness to them tells, in a young conversation, what that to an unrelated text is."""

ENOUGH_TEXTS = 30
"""So many texts tell the spread of cosines by themselves."""
_LEAST_DEVIATIONS = 2.5
_BESIDE_WORDS = 0.9
"""Where too little is known, likeness alone is never enough."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Background:
    """A question's cosines with texts that have nothing to do with it."""

    count: int
    total: float
    squares: float


def background(question: Vectors, references: Vectors) -> Background:
    """Return how near a question, one row, is to the vectors of `REFERENCES`."""
    cosines = (references @ question[0]).astype(np.float64)
    return Background(len(cosines), float(cosines.sum()), float(cosines @ cosines))


def standings(likenesses: Likenesses, unrelated: Background | None) -> Floats:
    """Return for each document how far its likeness stands out: 1 is as far as the best of so many unrelated ones would by chance.

    It is 0 where no vector is known, and below 1 everywhere when too little is known to judge.
    """
    known = likenesses.cosines[likenesses.known].astype(np.float64)
    if not len(known):
        return np.zeros(len(likenesses.cosines), np.float32)
    base = unrelated or Background(0, 0.0, 0.0)
    count = len(known) + base.count
    mean = (known.sum() + base.total) / count
    spread = math.sqrt(max((known @ known + base.squares) / count - mean * mean, 0.0))
    if spread < 1e-6:
        return np.zeros(len(likenesses.cosines), np.float32)
    # The largest of n values without a cause lies about sqrt(2 ln n) deviations above their mean.
    chance = max(math.sqrt(2 * math.log(count)), _LEAST_DEVIATIONS)
    found = np.where(likenesses.known, (likenesses.cosines - np.float32(mean)) / np.float32(spread * chance), 0).astype(np.float32)
    return np.minimum(found, np.float32(_BESIDE_WORDS)) if count < ENOUGH_TEXTS else found
