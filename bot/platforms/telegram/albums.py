"""Albums: photos sent together, which Telegram delivers one by one and people see as one message."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from telegram import Message, Update

Album = tuple[int, str]
"""The chat, and the number that its messages share."""
Take = Callable[[Sequence[Update], bool], Awaitable[None]]
"""Takes one update, or the messages of an album; the flag says that they may have waited for long."""
MOST_IN_ALBUM = 10
MOST_KNOWN = 200
"""Albums whose changes are understood; an older one changes by the message that it is stored under."""


def message_in(update: Update) -> Message | None:
    """Return the new message or post of an update."""
    return update.message or update.channel_post


def album_in(update: Update) -> Album | None:
    """Return the album that a new message belongs to."""
    message = message_in(update)
    return (message.chat.id, message.media_group_id) if message is not None and message.media_group_id else None


def grouped(updates: Sequence[Update]) -> list[list[Update]]:
    """Return the updates in order, those of an album together at the place of its first."""
    groups: dict[Album | int, list[Update]] = {}
    for update in updates:
        groups.setdefault(album_in(update) or update.update_id, []).append(update)
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class KnownAlbums:
    """The messages of the last albums, so that a change of one is a change of all."""

    messages: OrderedDict[Album, dict[int, Message]] = field(default_factory=OrderedDict)

    def note(self, album: Album, parts: Sequence[Message]) -> Sequence[Message]:
        """Keep messages as they are now, and return all of their album in order."""
        known = self.messages.setdefault(album, {})
        known |= {part.message_id: part for part in parts}
        self.messages.move_to_end(album)
        while len(self.messages) > MOST_KNOWN:
            self.messages.popitem(last=False)
        return [known[message_id] for message_id in sorted(known)]
