"""How many tokens endpoints count where we count one: each has an encoding of its own, and ours is only near to it."""

from collections import OrderedDict

LEAST, MOST = 0.5, 2.0
"""Bounds of what is believed of an endpoint."""
WEIGHT = 0.3
"""What one report counts beside all before it."""
PLACES = 2000
"""Conversations that are kept in mind; the one that was silent for the longest time gives way."""
IMPLAUSIBLE = 4
"""A report that is off by more than this counts something else than tokens of the prompt."""


class TokenRatios:
    """Learns from what endpoints report, a conversation apart from the others: what language it is in makes most of the difference.

    Nothing is carried from one conversation into the prompts of another, not even how long they may be.
    """

    def __init__(self) -> None:
        self._of_place: OrderedDict[tuple[str, str], float] = OrderedDict()

    def of(self, model: str, place: str) -> float:
        """Return the ratio of a model in a conversation; 1 in one that is new."""
        return self._of_place.get((model, place), 1.0)

    def learn(self, model: str, place: str, *, counted: int, reported: int) -> None:
        """Take in how many tokens we counted of a prompt and how many the endpoint did."""
        if not counted or not counted / IMPLAUSIBLE <= reported <= counted * IMPLAUSIBLE:
            return
        seen = min(max(reported / counted, LEAST), MOST)
        before = self._of_place.pop((model, place), seen)
        self._of_place[model, place] = _moved(before, seen)
        if len(self._of_place) > PLACES:
            self._of_place.popitem(last=False)


def _moved(before: float, seen: float) -> float:
    return before + WEIGHT * (seen - before)
