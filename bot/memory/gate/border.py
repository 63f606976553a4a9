"""The border between what is kept and a prompt: one judge, by today's rules, for whatever comes back of what people or models wrote."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.by_text import ByText
from bot.memory.gate.judge import is_fit
from bot.memory.gate.pieces import order_of_pieces
from bot.memory.gate.summaries import kept_by
from bot.memory.gate.verdict import Concern

MOST_JUDGED = 20_000
"""Texts whose verdict is known: to judge one costs up to a millisecond, and the same are found again and again."""
_BETWEEN = "\0"


def judged_texts() -> ByText[bool]:
    """Return what knows the verdicts on texts, for the borders of all personas."""
    return ByText(_is_fit, most=MOST_JUDGED)


@dataclass(frozen=True, slots=True, eq=False)
class Border:
    """Says what may stand in a persona's prompt as something remembered."""

    bot_name: str = ""
    """What the persona is called."""
    judged: ByText[bool] = field(default_factory=judged_texts)

    def lets_in(self, text: str) -> bool:
        """Say whether the gate would let a text into memory."""
        return self.judged(f"{self.bot_name}{_BETWEEN}{text}")

    def kept(self, text: str) -> str:
        """Return what may come back of a text: all of it, or else the sentences that the gate would let into memory."""
        return text if self.lets_in(text) else kept_by(self.lets_in, text)

    def makes_order(self, texts: Sequence[str]) -> bool:
        """Say whether one speaker's texts, oldest first, hold the pieces of an order."""
        return order_of_pieces(texts, (self.bot_name,)) is not Concern.NONE


def _is_fit(named_text: str) -> bool:
    name, _, text = named_text.partition(_BETWEEN)
    return is_fit(text, (name,))
