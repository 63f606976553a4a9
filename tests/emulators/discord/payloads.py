"""Objects as the JSON that Discord sends for them."""

from tests.emulators.discord.clock import iso
from tests.emulators.discord.objects import (
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Member,
    Message,
    Payload,
    Role,
    Snapshot,
    User,
)
from tests.emulators.discord.permissions import permissions_in
from tests.emulators.discord.state import MEMBERS_FLAG, MESSAGE_CONTENT_FLAG, World

JOINED_AT = "2024-05-01T12:00:00+00:00"


def user_payload(user: User) -> Payload:
    """Return a user."""
    return {
        "id": str(user.id),
        "username": user.name.lower().replace(" ", "_"),
        "discriminator": "0",
        "global_name": user.display_name or (None if user.bot else user.name),
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
    }


def member_payload(member: Member, *, with_user: bool = True) -> Payload:
    """Return a server member; messages carry it without its user."""
    payload: Payload = {
        "roles": [str(role.id) for role in member.roles],
        "nick": member.nick,
        "avatar": None,
        "joined_at": JOINED_AT,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
    }
    return payload | ({"user": user_payload(member.user)} if with_user else {})


def role_payload(role: Role) -> Payload:
    """Return a role."""
    return {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(int(role.permissions)),
        "mentionable": role.mentionable,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": 0 if role.name == "@everyone" else 1,
        "managed": role.bot_id is not None,
        "flags": 0,
    } | ({"tags": {"bot_id": str(role.bot_id)}} if role.bot_id is not None else {})


def channel_payload(channel: Channel) -> Payload:
    """Return a channel, thread or private chat, each with the fields of its kind."""
    last = channel.messages[-1].id if channel.messages else None
    payload: Payload = {
        "id": str(channel.id),
        "type": int(channel.kind),
        "last_message_id": str(last) if last else None,
        "flags": 0,
    }
    match channel.kind:
        case ChannelKind.DM:
            return payload | {"recipients": [user_payload(u) for u in channel.recipients]}
        case ChannelKind.GROUP_DM:
            people = [user_payload(u) for u in channel.recipients]
            owner = str(channel.recipients[0].id)
            return payload | {"recipients": people, "name": None, "icon": None, "owner_id": owner}
        case _ if channel.is_thread:
            return payload | _thread_fields(channel)
        case _:
            return payload | _guild_channel_fields(channel)


def guild_payload(world: World, guild: Guild) -> Payload:
    """Return a server as GUILD_CREATE gives it: only what the bot may see."""
    seen = [c for c in guild.channels if c.announced and world.bot_sees(c)]
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner.id),
        "roles": [role_payload(role) for role in (guild.everyone, *guild.roles)],
        "members": [member_payload(guild.members[world.bot.id])],
        "member_count": len(guild.members),
        "channels": [channel_payload(c) for c in seen if not c.is_thread],
        "threads": [channel_payload(c) for c in seen if c.is_thread and not c.archived],
        "emojis": [emoji_payload(name, number) for name, number in guild.emoji.items()],
        "stickers": [],
        "features": [],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "preferred_locale": "en-US",
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "system_channel_flags": 0,
        "large": False,
        "unavailable": False,
        "joined_at": JOINED_AT,
    }


def emoji_payload(name: str, number: int) -> Payload:
    """Return an emoji of a server's own."""
    return {"id": str(number), "name": name, "roles": [], "require_colons": True, "managed": False, "animated": False, "available": True}


def attachment_url(attachment: Attachment, files_url: str) -> str:
    """Return the address a file can be fetched from until its signature expires."""
    return f"{files_url}/{attachment.id}/{attachment.filename}?ex={attachment.expires:x}&hm={attachment.signature}"


def attachment_payload(attachment: Attachment, files_url: str) -> Payload:
    """Return a file with the address it can be fetched from."""
    url = attachment_url(attachment, files_url)
    return {
        "id": str(attachment.id),
        "filename": attachment.filename,
        "size": len(attachment.data),
        "url": url,
        "proxy_url": url,
        "content_type": attachment.content_type,
        **({"description": attachment.description} if attachment.description else {}),
        **({"duration_secs": attachment.duration, "waveform": "AAAA"} if attachment.duration else {}),
    }


def message_payload(world: World, message: Message, files_url: str, *, resolve: bool = True) -> Payload:
    """Return a message as REST answers it; `event_payload` adds what only events carry."""
    payload: Payload = {
        "id": str(message.id),
        "channel_id": str(message.channel.id),
        "author": user_payload(message.author),
        "content": message.content,
        "timestamp": iso(message.created),
        "edited_timestamp": iso(message.edited) if message.edited else None,
        "tts": False,
        "mention_everyone": message.mentions_everyone,
        "mentions": [user_payload(user) for user in message.mentions],
        "mention_roles": [str(role_id) for role_id in message.mentioned_role_ids],
        "attachments": [attachment_payload(a, files_url) for a in message.attachments],
        "embeds": message.embeds,
        "components": message.components,
        "pinned": message.pinned,
        "type": int(message.kind),
        "flags": message.flags,
    }
    if message.stickers:
        payload["sticker_items"] = [{"id": str(message.id), "name": name, "format_type": 1} for name in message.stickers]
    if message.poll is not None:
        payload["poll"] = message.poll
    if message.thread is not None:
        payload["thread"] = channel_payload(message.thread)
    if message.nonce is not None:
        payload["nonce"] = message.nonce
    if message.webhook_id is not None:
        payload["webhook_id"] = str(message.webhook_id)
        if message.author is not world.bot:
            payload["author"] |= {"username": message.author.name, "discriminator": "0000"}
        if message.webhook_id in world.own_webhooks:
            payload["application_id"] = str(world.application_id)
    if message.interaction_id is not None:
        payload["application_id"] = str(world.application_id)
    if message.asker is not None:
        payload["interaction_metadata"] = {"id": str(message.interaction_id), "type": 2, "user": user_payload(message.asker)}
    return payload | _reference_fields(world, message, files_url, resolve=resolve)


