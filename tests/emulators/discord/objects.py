"""The things a Discord is made of, as plain state."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeAlias

Payload: TypeAlias = dict[str, Any]
"""One JSON object as it goes over the wire."""

EPHEMERAL = 1 << 6
LOADING = 1 << 7
HAS_SNAPSHOT = 1 << 14
CROSSPOSTED = 1 << 0
HAS_THREAD = 1 << 5
IS_VOICE = 1 << 13
LAID_OUT = 1 << 15


class ChannelKind(IntEnum):
    """Discord's channel types."""

    TEXT = 0
    DM = 1
    VOICE = 2
    GROUP_DM = 3
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15
    MEDIA = 16


THREADS = frozenset({ChannelKind.ANNOUNCEMENT_THREAD, ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD})


class MessageKind(IntEnum):
    """The message types a chat bot meets."""

    DEFAULT = 0
    PINNED = 6
    JOINED = 7
    THREAD_CREATED = 18
    REPLY = 19
    SLASH_COMMAND = 20
    THREAD_STARTER = 21
    POLL_RESULT = 46


@dataclass(slots=True, eq=False)
class User:
    """A person or a bot."""

    id: int
    name: str
    bot: bool = False
    display_name: str | None = None
    accepts_dms: bool = True
    locale: str = "en-US"
    """The language of this user's client."""

    @property
    def mention(self) -> str:
        """Return the text that pings this user."""
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False)
class Role:
    """A role of one server."""

    id: int
    name: str
    permissions: int = 0
    mentionable: bool = False
    bot_id: int | None = None

    @property
    def mention(self) -> str:
        """Return the text that pings this role."""
        return f"<@&{self.id}>"


@dataclass(slots=True, eq=False)
class Member:
    """A user in a server."""

    user: User
    roles: list[Role] = field(default_factory=list)
    nick: str | None = None


@dataclass(slots=True, eq=False)
class Guild:
    """A server. Its `everyone` role has the server's own id."""

    id: int
    name: str
    owner: User
    everyone: Role
    roles: list[Role] = field(default_factory=list)
    members: dict[int, Member] = field(default_factory=dict)
    channels: list["Channel"] = field(default_factory=list)
    emoji: dict[str, int] = field(default_factory=dict)
    """Its own, by name."""


@dataclass(slots=True, frozen=True)
class Overwrite:
    """What a channel allows or denies to one role or member."""

    target_id: int
    is_member: bool = False
    allow: int = 0
    deny: int = 0


@dataclass(slots=True, eq=False)
class Channel:
    """A channel, thread or private chat. `announced` says whether clients were told of it."""

    id: int
    kind: ChannelKind
    name: str = ""
    guild: Guild | None = None
    parent: "Channel | None" = None
    overwrites: list[Overwrite] = field(default_factory=list)
    recipients: list[User] = field(default_factory=list)
    owner_id: int = 0
    thread_member_ids: set[int] = field(default_factory=set)
    archived: bool = False
    locked: bool = False
    announced: bool = True
    tags: list[str] = field(default_factory=list)
    """Those that a forum offers, or that a post in it bears."""
    messages: list["Message"] = field(default_factory=list)

    @property
    def is_thread(self) -> bool:
        """Say whether this is a thread or forum post."""
        return self.kind in THREADS

    @property
    def is_private_thread(self) -> bool:
        """Say whether only invited members see this thread."""
        return self.kind is ChannelKind.PRIVATE_THREAD


@dataclass(slots=True, eq=False)
class Attachment:
    """A file that goes with a message."""

    id: int
    filename: str
    data: bytes
    content_type: str
    description: str | None = None
    duration: float | None = None
    """Of a voice message, in seconds."""
    expires: int = 1 << 31
    moved_to: str = ""
    """Where its address sends whoever asks for it."""
    signature: int = 0
    """Changes with each new link; an old link is no longer good."""


@dataclass(slots=True, eq=False)
class Snapshot:
    """What a forward carries of the message it forwards."""

    content: str
    created: float
    attachments: list[Attachment] = field(default_factory=list)
    kind: int = MessageKind.DEFAULT
    embeds: list[Payload] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Message:
    """A message; `pinged` names whom it really notified: "everyone", "role:1", "user:2"."""

    id: int
    channel: Channel
    author: User
    content: str
    created: float
    kind: int = MessageKind.DEFAULT
    mentions: list[User] = field(default_factory=list)
    mentioned_role_ids: list[int] = field(default_factory=list)
    mentions_everyone: bool = False
    pinged: frozenset[str] = frozenset()
    reply_to: "Message | None" = None
    is_reply_resolved: bool = True
    """Events bring the message that it answers along; Discord leaves it out when it did not look for it."""
    forward_of: "Message | None" = None
    snapshots: list[Snapshot] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    embeds: list[Payload] = field(default_factory=list)
    components: list[Payload] = field(default_factory=list)
    stickers: list[str] = field(default_factory=list)
    poll: Payload | None = None
    pinned: bool = False
    reactions: list[str] = field(default_factory=list)
    """The bot's."""
    thread: "Channel | None" = None
    """The thread that was made from it."""
    flags: int = 0
    nonce: str | None = None
    edited: float | None = None
    deleted: bool = False
    webhook_id: int | None = None
    interaction_id: int | None = None
    asker: User | None = None

    @property
    def ephemeral(self) -> bool:
        """Say whether only the one who asked can see it."""
        return bool(self.flags & EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Say whether it only shows that the bot is thinking."""
        return bool(self.flags & LOADING)
