"""Putting messages into channels: one way for people, for the bot and for its interactions."""

from dataclasses import dataclass, field

from tests.emulators.changes import Changes
from tests.emulators.discord.gateway import Gateway
from tests.emulators.discord.mentions import Allowed, resolve_mentions
from tests.emulators.discord.objects import (
    EPHEMERAL,
    HAS_SNAPSHOT,
    Attachment,
    Channel,
    Message,
    MessageKind,
    Payload,
    Snapshot,
    User,
)
from tests.emulators.discord.state import World

NONCE_SECONDS = 300.0


@dataclass(slots=True, frozen=True)
class Draft:
    """A message about to be posted."""

    channel: Channel
    author: User
    content: str = ""
    allowed: Allowed = field(default_factory=Allowed)
    reply_to: Message | None = None
    forward_of: Message | None = None
    attachments: list[Attachment] = field(default_factory=list)
    embeds: list[Payload] = field(default_factory=list)
    components: list[Payload] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    webhook_id: int | None = None
    interaction_id: int | None = None
    asker: User | None = None
    kind: int = MessageKind.DEFAULT
    stickers: list[str] = field(default_factory=list)
    poll: Payload | None = None
    is_reply_resolved: bool = True
    message_id: int | None = None


class Post:
    """Posts, changes and removes messages, and tells the clients."""

    def __init__(self, world: World, gateway: Gateway, changes: Changes) -> None:
        self._world = world
        self._gateway = gateway
        self._changes = changes

    def publish(self, draft: Draft) -> Message:
        """Post the draft for everyone in the channel."""
        message = self.compose(draft)
        draft.channel.messages.append(message)
        draft.channel.archived = False
        self._gateway.dispatch_message("MESSAGE_CREATE", message)
        self._changes.notify()
        return message

    def compose(self, draft: Draft) -> Message:
        """Return the message without posting it: what an ephemeral answer is."""
        world = self._world
        hidden = bool(draft.flags & EPHEMERAL)
        mentions = resolve_mentions(
            world,
            draft.channel,
            draft.author,
            draft.content,
            allowed=draft.allowed,
            replied=draft.reply_to.author if draft.reply_to else None,
        )
        snapshots = _snapshots(draft.forward_of)
        return Message(
            id=draft.message_id or world.new_id(),
            channel=draft.channel,
            author=draft.author,
            content=draft.content,
            created=world.clock(),
            kind=MessageKind.REPLY if draft.reply_to else draft.kind,
            mentions=mentions.users,
            mentioned_role_ids=[role.id for role in mentions.roles],
            mentions_everyone=mentions.everyone,
            pinged=frozenset() if hidden else mentions.pinged,
            reply_to=draft.reply_to,
            forward_of=draft.forward_of,
            snapshots=snapshots,
            attachments=draft.attachments,
            embeds=draft.embeds,
            components=draft.components,
            flags=draft.flags | (HAS_SNAPSHOT if snapshots else 0),
            nonce=draft.nonce,
            webhook_id=draft.webhook_id,
            interaction_id=draft.interaction_id,
            asker=draft.asker,
            stickers=draft.stickers,
            poll=draft.poll,
            is_reply_resolved=draft.is_reply_resolved,
        )

    def earlier(self, author: User, nonce: str | None) -> Message | None:
        """Return what the author posted in the last minutes under this nonce."""
        if nonce is None:
            return None
        since = self._world.clock() - NONCE_SECONDS
        for channel in self._world.channels.values():
            for message in channel.messages:
                if message.author is author and message.nonce == nonce and message.created >= since:
                    return message
        return None

    def noticed(self) -> None:
        """Tell those who wait that something has changed."""
        self._changes.notify()

    def edit(self, message: Message, changes: Payload, *, allowed: Allowed | None = None) -> None:
        """Change the message in place; an edit pings nobody."""
        if (content := changes.get("content")) is not None:
            message.content = content
            mentions = resolve_mentions(self._world, message.channel, message.author, content, allowed=allowed or Allowed())
            message.mentions = mentions.users
        if "embeds" in changes:
            message.embeds = changes["embeds"] or []
        if "components" in changes:
            message.components = changes["components"] or []
        message.edited = self._world.clock()
        if message in message.channel.messages:
            self._gateway.dispatch_message("MESSAGE_UPDATE", message)
        self._changes.notify()

    def touch(self, message: Message) -> None:
        """Tell the clients of something about a message that its author did not do: a preview, a pin, a flag."""
        self._gateway.dispatch_message("MESSAGE_UPDATE", message)
        self._changes.notify()

    def delete(self, message: Message) -> None:
        """Remove the message."""
        message.deleted = True
        channel = message.channel
        if message in channel.messages and self._world.bot_sees(channel):
            data: Payload = {"id": str(message.id), "channel_id": str(channel.id)}
            guild_id = channel.guild.id if channel.guild else None
            if guild_id is not None:
                data["guild_id"] = str(guild_id)
            self._gateway.dispatch("MESSAGE_DELETE", data, guild_id=guild_id)
        self._changes.notify()


def _snapshots(forwarded: Message | None) -> list[Snapshot]:
    if forwarded is None:
        return []
    return [Snapshot(forwarded.content, forwarded.created, forwarded.attachments, forwarded.kind, forwarded.embeds)]
