"""People's words inside a command's Markdown: shown as they were written, with no markup and no pings."""

import re

_INLINE = re.compile(r"[\\`*~|\[\]<>]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])")
_AT_LINE_START = re.compile(r"^(?:[#>+=:-]|\d+(?=[.)]))")
_PING = re.compile(r"@(?=\w)")
_INVISIBLE = re.compile("[\0-\x08\x0e-\x1b\x7f\u200b\u202a-\u202e\u2066-\u2069]")
"""Control characters, and marks that turn the direction of the text behind them."""
_BREAK_PING = "@\u200b"


def shown(text: str) -> str:
    """Return the text on one line, to stand anywhere in Markdown."""
    line = _PING.sub(_BREAK_PING, " ".join(_INVISIBLE.sub("", text).split()))
    return _AT_LINE_START.sub(_escaped_start, _INLINE.sub(r"\\\g<0>", line))


def _escaped_start(match: re.Match[str]) -> str:
    start = match[0]
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"
