"""Turns that stand near each other in a session: what one is found by speaks for the others too."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bot.ports.corpus import Documents

Floats: TypeAlias = npt.NDArray[np.float32]
Places: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Bonds: TypeAlias = Sequence[Floats]
"""For each distance from 1 on, how much a document and the one so far after it have to do with each other, 0..1."""

SESSION_GAP = 3 * 3600
"""Seconds of silence after which a new session begins."""
REACH = 2
"""Places that something is lent over: from a question to its answer, and to what is said about that."""
_SHARES = (0.2, 0.1)
"""What the turns at one and two places from a document are credited with of what it has."""
_ACROSS_ROLES = 0.5
"""What is left of it between a persona and a person."""


def sessions(documents: Documents) -> Places:
    """Return the number of the session that each document stands in."""
    numbers = np.zeros(len(documents.times), np.int64)
    np.cumsum(np.diff(documents.times) > SESSION_GAP, out=numbers[1:])
    return numbers


def bonds(places: Places, numbers: Places, of_persona: Mask) -> Bonds:
    """Return the bonds between documents at these rising places, with the numbers of their sessions."""
    found = []
    for distance in range(1, REACH + 1):
        near = (places[distance:] - places[:-distance] == distance) & (numbers[distance:] == numbers[:-distance])
        alike = np.where(of_persona[distance:] == of_persona[:-distance], np.float32(1), np.float32(_ACROSS_ROLES))
        found.append(near * alike)
    return found


def with_lent(values: Floats, near: Bonds) -> Floats:
    """Return values, each with a share of what its neighbours have."""
    credited: Floats = values.copy()
    for distance, (bond, share) in enumerate(zip(near, _SHARES, strict=True), 1):
        factor = bond * np.float32(share)
        credited[distance:] += values[:-distance] * factor
        credited[:-distance] += values[distance:] * factor
    return credited
