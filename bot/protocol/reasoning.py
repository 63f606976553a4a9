"""A model's answer without the reasoning and the tool calls that some models write into it."""

import re
from dataclasses import dataclass

from bot.protocol.mention import FAR, closing_is_mentioned, opening_is_mentioned
from bot.protocol.opening import Opening, Trouble, read_opening
from bot.protocol.reasoning_marks import Closed, Opened, read_mark
from bot.protocol.scanner import Removed, Scanner, Verdict, VisibleText
from bot.protocol.written_calls import WrittenCall, read_written_call

_NAMES = frozenset({"think", "thinking", "reasoning", "thought"})
_END = re.compile(r"</(?:think|thinking|reasoning|thought)[ \t]{0,4}>", re.IGNORECASE)
_MARKS = "<[◁"
_BARE = re.compile(r"analysis(?=[A-Z])")
"""How a channel of reasoning begins at endpoints that leave out the marks around its name."""
_BARE_END = re.compile(r"assistantfinal")


@dataclass(frozen=True, slots=True)
class Retraction:
    """All that came before was reasoning after all: take it back."""


ReasoningEvent = Retraction | WrittenCall
ReasoningResult = VisibleText | ReasoningEvent


class ReasoningFilter:
    """Feed it an answer in pieces; what stays visible is the same for any way of cutting it.

    Taken out: `<think>`, `<thinking>`, `<reasoning>` and `<thought>` up to the next closing tag, or to the end where there is none,
    and what stands between the marks of `reasoning_marks`. A closing tag that comes first of all retracts what stood before it: the
    opening one was part of the prompt. Code is left alone, and so are tags that are only spoken of.
    """

    def __init__(self) -> None:
        self._opened = False
        self._mentioned = False
        self._in_channels = False
        self._beginning: str | None = ""
        self._scanner = Scanner[ReasoningEvent](self._read, marks=_MARKS)

    def feed(self, chunk: str) -> list[ReasoningResult]:
        """Return what is visible of this piece, or was of earlier ones."""
        if self._beginning is not None:
            self._beginning += chunk
            if "analysis".startswith(self._beginning):
                return []
            chunk = self._begun()
        return self._scanner.feed(chunk)

    def close(self) -> list[ReasoningResult]:
        """Return the rest; nothing comes after it."""
        before = self._scanner.feed(self._begun()) if self._beginning else []
        return before + self._scanner.close()

    def _begun(self) -> str:
        """Return the beginning, which is long enough to tell whether it is that of a channel."""
        beginning, self._beginning = self._beginning or "", None
        if _BARE.match(beginning):
            self._opened = True
            self._scanner.skip(_BARE_END)
        return beginning

    def _read(self, text: str, start: int, final: bool) -> Removed[ReasoningEvent] | Verdict:
        for found in (self._read_mark(text, start, final), read_written_call(text, start, final=final)):
            if found is Verdict.WAIT:
                return Verdict.WAIT
            if isinstance(found, Removed):
                return Removed(found.end, found.events, found.skip_to, found.restart)
        tag = read_opening(text, start, _NAMES, final=final) if text[start] == "<" else Verdict.SHOW
        if isinstance(tag, Verdict):
            return tag
        return self._read_closing(tag, text, final) if tag.closes else self._read_opening(tag, text, final)

    def _read_mark(self, text: str, start: int, final: bool) -> Removed[ReasoningEvent] | Verdict:
        mark = read_mark(text, start, in_channels=self._in_channels, final=final)
        if isinstance(mark, Verdict):
            return mark
        self._in_channels = self._in_channels or text.startswith(("<|channel|>", "<|start|>"), start)
        match mark:
            case Opened():
                self._opened = True
                return Removed(mark.end, skip_to=mark.closing)
            case Closed():
                return self._closed(mark.end)
            case Removed():
                self._opened = self._opened or text.startswith("<|channel|>", start)
                return Removed(mark.end, mark.events)

    def _read_opening(self, tag: Opening, text: str, final: bool) -> Removed[ReasoningEvent] | Verdict:
        if tag.is_empty or tag.trouble is Trouble.CUT_OFF:
            self._opened = True
            return Removed(tag.end)
        mentioned = opening_is_mentioned(self._scanner.line, text[tag.end : tag.end + FAR], _END, final=final)
        if mentioned:
            self._mentioned = mentioned is True or self._mentioned
            return Verdict.SHOW if mentioned is True else Verdict.WAIT
        self._opened = True
        return Removed(tag.end, skip_to=_END)

    def _read_closing(self, tag: Opening, text: str, final: bool) -> Removed[ReasoningEvent] | Verdict:
        mentioned = closing_is_mentioned(self._scanner.line, text[tag.end : tag.end + FAR], opening_was=self._mentioned, final=final)
        if mentioned:
            return Verdict.SHOW if mentioned is True else Verdict.WAIT
        return self._closed(tag.end)

    def _closed(self, end: int) -> Removed[ReasoningEvent]:
        leads, self._opened = not self._opened, True
        return Removed(end, (Retraction(),), restart=True) if leads else Removed(end)
