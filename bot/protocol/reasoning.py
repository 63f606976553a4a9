"""A model's answer without the reasoning that some models write into it."""

import re
from dataclasses import dataclass

from bot.protocol.opening import Trouble, read_opening
from bot.protocol.scanner import Removed, Scanner, Verdict, VisibleText

_NAMES = frozenset({"think", "thinking", "reasoning"})
_END = re.compile(r"</(?:think|thinking|reasoning)[ \t]{0,4}>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Retraction:
    """All that came before was reasoning after all: take it back."""


ReasoningResult = VisibleText | Retraction


class ReasoningFilter:
    """Feed it an answer in pieces; what stays visible is the same for any way of cutting it.

    Taken out: `<think>`, `<thinking>` and `<reasoning>` up to the next closing tag, or to the end where there is none. A closing
    tag that comes first of all retracts what stood before it: the opening one was part of the prompt. Code is left alone.
    """

    def __init__(self) -> None:
        self._opened = False
        self._scanner = Scanner[Retraction](self._read)

    def feed(self, chunk: str) -> list[ReasoningResult]:
        """Return what is visible of this piece, or was of earlier ones."""
        return self._scanner.feed(chunk)

    def close(self) -> list[ReasoningResult]:
        """Return the rest; nothing comes after it."""
        return self._scanner.close()

    def _read(self, text: str, start: int, final: bool) -> Removed[Retraction] | Verdict:
        tag = read_opening(text, start, _NAMES, final=final)
        if isinstance(tag, Verdict):
            return tag
        leads, self._opened = not self._opened, True
        if tag.closes:
            return Removed(tag.end, (Retraction(),), restart=True) if leads else Removed(tag.end)
        if tag.is_empty or tag.trouble is Trouble.CUT_OFF:
            return Removed(tag.end)
        return Removed(tag.end, skip_to=_END)
