"""From discord.py's objects to domain values; pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import discord

from bot.domain.chat import DISCORD, ConversationKey, ConversationKind
from bot.domain.message import Attachment, IncomingMessage, MessageEdit, Person, Quote

SAID = frozenset(
    {
        discord.MessageType.default,
        discord.MessageType.reply,
        discord.MessageType.chat_input_command,
        discord.MessageType.context_menu_command,
    }
)
"""The types of messages that somebody wrote; the rest are notices of Discord's own."""

_MARK = re.compile(r"<(?P<kind>@!?|@&|#|a?:(?P<emoji>\w+):)(?P<id>\d+)>")


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was said, and how many read along there."""

    conversation: ConversationKey
    kind: ConversationKind


def place_of(channel: object) -> Place | None:
    """Return the place that a channel is, or None where discord.py only knows an id and guesses the rest."""
    match channel:
        case discord.Thread():
            return Place(_key(channel.guild.id, channel.parent_id, channel.id), ConversationKind.GROUP)
        case discord.TextChannel() | discord.VoiceChannel() | discord.StageChannel():
            return Place(_key(channel.guild.id, channel.id), ConversationKind.GROUP)
        case discord.GroupChannel():
            return Place(_key(channel.id, channel.id), ConversationKind.GROUP)
        case discord.DMChannel() if channel.recipients:
            return direct_place(channel.id)
        case _:
            return None


def is_public(channel: object) -> bool:
    """Say whether everybody in the server can read a channel just now, as far as Discord has told; False in doubt."""
    match channel:
        case discord.Thread():
            return not channel.is_private() and is_public(channel.parent)
        case discord.TextChannel() | discord.VoiceChannel() | discord.StageChannel() | discord.ForumChannel():
            everybody = channel.guild.get_role(channel.guild.id)
            return everybody is not None and not channel.guild.unavailable and channel.permissions_for(everybody).view_channel
        case _:
            return False


def direct_place(channel_id: int) -> Place:
    """Return the place of a chat between one person and the bot."""
    return Place(_key(channel_id, channel_id), ConversationKind.DIRECT)


def channel_id_of(conversation: ConversationKey) -> int:
    """Return the id of the channel or thread to write to."""
    return int(conversation.thread_id or conversation.channel_id)


def is_said(message: discord.Message, me: discord.abc.User) -> bool:
    """Say whether somebody else wrote this, rather than the bot or Discord itself."""
    return message.author.id != me.id and message.type in SAID


def to_incoming(message: discord.Message, place: Place, me: discord.abc.User, *, texts: Mapping[int, str]) -> IncomingMessage:
    """Return the message as a domain value. `texts` holds what was read of its files, by attachment id."""
    return IncomingMessage(
        conversation=place.conversation,
        kind=place.kind,
        message_id=str(message.id),
        author=to_person(message.author, from_webhook=message.webhook_id is not None),
        text=readable_text(message, me),
        sent_at=message.created_at,
        addressed_to_bot=is_addressed(message, place, me),
        quote=_quote(message, me),
        attachments=tuple(_attachment(file, texts.get(file.id, "")) for file in files_of(message)),
        mentioned=tuple(to_person(user) for user in message.mentions if user.id != me.id),
        is_public=is_public(message.channel),
    )


def to_edit(message: discord.Message, place: Place, me: discord.abc.User) -> MessageEdit:
    """Return the news that a message says something else now."""
    return MessageEdit(place.conversation, str(message.id), readable_text(message, me))


def to_person(user: discord.abc.User, *, from_webhook: bool = False) -> Person:
    """Return who wrote. A webhook stands for nobody in particular, whatever name it shows, and has no roles."""
    roles = None if from_webhook else roles_of(user)
    return Person(str(user.id), user.display_name, is_bot=user.bot or from_webhook, is_service=from_webhook, roles=roles)


def roles_of(user: discord.abc.User) -> frozenset[str] | None:
    """Return the ids of somebody's roles, where the event tells them: `@everyone` is one of them."""
    return frozenset(str(role.id) for role in user.roles) if isinstance(user, discord.Member) else None


