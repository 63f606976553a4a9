"""Commands that an answer names, in the form in which a tap sends them: `/memory_list`. Pure."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from bot.domain.command import Command
from bot.domain.message import Part, Span, StyleKind

_NAMED = re.compile(r"/([a-z0-9]+(?: [a-z0-9_]+)?)(?: [<\[].*)?")
"""A command as code, perhaps with the places of its options; one that is typed with values stays code, to be copied."""
_LONGEST = 32
_GLUED = re.compile(r"[\w/<>]")
"""What hides a command from Telegram when it stands beside it."""


def tappable_names(commands: Sequence[Command]) -> frozenset[str]:
    """Return the names of commands, and of their groups, that Telegram can link."""
    names = {name for command in commands for name in (command.name, command.path[0])}
    return frozenset(name for name in names if _NAMED.fullmatch(f"/{name}") and len(name) <= _LONGEST)


def tappable(part: Part, names: Set[str]) -> Part:
    """Return a part in which the commands that stand in code letters can be tapped."""
    units = part.text.encode("utf-16-le", "surrogatepass")
    kept: list[Span] = []
    for span in part.spans:
        begin, end = 2 * span.offset, 2 * (span.offset + span.length)
        linked = _linked(units[begin:end].decode("utf-16-le", "replace"), names) if span.kind is StyleKind.CODE else ""
        before, after = (units[max(at, 0) : at + 2].decode("utf-16-le", "replace") for at in (begin - 2, end))
        if not linked or _GLUED.match(before) or _GLUED.match(after):
            kept.append(span)
        else:
            units = units[:begin] + linked.encode("utf-16-le") + units[end:]
    return replace(part, text=units.decode("utf-16-le", "surrogatepass"), spans=tuple(kept))


def _linked(code: str, names: Set[str]) -> str:
    """Return code with its command in one word, as long as before; empty where it is none that can be tapped."""
    match = _NAMED.fullmatch(code)
    if match is None or match[1] not in names:
        return ""
    return f"/{match[1].replace(' ', '_')}{code[match.end(1) :]}"
