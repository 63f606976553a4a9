"""Example messages of a card, as exchanges, and back."""

import re
from collections.abc import Iterator, Sequence

from bot.domain.persona import Example

_START = re.compile(r"^[ \t]*<START>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_USER, _CHARACTER = r"(?:\{\{user\}\}|<user>)", r"(?:\{\{char\}\}|<(?:char|bot)>)"
SILENCE = "…"
"""What the other side says in an exchange that the character begins."""


def examples_of(text: str, name: str) -> tuple[Example, ...]:
    """Return the exchanges of a card's example messages; lines that nobody says belong to the line above them."""
    speaker = re.compile(rf"^[ \t]*(?:(?P<user>{_USER})|(?:{_CHARACTER}|{re.escape(name)})):[ \t]*", re.IGNORECASE | re.MULTILINE)
    return tuple(example for block in _START.split(text) for example in _exchanges(block, speaker))


def text_of_examples(examples: Sequence[Example]) -> str:
    """Return exchanges as example messages of a card."""
    return "\n".join(f"<START>\n{{{{user}}}}: {example.user}\n{{{{char}}}}: {example.reply}" for example in examples)


def _exchanges(block: str, speaker: re.Pattern[str]) -> Iterator[Example]:
    asked: list[str] = []
    replied: list[str] = []
    for is_user, said in _lines(block, speaker):
        if is_user and replied:
            yield Example("\n".join(asked) or SILENCE, "\n".join(replied))
            asked, replied = [], []
        (asked if is_user else replied).append(said)
    if replied:
        yield Example("\n".join(asked) or SILENCE, "\n".join(replied))


def _lines(block: str, speaker: re.Pattern[str]) -> Iterator[tuple[bool, str]]:
    starts = list(speaker.finditer(block))
    ends = [start.start() for start in starts[1:]] + [len(block)]
    for start, end in zip(starts, ends, strict=False):
        if said := block[start.end() : end].strip():
            yield start["user"] is not None, said
