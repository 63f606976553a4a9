"""What somebody may do in a channel, by Discord's own rule."""

from enum import IntFlag

from tests.emulators.discord.objects import Channel, ChannelKind, Guild, User


class Permission(IntFlag):
    """The permission bits that matter to a chat bot."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    CONNECT = 1 << 20
    CHANGE_NICKNAME = 1 << 26
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38


SPOKEN = frozenset({ChannelKind.VOICE, ChannelKind.STAGE})

EVERYTHING = Permission((1 << 50) - 1)
NOTHING = Permission(0)

# What a new server lets everyone do.
DEFAULT_FOR_EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.READ_MESSAGE_HISTORY
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.ADD_REACTIONS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CONNECT
    | Permission.CHANGE_NICKNAME
)
IN_DIRECT_MESSAGES = DEFAULT_FOR_EVERYONE & ~Permission.CREATE_PUBLIC_THREADS & ~Permission.SEND_MESSAGES_IN_THREADS


def permissions_in_guild(guild: Guild, user: User) -> Permission:
    """Return what the member's roles allow, before any channel's overwrites."""
    if user is guild.owner:
        return EVERYTHING
    member = guild.members.get(user.id)
    if member is None:
        return NOTHING
    bits = guild.everyone.permissions
    for role in member.roles:
        bits |= role.permissions
    return EVERYTHING if bits & Permission.ADMINISTRATOR else Permission(bits)


def permissions_in(channel: Channel, user: User) -> Permission:
    """Return what the user may do in the channel; threads follow their parent."""
    guild = channel.guild
    if guild is None:
        return IN_DIRECT_MESSAGES if user in channel.recipients or user.bot else NOTHING
    base = permissions_in_guild(guild, user)
    if base in (EVERYTHING, NOTHING):
        return base
    bits = _with_overwrites(base, channel.parent or channel, guild, user)
    if not bits & Permission.VIEW_CHANNEL or _is_shut_out(channel, user, bits):
        return NOTHING
    if channel.kind in SPOKEN and not bits & Permission.CONNECT:
        return Permission.VIEW_CHANNEL
    return bits


def _with_overwrites(base: Permission, channel: Channel, guild: Guild, user: User) -> Permission:
    role_ids = {role.id for role in guild.members[user.id].roles}
    levels = ({guild.id}, role_ids, {user.id})
    bits = base
    for level in levels:
        chosen = [o for o in channel.overwrites if o.target_id in level]
        for overwrite in chosen:
            bits &= ~Permission(overwrite.deny)
        for overwrite in chosen:
            bits |= Permission(overwrite.allow)
    return bits


def _is_shut_out(channel: Channel, user: User, bits: Permission) -> bool:
    private = channel.is_private_thread and user.id not in channel.thread_member_ids
    return private and not bits & Permission.MANAGE_THREADS
