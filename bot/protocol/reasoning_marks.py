"""Marks other than plain tags between which models reason, and the channels that some of them speak in."""

import re
from dataclasses import dataclass

from bot.protocol.scanner import Removed, Verdict
from bot.protocol.written_calls import WrittenCall

_PAIRS = {
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<seed:think>": "</seed:think>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|channel>thought": "<channel|>",
    "<unused94>": "<unused95>",
}
_ENDS = {opening: re.compile(re.escape(closing)) for opening, closing in _PAIRS.items()}
_FRAMES = ("<|begin_of_solution|>", "<|end_of_solution|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|start|>assistant")
"""What stands around an answer and says nothing."""
_CHANNEL = "<|channel|>"
_IN_CHANNELS = ("<|end|>", "<|return|>", "<|call|>", "<|message|>", "<|constrain|>", "<|start|>")
"""What says nothing either, once an answer has turned out to be in channels."""
_LITERALS = (*_PAIRS, *_PAIRS.values(), *_FRAMES, _CHANNEL, *_IN_CHANNELS)
_LONGEST = max(map(len, _LITERALS))
_SHORTEST_CUT = 4
"""Characters of a mark at the very end of the text that make it a cut mark."""
_HEADER = re.compile(r"<\|channel\|>\s*(\w+)([^\n<]{0,160})(?:<\|constrain\|>\s*\w{0,16}\s*)?<\|message\|>")
_LONGEST_HEADER = 240
_RECIPIENT = re.compile(r"\bto=(?:functions\.)?([\w.-]{1,64})")
_CHANNEL_END = re.compile(r"<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)")
_MAX_CALL = 16_384


@dataclass(frozen=True, slots=True)
class Opened:
    """Reasoning that begins behind `end` and goes on until `closing`."""

    end: int
    closing: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of reasoning, or what can only follow it."""

    end: int


MarkResult = Opened | Closed | Removed[WrittenCall] | Verdict


def read_mark(text: str, start: int, *, in_channels: bool, final: bool) -> MarkResult:
    """Return the mark at that place. SHOW means that there is none."""
    literal = next((literal for literal in _LITERALS if text.startswith(literal, start)), None)
    if literal is None:
        return _read_cut(text[start : start + _LONGEST], start, final=final)
    end = start + len(literal)
    if literal == _CHANNEL:
        return _read_channel(text, start, final=final)
    if literal in _ENDS:
        return Opened(end, _ENDS[literal])
    if literal in _PAIRS.values():
        return Closed(end)
    if literal == "<|start|>" and not final and "assistant".startswith(text[end:]):
        return Verdict.WAIT
    return Removed(end) if literal in _FRAMES or in_channels else Verdict.SHOW


def _read_cut(rest: str, start: int, *, final: bool) -> MarkResult:
    if not any(literal.startswith(rest) for literal in _LITERALS):
        return Verdict.SHOW
    if not final:
        return Verdict.WAIT
    return Removed(start + len(rest)) if len(rest) >= _SHORTEST_CUT else Verdict.SHOW


def _read_channel(text: str, start: int, *, final: bool) -> MarkResult:
    window = text[start : start + _LONGEST_HEADER]
    header = _HEADER.match(window)
    if header is None:
        if final:
            return Removed(len(text) if len(window) < _LONGEST_HEADER and "\n" not in window else start + len(_CHANNEL))
        return Verdict.WAIT if len(window) < _LONGEST_HEADER else Removed(start + len(_CHANNEL))
    end = start + header.end()
    if recipient := _RECIPIENT.search(header[2]):
        return _read_call(text, end, recipient[1], final=final)
    match header[1]:
        case "final":
            return Closed(end)
        case "commentary":
            return Removed(end)
        case _:
            return Opened(end, _CHANNEL_END)


def _read_call(text: str, start: int, name: str, *, final: bool) -> MarkResult:
    window = text[start : start + _MAX_CALL]
    end = _CHANNEL_END.search(window)
    if end is None and not final and len(window) < _MAX_CALL:
        return Verdict.WAIT
    body = window if end is None else window[: end.start()]
    return Removed(start + (len(window) if end is None else end.end()), (WrittenCall(name, body.strip()),))
