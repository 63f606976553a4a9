"""A server's own emoji, which models name and people see."""

import re
from collections.abc import Iterable
from typing import Protocol

from bot.domain.text import utf16_length
from bot.platforms.discord.split import LIMIT

_CODE = r"```.*?(?:```|\Z)|`[^`\n]+`|https?://\S+"
_NAMED = re.compile(rf"(?P<code>{_CODE})|<a?:(?P<full>\w{{2,32}}):(?P<id>\d+)>|(?<![\w:<]):(?P<name>\w{{2,32}}):(?![\w:>])", re.DOTALL)


class ServerEmoji(Protocol):
    """An emoji of a server; as a text it is what Discord shows as one."""

    @property
    def id(self) -> int:
        """Return Discord's id of it."""
        ...

    @property
    def name(self) -> str:
        """Return what stands between the colons."""
        ...

    @property
    def available(self) -> bool:
        """Say whether the server may have it just now."""
        ...

    def is_usable(self) -> bool:
        """Say whether the bot may use it."""
        ...


def may_name_emoji(text: str) -> bool:
    """Say whether a text may name an emoji at all."""
    return any(found["code"] is None for found in _NAMED.finditer(text))


def with_server_emoji(text: str, emoji: Iterable[ServerEmoji]) -> str:
    """Return a text in which the names of emoji that the bot may use are emoji; one that it may not use is only named."""
    usable = [one for one in emoji if one.available and one.is_usable()]
    by_name, ids = {one.name: one for one in usable}, {str(one.id) for one in usable}

    def shown(found: re.Match[str]) -> str:
        if found["code"] is not None or found["id"] in ids:
            return found[0]
        name = found["full"] or found["name"]
        return str(by_name[name]) if name in by_name else f":{name}:"

    changed = _NAMED.sub(shown, text)
    return changed if utf16_length(changed) <= LIMIT else text
