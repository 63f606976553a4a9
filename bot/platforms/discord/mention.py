"""Commands in a text as Discord's own mentions of them: they show in the reader's language, and one press begins to type them."""

import re
from collections.abc import Iterable, Mapping

from bot.domain.command import Command
from bot.domain.text import utf16_length
from bot.platforms.discord.split import LIMIT

_CODE = re.compile(r"```.*?```|`/([^`\n]+)`", re.DOTALL)


class CommandMentions:
    """Knows the commands' ids as soon as Discord has told them; until then texts stay as they are."""

    def __init__(self, commands: Iterable[Command]) -> None:
        self._names = {command.name for command in commands}
        self._ids: Mapping[str, int] = {}

    def learn(self, ids: Mapping[str, int]) -> None:
        """Take the ids that Discord gave to the commands' first words."""
        self._ids = ids

    def in_text(self, text: str) -> str:
        """Return a text with each command between backticks as a mention, with what follows it there as code.

        A text that would no longer fit in one message stays as it is.
        """
        changed = _CODE.sub(self._mention, text)
        return text if utf16_length(text) <= LIMIT < utf16_length(changed) else changed

    def _mention(self, found: re.Match[str]) -> str:
        words = (found[1] or "").split(" ")
        for length in (2, 1):
            name, rest = " ".join(words[:length]), " ".join(words[length:])
            if name in self._names and (number := self._ids.get(words[0])):
                return f"</{name}:{number}> `{rest}`" if rest else f"</{name}:{number}>"
        return found[0]
