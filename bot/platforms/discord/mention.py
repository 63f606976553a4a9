"""Commands in a text as Discord's own mentions of them: they show in the reader's language, and one press begins to type them."""

import re
from collections.abc import Iterable, Mapping

from bot.domain.command import Command

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
        """Return a text with each command in it that stands alone between backticks, such as `/memory list`, as a mention."""
        return _CODE.sub(self._mention, text)

    def _mention(self, found: re.Match[str]) -> str:
        name = found[1]
        number = self._ids.get(name.partition(" ")[0]) if name in self._names else None
        return f"</{name}:{number}>" if number else found[0]