def is_addressed(message: discord.Message, place: Place, me: discord.abc.User) -> bool:
    """Say whether the message is for the bot: a direct chat, a mention of it or of its own role, or a reply to it."""
    if place.kind is ConversationKind.DIRECT or any(user.id == me.id for user in message.mentions):
        return True
    own_role = message.guild.self_role if message.guild is not None else None
    if own_role is not None and own_role in message.role_mentions:
        return True
    replied = _replied(message)
    return replied is not None and replied.author.id == me.id


def files_of(message: discord.Message) -> Sequence[discord.Attachment]:
    """Return the files of a message and of what it forwards."""
    return [*message.attachments, *(file for snapshot in message.message_snapshots for file in snapshot.attachments)]


def readable_text(message: discord.Message, me: discord.abc.User) -> str:
    """Return what a person reads: names for ids, and words for what is no text, such as a forward or a sticker.

    A mention of the bot at either end only addresses it and is left out.
    """
    names = _names(message)
    lines = [_with_names(_without_address(message.content, me), names)]
    for snapshot in message.message_snapshots:
        quoted = _with_names(snapshot.content, names).splitlines() or ["(no text)"]
        lines.append("\n".join(["[forwarded message]", *(f"> {line}" for line in quoted)]))
        lines.extend(_stickers(snapshot.stickers))
    lines.extend(_stickers(message.stickers))
    if message.poll is not None:
        answers = ", ".join(answer.text for answer in message.poll.answers)
        lines.append(f"[poll: {message.poll.question} – {answers}]")
    if message.author.bot:
        lines.extend(text for embed in message.embeds for text in (embed.title, embed.description) if text)
    return "\n".join(line for line in lines if line).strip()


def _key(space_id: int, channel_id: int, thread_id: int | None = None) -> ConversationKey:
    return ConversationKey(DISCORD, str(space_id), str(channel_id), "" if thread_id is None else str(thread_id))


def _replied(message: discord.Message) -> discord.Message | None:
    reference = message.reference
    if reference is None or message.type is not discord.MessageType.reply:
        return None
    return reference.resolved if isinstance(reference.resolved, discord.Message) else None


def _quote(message: discord.Message, me: discord.abc.User) -> Quote | None:
    replied = _replied(message)
    if replied is None:
        return None
    author = to_person(replied.author, from_webhook=replied.webhook_id is not None and replied.author.id != me.id)
    return Quote(str(replied.id), author, readable_text(replied, me))


def _attachment(file: discord.Attachment, text: str) -> Attachment:
    return Attachment(file.filename, (file.content_type or "").partition(";")[0], file.size, file.url, text)


def _without_address(text: str, me: discord.abc.User) -> str:
    mention = rf"<@!?{me.id}>"
    rest = re.sub(rf"^\s*(?:{mention}[\s,:]*)+|(?:[\s,]*{mention})+\s*$", "", text)
    return rest if rest.strip() else text


def _names(message: discord.Message) -> Mapping[str, str]:
    names = {f"@{user.id}": f"@{user.display_name}" for user in message.mentions}
    names |= {f"@&{role.id}": f"@{role.name}" for role in message.role_mentions}
    if message.guild is not None:
        seen = [channel for channel in message.channel_mentions if _can_see(message.author, channel)]
        names |= {f"#{channel.id}": f"#{channel.name}" for channel in seen}
    return names


def _can_see(author: discord.abc.User, channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Say whether somebody may know a channel's name: Discord lets everybody write the id of a hidden one."""
    if isinstance(channel, discord.Thread):
        return not channel.is_private() and channel.parent is not None and _can_see(author, channel.parent)
    # Discord tells the roles of whoever writes just now, not of those whose words are quoted or read later.
    return channel.permissions_for(author if isinstance(author, discord.Member) else channel.guild.default_role).view_channel


def _with_names(text: str, names: Mapping[str, str]) -> str:
    def name(mark: re.Match[str]) -> str:
        if mark["emoji"]:
            return f":{mark['emoji']}:"
        return names.get(mark["kind"].replace("!", "") + mark["id"], mark[0])

    return _MARK.sub(name, text)


def _stickers(stickers: Iterable[discord.StickerItem]) -> Iterable[str]:
    return [f"[sticker: {sticker.name}]" for sticker in stickers]
