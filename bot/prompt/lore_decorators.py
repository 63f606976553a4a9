"""Decorators: the first lines of a lorebook entry that begin with `@@` and say when it fires."""

import re
from dataclasses import dataclass, replace

MOST_DEPTH = 1_000
_LINE = re.compile(r"(@@@?)(\w+)[ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class Decorated:
    """An entry's text without its decorators, and those of them that count."""

    text: str
    always: bool = False
    """`@@activate`"""
    never: bool = False
    """`@@dont_activate`"""
    scan_depth: int | None = None
    """`@@scan_depth`"""
    needed: tuple[str, ...] = ()
    """`@@additional_keys`: one of these must come up too."""
    excluded: tuple[str, ...] = ()
    """`@@exclude_keys`: none of these may."""


def decorated(content: str) -> Decorated:
    """Return what an entry's content says and asks for. Other decorators are left out; `@@@` stands in for one that was."""
    if not content.lstrip().startswith("@@"):
        return Decorated(content.strip())
    lines = content.lstrip().split("\n")
    found: dict[str, str] = {}
    took, first = True, 0
    while first < len(lines) and (line := _LINE.match(lines[first].strip())):
        first += 1
        marks, name, value = line[1], line[2].lower(), line[3].strip()
        if marks == "@@" or not took:
            took = _counts(name, value)
            if took:
                found.setdefault(name, value)
    plain = Decorated("\n".join(lines[first:]).strip())
    return _asked_for(plain, found) if found else plain


def _asked_for(plain: Decorated, found: dict[str, str]) -> Decorated:
    always = "activate" in found
    return replace(
        plain,
        always=always,
        never="dont_activate" in found and not always,
        scan_depth=int(found["scan_depth"]) if "scan_depth" in found else None,
        needed=_words(found.get("additional_keys", "")),
        excluded=_words(found.get("exclude_keys", "")),
    )


def _counts(name: str, value: str) -> bool:
    if name in {"additional_keys", "exclude_keys"}:
        return bool(_words(value))
    if name == "scan_depth":
        return value.isascii() and value.isdigit() and len(value) <= 4 and int(value) <= MOST_DEPTH
    return name in {"activate", "dont_activate"}


def _words(value: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in value.split(",") if word.strip())