def event_payload(world: World, message: Message, files_url: str) -> Payload:
    """Return a message as the gateway sends it: with its server and member."""
    payload = message_payload(world, message, files_url)
    guild = message.channel.guild
    if guild is None:
        return payload
    payload["guild_id"] = str(guild.id)
    author = guild.members.get(message.author.id)
    if author is not None and message.webhook_id is None:
        payload["member"] = member_payload(author, with_user=False)
    for mention, user in zip(payload["mentions"], message.mentions, strict=True):
        if user.id in guild.members:
            mention["member"] = member_payload(guild.members[user.id], with_user=False)
    return payload


def interaction_channel_payload(channel: Channel, user: User) -> Payload:
    """Return the channel of an interaction with the asker's permissions in it."""
    return channel_payload(channel) | {
        "permissions": str(int(permissions_in(channel, user))),
    }


def application_payload(world: World, *, reads_messages: bool = True) -> Payload:
    """Return the bot's application."""
    return {
        "id": str(world.application_id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": user_payload(world.owner),
        "team": None,
        "flags": MEMBERS_FLAG | (MESSAGE_CONTENT_FLAG if reads_messages else 0),
    }


def _guild_channel_fields(channel: Channel) -> Payload:
    overwrites = [
        {"id": str(o.target_id), "type": int(o.is_member), "allow": str(o.allow), "deny": str(o.deny)} for o in channel.overwrites
    ]
    fields: Payload = {
        "guild_id": str(channel.guild.id if channel.guild else 0),
        "name": channel.name,
        "position": 0,
        "permission_overwrites": overwrites,
        "nsfw": False,
        "parent_id": str(channel.parent.id) if channel.parent else None,
        "topic": None,
        "rate_limit_per_user": 0,
    }
    if channel.kind in (ChannelKind.VOICE, ChannelKind.STAGE):
        fields |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    if channel.kind in (ChannelKind.FORUM, ChannelKind.MEDIA):
        fields |= {
            "available_tags": [_tag_payload(channel, name) for name in channel.tags],
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
        }
    return fields


def _thread_fields(channel: Channel) -> Payload:
    return {
        "guild_id": str(channel.guild.id if channel.guild else 0),
        "parent_id": str(channel.parent.id if channel.parent else 0),
        "name": channel.name,
        "owner_id": str(channel.owner_id),
        "message_count": len(channel.messages),
        "member_count": len(channel.thread_member_ids),
        "total_message_sent": len(channel.messages),
        "rate_limit_per_user": 0,
        "applied_tags": [_tag_payload(channel.parent, name)["id"] for name in channel.tags if channel.parent],
        "thread_metadata": {
            "archived": channel.archived,
            "locked": channel.locked,
            "auto_archive_duration": 1440,
            "archive_timestamp": JOINED_AT,
            "create_timestamp": JOINED_AT,
        },
    }


def _tag_payload(forum: Channel, name: str) -> Payload:
    number = forum.id + forum.tags.index(name)
    return {"id": str(number), "name": name, "moderated": False, "emoji_id": None, "emoji_name": None}


def _reference_fields(world: World, message: Message, files_url: str, *, resolve: bool) -> Payload:
    target = message.reply_to or message.forward_of
    if target is None:
        return {}
    reference: Payload = {
        "type": 0 if message.reply_to else 1,
        "message_id": str(target.id),
        "channel_id": str(target.channel.id),
    }
    if target.channel.guild is not None:
        reference["guild_id"] = str(target.channel.guild.id)
    if message.forward_of is not None:
        snapshots = [{"message": _snapshot(s, files_url)} for s in message.snapshots]
        return {"message_reference": reference, "message_snapshots": snapshots}
    if not resolve or not message.is_reply_resolved:
        return {"message_reference": reference}
    # Discord resolves one level only.
    referenced = None if target.deleted else message_payload(world, target, files_url, resolve=False)
    return {"message_reference": reference, "referenced_message": referenced}


def _snapshot(snapshot: Snapshot, files_url: str) -> Payload:
    return {
        "type": int(snapshot.kind),
        "content": snapshot.content,
        "timestamp": iso(snapshot.created),
        "edited_timestamp": None,
        "flags": 0,
        "mentions": [],
        "mention_roles": [],
        "attachments": [attachment_payload(a, files_url) for a in snapshot.attachments],
        "embeds": snapshot.embeds,
        "components": [],
        "sticker_items": [],
    }
