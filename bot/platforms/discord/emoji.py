"""A server's own emoji, which models name and people see."""

import re
from collections.abc import Iterable

import discord

from bot.domain.text import utf16_length
from bot.platforms.discord.split import LIMIT

_CODE = r"```.*?(?:```|\Z)|`[^`\n]+`|https?://\S+"
_NAMED = re.compile(rf"(?P<code>{_CODE})|<a?:(?P<full>\w{{2,32}}):(?P<id>\d+)>|(?<![\w:<]):(?P<name>\w{{2,32}}):(?![\w:>])", re.DOTALL)


def with_server_emoji(text: str, emoji: Iterable[discord.Emoji]) -> str:
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
