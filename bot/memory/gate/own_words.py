"""What of a message its author says in words of their own: not what they forward, quote or attach."""

import re
from collections.abc import Sequence

from bot.domain.message import StoredMessage
from bot.domain.terms import terms

_ATTACHED = re.compile(r"^\[attached: .*\]$", re.MULTILINE)
_FORWARDED = re.compile(r"\A\[Forwarded from .*\]$|^\[forwarded message\]\n(?:> ?.*\n?)*", re.MULTILINE)
_QUOTED_LINES = re.compile(r"^>.*$", re.MULTILINE)


def own_words(text: str) -> str:
    """Return what the author of a stored message wrote themselves."""
    written = _ATTACHED.split(text, maxsplit=1)[0]
    if written.startswith("[Forwarded from "):
        return ""
    return _QUOTED_LINES.sub("", _FORWARDED.sub("", written)).strip()


def from_outside(text: str, messages: Sequence[StoredMessage]) -> bool:
    """Say whether a fact shares more with what people brought along, or a bot said that they quote, than with their own words."""
    wanted = terms(text)
    own = frozenset[str]().union(*(terms(own_words(message.text)) for message in messages))
    brought = frozenset[str]().union(*(terms(_brought(message)) for message in messages)) - own
    return len(wanted & brought) > len(wanted & own)


def _brought(message: StoredMessage) -> str:
    quoted = message.quote.text if message.quote is not None and message.quote.author.is_bot else ""
    own = own_words(message.text)
    return f"{quoted}\n{message.text if own != message.text.strip() else ''}"
