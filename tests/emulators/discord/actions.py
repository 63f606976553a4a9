"""What people do in the emulated Discord: the hands of a test."""

from collections.abc import Sequence

from tests.emulators.changes import PATIENCE_SECONDS, Changes
from tests.emulators.discord.asking import Asking
from tests.emulators.discord.gateway import Gateway
from tests.emulators.discord.interactions import Interactions
from tests.emulators.discord.mentions import Allowed
from tests.emulators.discord.objects import (
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Message,
    MessageKind,
    Overwrite,
    Payload,
    Role,
    User,
)
from tests.emulators.discord.payloads import channel_payload, event_payload, guild_payload
from tests.emulators.discord.permissions import NOTHING, Permission
from tests.emulators.discord.posting import Draft, Post
from tests.emulators.discord.sessions import Intent
from tests.emulators.discord.state import World


class Actions(Asking):
    """Makes things and people, lets them act, and tells the connected clients."""

    def __init__(
        self,
        world: World,
        gateway: Gateway,
        interactions: Interactions,
        changes: Changes,
        post: Post,
    ) -> None:
        super().__init__(world, gateway, interactions, changes)
        self._post = post

    def person(
        self,
        name: str,
        guild: Guild | None = None,
        *,
        roles: list[Role] | None = None,
        nick: str | None = None,
        bot: bool = False,
    ) -> User:
        """Return a new user, a member of the server if one is given."""
        user = self._world.user(name, bot=bot)
        if guild is not None:
            self._world.join(guild, user, roles=roles, nick=nick)
        return user

    def guild(self, name: str = "Tea house", *, bot_permissions: Permission = NOTHING) -> Guild:
        """Return a new server with the bot in it."""
        guild = self._world.guild(name, bot_permissions=bot_permissions)
        payload = guild_payload(self._world, guild)
        self._gateway.dispatch("GUILD_CREATE", payload, needs=Intent.GUILDS, guild_id=guild.id)
        return guild

    def throws_bot_out(self, guild: Guild) -> None:
        """Let an admin of the server remove the bot."""
        self._gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)}, needs=Intent.GUILDS, guild_id=guild.id)

    def takes_bot_in(self, guild: Guild) -> None:
        """Let an admin of the server invite the bot again: only servers that were there before say that they are available."""
        data = {name: value for name, value in guild_payload(self._world, guild).items() if name != "unavailable"}
        self._gateway.dispatch("GUILD_CREATE", data, needs=Intent.GUILDS, guild_id=guild.id)

    def role(
        self,
        guild: Guild,
        name: str,
        permissions: Permission = NOTHING,
        *,
        mentionable: bool = False,
    ) -> Role:
        """Return a new role of the server."""
        return self._world.role(guild, name, permissions, mentionable=mentionable)

    def channel(
        self,
        guild: Guild,
        name: str = "general",
        kind: ChannelKind = ChannelKind.TEXT,
        *,
        overwrites: list[Overwrite] | None = None,
        parent: Channel | None = None,
        announced: bool = True,
    ) -> Channel:
        """Return a new channel, in a category if one is its parent; without `announced` no client is told that it exists."""
        channel = self._world.channel(guild, name, kind, overwrites=overwrites)
        channel.parent, channel.announced = parent, announced
        if announced:
            self._gateway.dispatch_channel("CHANNEL_CREATE", channel, channel_payload(channel))
        return channel

    def hides(self, channel: Channel) -> None:
        """Let an admin keep everybody without a role out of the channel."""
        assert channel.guild is not None
        channel.overwrites = [Overwrite(channel.guild.everyone.id, deny=int(Permission.VIEW_CHANNEL))]
        channel.overwrites.append(Overwrite(self._world.bot.id, is_member=True, allow=int(Permission.VIEW_CHANNEL)))
        self._gateway.dispatch_channel("CHANNEL_UPDATE", channel, channel_payload(channel))

    def opens(self, channel: Channel) -> None:
        """Let an admin open the channel to everybody in the server."""
        channel.overwrites = []
        self._gateway.dispatch_channel("CHANNEL_UPDATE", channel, channel_payload(channel))

    def thread(
        self,
        parent: Channel,
        name: str,
        owner: User,
        *,
        private: bool = False,
        announced: bool = True,
    ) -> Channel:
        """Return a new thread; the bot is invited into a private one."""
        thread = self._world.thread(parent, name, owner, private=private)
        thread.thread_member_ids.add(self._world.bot.id)
        thread.announced = announced
        if announced:
            payload = channel_payload(thread) | {"newly_created": True}
            self._gateway.dispatch_channel("THREAD_CREATE", thread, payload)
        return thread

    def dm(self, user: User) -> Channel:
        """Return the private chat of the user with the bot."""
        return self._world.dm(user)

    def group_dm(self, *users: User) -> Channel:
        """Return a new group chat."""
        return self._world.group_dm(*users)

    def file(self, filename: str, data: bytes, content_type: str = "text/plain; charset=utf-8") -> Attachment:
        """Return a file that somebody can send along."""
        return self._world.attachment(filename, data, content_type)

    def member_says(
        self,
        channel: Channel,
        user: User,
        text: str,
        *,
        reply_to: Message | None = None,
        ping_reply: bool = True,
        attachments: list[Attachment] | None = None,
        kind: MessageKind = MessageKind.DEFAULT,
    ) -> Message:
        """Let the user write; mentions are read from the text."""
        return self._post.publish(
            Draft(
                channel,
                user,
                text,
                allowed=Allowed(replied_user=ping_reply),
                reply_to=reply_to,
                attachments=attachments or [],
                kind=kind,
            )
        )

    def member_forwards(self, channel: Channel, user: User, message: Message) -> Message:
        """Let the user forward a message without a word of their own."""
        return self._post.publish(Draft(channel, user, forward_of=message))

    def webhook_says(self, channel: Channel, name: str, text: str) -> Message:
        """Let a webhook write under the name."""
        author = User(self._world.new_id(), name, bot=True)
        return self._post.publish(Draft(channel, author, text, webhook_id=author.id))

    def bot_wrote(self, channel: Channel, text: str) -> Message:
        """Let the bot have written something earlier."""
        return self._post.publish(Draft(channel, self._world.bot, text))

    def member_edits(self, message: Message, text: str) -> None:
        """Change the text of a message."""
        self._post.edit(message, {"content": text})

    def member_deletes(self, message: Message) -> None:
        """Remove a message."""
        self._post.delete(message)

    def moderator_deletes(self, messages: Sequence[Message]) -> None:
        """Remove messages of one channel at once."""
        channel = messages[0].channel
        for message in messages:
            message.deleted = True
        data: Payload = {"ids": [str(message.id) for message in messages], "channel_id": str(channel.id)}
        guild_id = channel.guild.id if channel.guild else None
        if guild_id is not None:
            data["guild_id"] = str(guild_id)
        self._gateway.dispatch("MESSAGE_DELETE_BULK", data, guild_id=guild_id)

    def send_event(self, event: str, data: Payload, *, guild: Guild | None = None) -> None:
        """Send any event, also one that no client can read."""
        self._gateway.dispatch(event, data, guild_id=guild.id if guild else None)

    def send_message_without_guild(self, message: Message) -> None:
        """Send MESSAGE_CREATE again with the server's id missing, as half-filled events come."""
        payload = event_payload(self._world, message, self._gateway.files_url)
        payload = {k: v for k, v in payload.items() if k not in ("guild_id", "member")}
        self._gateway.dispatch("MESSAGE_CREATE", payload | {"id": str(self._world.new_id())})

    def said_by_bot(self, channel: Channel) -> list[Message]:
        """Return what the bot has in the channel, oldest first; spinners do not count."""
        return [m for m in channel.messages if m.author is self._world.bot and not m.deleted and not m.loading]

    async def bot_says(self, channel: Channel, count: int = 1, *, timeout: float = PATIENCE_SECONDS) -> Message:
        """Wait until the bot has `count` messages in the channel and return the last of them."""
        where = f"message {count} of the bot in #{channel.name or channel.id}"
        found = await self._changes.until(lambda: self.said_by_bot(channel)[count - 1 : count], where, timeout=timeout)
        return found[0]
