"""How far a text's likeness to a question stands out from that of unrelated texts.

Models disagree about what a cosine means: unrelated texts lie at 0.1 for one and at 0.8 for another. So a cosine is judged by those of
everyday sentences with each other.
"""

import math
from dataclasses import dataclass

import numpy as np

from bot.memory.search.neighbours import Floats
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
"""Everyday sentences that have nothing to do with each other."""

ENOUGH_TEXTS = 30
"""So many texts tell the mean and the spread of cosines; with fewer, the everyday sentences have a say of that weight."""
_FLAT = 1e-6
"""Texts that are all alike do not stand out."""
_BESIDE_WORDS = 0.4
"""What nothing is known to judge by makes no hit without a word in common: in every conversation something stands out."""


@dataclass(frozen=True, slots=True)
class Background:
    """The cosines of unrelated texts: their mean, and how far they usually lie from it."""

    mean: float
    spread: float


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """How far the likeness of each document stands out; 0 where it is not known."""

    among_all: Floats
    """From that of unrelated texts of any kind, in usual distances: whether it means something similar at all."""
    among_these: Floats
    """From that of the conversation's other documents: 1 is as far as the best of so many would stand out by chance."""


def background(question: Vectors, references: Vectors) -> Background:
    """Return what the cosines of unrelated texts are for an embedder, which made the question's row and the vectors of `REFERENCES`."""
    if question.shape[1] != references.shape[1]:
        raise ValueError(f"Vectors of {question.shape[1]} and {references.shape[1]} numbers are of two embedders; take both from one.")
    pairs = (references @ references.T)[np.triu_indices(len(references), 1)]
    return Background(float(pairs.mean()), float(pairs.std()))


def unknown(size: int) -> Likenesses:
    """Return the likenesses of so many documents where there are no vectors."""
    return Likenesses(np.zeros(size, np.float32), np.zeros(size, np.bool_))


def standings(likenesses: Likenesses, unrelated: Background | None) -> Standings:
    """Return how far each document's likeness to the question stands out."""
    known = likenesses.cosines[likenesses.known]
    nothing = np.zeros(len(likenesses.cosines), np.float32)
    if not len(known) or not (unrelated or len(known) >= ENOUGH_TEXTS):
        return Standings(nothing, nothing)
    mean, spread = _pooled(known, unrelated)
    chance = math.sqrt(2 * math.log(len(known) + ENOUGH_TEXTS))
    among_these = _distances(likenesses, mean, spread * chance)
    if unrelated is None:
        return Standings(np.clip(among_these, 0, np.float32(_BESIDE_WORDS)), among_these)
    return Standings(_distances(likenesses, unrelated.mean, unrelated.spread), among_these)


def _pooled(known: Floats, unrelated: Background | None) -> tuple[float, float]:
    """Return the mean and the spread of these cosines, and of as many unrelated ones as make up for few."""
    mean, square = float(known.mean(dtype=np.float64)), float(np.square(known, dtype=np.float64).mean())
    if unrelated:
        share = len(known) / (len(known) + ENOUGH_TEXTS)
        mean = share * mean + (1 - share) * unrelated.mean
        square = share * square + (1 - share) * (unrelated.mean**2 + unrelated.spread**2)
    return mean, math.sqrt(max(square - mean * mean, 0.0))


def _distances(likenesses: Likenesses, mean: float, usual: float) -> Floats:
    if usual < _FLAT:
        return np.zeros(len(likenesses.cosines), np.float32)
    found: Floats = (likenesses.cosines - np.float32(mean)) / np.float32(usual) * likenesses.known
    return found
