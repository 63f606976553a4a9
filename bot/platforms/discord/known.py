"""What messages said when they were last handed in, so that an edit can be told from a link that got its preview."""

from enum import Enum, auto

import discord

MOST_REMEMBERED = 10_000
"""Messages; the one that was heard of longest ago is forgotten first."""


class Change(Enum):
    """What the news of a message is about."""

    SAID = auto()
    """Its author changed it."""
    SHOWN = auto()
    """Discord added something: a link's preview, a poll's result."""
    NOTHING = auto()
    """It was pinned, crossposted, got a thread: nothing that anybody reads in it."""


class Known:
    """Remembers messages of this process by what was said in them, and by what they showed beside."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[int, int]] = {}

    def note(self, message: discord.Message) -> None:
        """Remember what a message says."""
        self._seen.pop(message.id, None)
        self._seen[message.id] = (_said(message), _shown(message))
        if len(self._seen) > MOST_REMEMBERED:
            del self._seen[next(iter(self._seen))]

    def change(self, message: discord.Message) -> Change:
        """Return what has changed. Of a message from before this process, only Discord's own mark tells whether its author did it."""
        seen = self._seen.get(message.id)
        if seen is None:
            is_edit = message.edited_at is not None or message.flags.source_message_deleted
            return Change.SAID if is_edit else Change.SHOWN if _shows_something(message) else Change.NOTHING
        if seen[0] != _said(message):
            return Change.SAID
        return Change.SHOWN if seen[1] != _shown(message) else Change.NOTHING


def _said(message: discord.Message) -> int:
    """Return a number for what the author wrote: hashes alone are kept, no texts."""
    files = tuple(file.id for file in message.attachments)
    own = _cards(message) if message.author.bot else ()
    return hash((message.content, files, own))


def _shown(message: discord.Message) -> int:
    ended = message.poll is not None and message.poll.is_finalised()
    return hash((_cards(message), ended))


def _shows_something(message: discord.Message) -> bool:
    return bool(message.embeds) or (message.poll is not None and message.poll.is_finalised())


def _cards(message: discord.Message) -> tuple[object, ...]:
    """Return what cards and layouts say; addresses of pictures change by themselves."""
    fields = ((embed.title, embed.description, tuple((field.name, field.value) for field in embed.fields)) for embed in message.embeds)
    return (*fields, tuple(str(part.to_dict()) for part in message.components))
