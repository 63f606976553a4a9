"""Which drafts were posted and taken away again, so that the next one is not taken for a double of them."""

from collections import Counter, OrderedDict
from dataclasses import dataclass, field

MOST_KNOWN = 1000
"""Drafts of the last minutes; Discord forgets its own doubles as quickly."""


@dataclass(slots=True)
class Drafts:
    """Names each draft by what it answers, so that one that is posted again after a crash is dropped as a double."""

    _answered: OrderedDict[str, str] = field(default_factory=OrderedDict)
    """What a posted draft answers, by the draft's id."""
    _withdrawn: Counter[str] = field(default_factory=Counter)

    def nonce(self, answers: str) -> str:
        """Return what Discord knows the next draft by: the same until one that answers that message is withdrawn."""
        tries = self._withdrawn[answers]
        return f"draft-{answers}-{tries}" if tries else f"draft-{answers}"

    def posted(self, message_id: str, answers: str) -> None:
        """Note a draft."""
        self._answered[message_id] = answers
        while len(self._answered) > MOST_KNOWN:
            self._withdrawn.pop(self._answered.popitem(last=False)[1], None)

    def withdrawn(self, message_id: str) -> None:
        """Note that a draft, or an answer that was one, is taken away."""
        if answers := self._answered.get(message_id):
            self._withdrawn[answers] += 1
