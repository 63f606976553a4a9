"""The world the emulator plays: servers, channels, people, messages and commands."""

import secrets
import time

from tests.emulators.discord.clock import Clock, Snowflakes
from tests.emulators.discord.objects import (
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Member,
    Message,
    Overwrite,
    Payload,
    Role,
    User,
)
from tests.emulators.discord.permissions import (
    DEFAULT_FOR_EVERYONE,
    NOTHING,
    Permission,
    permissions_in,
)
from tests.emulators.discord.webhooks import Webhook

MESSAGE_CONTENT_FLAG = 1 << 18
MEMBERS_FLAG = 1 << 14


class World:
    """Everything that exists, found by id. Changing it tells no client; `Actions` does that."""

    def __init__(self, clock: Clock = time.time) -> None:
        self.clock = clock
        self.new_id = Snowflakes(clock)
        self.token = f"{secrets.token_urlsafe(18)}.{secrets.token_urlsafe(4)}.emulated"
        self.bot = User(self.new_id(), "baku", bot=True)
        self.owner = User(self.new_id(), "operator")
        self.application_id = self.bot.id
        self.users: dict[int, User] = {self.bot.id: self.bot, self.owner.id: self.owner}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.files: dict[int, Attachment] = {}
        self.webhooks: dict[int, Webhook] = {}
        self.own_webhooks: set[int] = set()
        """Those that the bot has made, gone ones among them."""
        self.commands: dict[int | None, list[Payload]] = {None: []}

    def user(self, name: str, *, bot: bool = False) -> User:
        """Return a new user who shares no server with the bot yet."""
        user = User(self.new_id(), name, bot=bot)
        self.users[user.id] = user
        return user

    def guild(self, name: str, *, bot_permissions: Permission = NOTHING) -> Guild:
        """Return a new server that the bot has joined; its own role may allow it more."""
        guild_id = self.new_id()
        everyone = Role(guild_id, "@everyone", DEFAULT_FOR_EVERYONE)
        guild = Guild(guild_id, name, self.owner, everyone)
        self.guilds[guild_id] = guild
        self.join(guild, self.owner)
        bot_role = self.role(guild, "baku", bot_permissions)
        bot_role.bot_id = self.bot.id
        self.join(guild, self.bot, roles=[bot_role])
        return guild

    def role(
        self,
        guild: Guild,
        name: str,
        permissions: Permission = NOTHING,
        *,
        mentionable: bool = False,
    ) -> Role:
        """Return a new role of the server."""
        role = Role(self.new_id(), name, permissions, mentionable)
        guild.roles.append(role)
        return role

    def join(self, guild: Guild, user: User, *, roles: list[Role] | None = None, nick: str | None = None) -> Member:
        """Make the user a member of the server."""
        member = Member(user, roles or [], nick)
        guild.members[user.id] = member
        return member

    def channel(
        self,
        guild: Guild,
        name: str,
        kind: ChannelKind = ChannelKind.TEXT,
        *,
        overwrites: list[Overwrite] | None = None,
    ) -> Channel:
        """Return a new channel of the server."""
        channel = Channel(self.new_id(), kind, name, guild, overwrites=overwrites or [])
        return self._keep(channel)

    def thread(self, parent: Channel, name: str, owner: User, *, private: bool = False, thread_id: int | None = None) -> Channel:
        """Return a new thread in the channel; the bot is not yet in a private one. One made from a message has its id."""
        kind = ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD
        thread = Channel(thread_id or self.new_id(), kind, name, parent.guild, parent, owner_id=owner.id)
        thread.thread_member_ids.add(owner.id)
        return self._keep(thread)

    def dm(self, user: User) -> Channel:
        """Return the private chat between the user and the bot, one and the same each time."""
        for channel in self.channels.values():
            if channel.kind is ChannelKind.DM and user in channel.recipients:
                return channel
        return self._keep(Channel(self.new_id(), ChannelKind.DM, recipients=[user]))

    def group_dm(self, *users: User) -> Channel:
        """Return a new group chat of these users."""
        return self._keep(Channel(self.new_id(), ChannelKind.GROUP_DM, recipients=list(users)))

    def webhook(self, channel: Channel, name: str, avatar: str | None = None, *, of_bot: bool = True) -> Webhook:
        """Return a new webhook of the channel, made by the bot or by somebody else."""
        webhook = Webhook(self.new_id(), channel, name, avatar, of_bot)
        self.webhooks[webhook.id] = webhook
        if of_bot:
            self.own_webhooks.add(webhook.id)
        return webhook

    def attachment(self, filename: str, data: bytes, content_type: str) -> Attachment:
        """Return a stored file."""
        attachment = Attachment(self.new_id(), filename, data, content_type)
        self.files[attachment.id] = attachment
        return attachment

    def find_message(self, channel: Channel, message_id: int) -> Message | None:
        """Return the channel's message unless it was deleted."""
        for message in reversed(channel.messages):
            if message.id == message_id:
                return None if message.deleted else message
        return None

    def bot_sees(self, channel: Channel) -> bool:
        """Say whether the bot may look into the channel."""
        return bool(permissions_in(channel, self.bot) & Permission.VIEW_CHANNEL)

    def _keep(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        if channel.guild is not None:
            channel.guild.channels.append(channel)
        return channel
