"""From discord.py's objects to domain values; pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import discord

from bot.domain.chat import DISCORD, ConversationKey, ConversationKind
from bot.domain.message import Attachment, IncomingMessage, MessageEdit, Person, Quote
from bot.domain.text import one_line
from bot.platforms.discord.account import Account
from bot.platforms.discord.wording import (
    LONGEST_TITLE,
    NOT_AVAILABLE,
    bounded,
    cards,
    layout,
    poll_line,
    poll_result_line,
    previews,
    stickers,
)

SAID = frozenset(
    {
        discord.MessageType.default,
        discord.MessageType.reply,
        discord.MessageType.chat_input_command,
        discord.MessageType.context_menu_command,
    }
)
"""The types of messages that somebody wrote; the rest are notices of Discord's own."""
SOMEBODY = Person("0", "somebody", is_service=True)
"""Who wrote what Discord no longer has."""

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


def category_of(channel: object) -> str:
    """Return the id of the category that a channel, or a thread's channel, is in; empty where there is none."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    category_id = getattr(parent, "category_id", None)
    return "" if category_id is None else str(category_id)


def direct_place(channel_id: int) -> Place:
    """Return the place of a chat between one person and the bot."""
    return Place(_key(channel_id, channel_id), ConversationKind.DIRECT)


def thread_place(place: Place, thread_id: int) -> Place:
    """Return the place of a thread in a channel."""
    return replace(place, conversation=replace(place.conversation, thread_id=str(thread_id)))


def channel_id_of(conversation: ConversationKey) -> int:
    """Return the id of the channel or thread to write to."""
    return int(conversation.thread_id or conversation.channel_id)


def is_said(message: discord.Message, me: Account) -> bool:
    """Say whether somebody else wrote this, rather than the bot or Discord itself. The end of a poll counts as said, of nobody."""
    return not me.wrote(message) and (message.type in SAID or _ends_poll(message))


def is_empty(message: discord.Message) -> bool:
    """Say whether nothing in a message can be read: so Discord shows what a bot without its right may not."""
    parts = (message.attachments, message.embeds, message.components, message.stickers, message.message_snapshots, message.poll)
    return not message.content and not any(parts)


def to_incoming(message: discord.Message, place: Place, me: Account, *, texts: Mapping[int, str]) -> IncomingMessage:
    """Return the message as a domain value. `texts` holds what was read of its files, by attachment id."""
    return IncomingMessage(
        conversation=place.conversation,
        kind=place.kind,
        message_id=str(message.id),
        author=_author(message),
        text=readable_text(message, me),
        sent_at=message.created_at,
        addressed_to_bot=is_addressed(message, place, me),
        quote=_quote(message, me),
        attachments=attachments_of(message, texts),
        mentioned=_mentioned(message, me),
        is_public=is_public(message.channel),
        only_heard=_ends_poll(message),
        category_id=category_of(message.channel),
    )


def to_edit(message: discord.Message, place: Place, me: Account, *, texts: Mapping[int, str]) -> MessageEdit:
    """Return the news that a message says something else now. `texts` holds what was read of its files, by attachment id."""
    text, files = readable_text(message, me), attachments_of(message, texts)
    return MessageEdit(place.conversation, str(message.id), text, _mentioned(message, me), attachments=files)


def to_starter(message: discord.Message, place: Place, me: Account, title: str) -> IncomingMessage:
    """Return the message that a thread began with, as the first line of the thread's history: nobody asks anything by it."""
    said = to_incoming(message, place, me, texts={})
    return replace(said, text=f"{title}\n{said.text}".strip(), addressed_to_bot=False, is_public=False, only_heard=True)


def to_person(user: discord.abc.User, *, from_webhook: bool = False) -> Person:
    """Return who wrote. A webhook stands for nobody in particular, whatever name it shows, and has no roles."""
    roles = None if from_webhook else roles_of(user)
    return Person(str(user.id), user.display_name, is_bot=user.bot or from_webhook, is_service=from_webhook, roles=roles)


def roles_of(user: discord.abc.User) -> frozenset[str] | None:
    """Return the ids of somebody's roles, where the event tells them: `@everyone` is one of them."""
    return frozenset(str(role.id) for role in user.roles) if isinstance(user, discord.Member) else None


def is_addressed(message: discord.Message, place: Place, me: Account) -> bool:
    """Say whether the message is for the bot: a direct chat, a mention of it or of its own role, or a reply to it."""
    if _ends_poll(message):
        return False
    if place.kind is ConversationKind.DIRECT or any(user.id == me.id for user in message.mentions):
        return True
    own_role = message.guild.self_role if message.guild is not None else None
    if own_role is not None and own_role in message.role_mentions:
        return True
    replied = _replied(message)
    return replied is not None and me.wrote(replied)


def files_of(message: discord.Message) -> Sequence[discord.Attachment]:
    """Return the files of a message and of what it forwards."""
    return [*message.attachments, *(file for snapshot in message.message_snapshots for file in snapshot.attachments)]


def attachments_of(message: discord.Message, texts: Mapping[int, str]) -> tuple[Attachment, ...]:
    """Return the same as domain values, with what was read of them."""
    return tuple(_attachment(file, texts.get(file.id, "")) for file in files_of(message))


def readable_text(message: discord.Message, me: Account) -> str:
    """Return what a person reads: names for ids, and words for what is no text, such as a forward or a sticker.

    A mention of the bot at either end only addresses it and is left out.
    """
    names = _names(message)
    lines = [_with_names(_without_address(message.content, me), names)]
    for snapshot in message.message_snapshots:
        shown = [_with_names(snapshot.content, names), bounded(layout(snapshot.components)), *previews(snapshot.embeds)]
        quoted = "\n".join(filter(None, shown)).splitlines() or ["(no text)"]
        lines.append("\n".join(["[forwarded message]", *(f"> {line}" for line in quoted)]))
        lines.extend(stickers(snapshot.stickers))
    lines.extend(stickers(message.stickers))
    lines.extend(_shown(message))
    return "\n".join(line for line in lines if line).strip()


def _key(space_id: int, channel_id: int, thread_id: int | None = None) -> ConversationKey:
    return ConversationKey(DISCORD, str(space_id), str(channel_id), "" if thread_id is None else str(thread_id))


def _mentioned(message: discord.Message, me: Account) -> tuple[Person, ...]:
    return tuple(to_person(user) for user in message.mentions if user.id != me.id)


def _author(message: discord.Message) -> Person:
    if _ends_poll(message):
        return replace(to_person(message.author), is_service=True, roles=None)
    return to_person(message.author, from_webhook=message.webhook_id is not None)


def _ends_poll(message: discord.Message) -> bool:
    return message.type is discord.MessageType.poll_result


def _shown(message: discord.Message) -> Iterator[str]:
    """Yield what a message shows beside what is written in it."""
    if message.poll is not None:
        yield poll_line(message.poll)
    if _ends_poll(message):
        yield poll_result_line(message.embeds)
    elif message.author.bot:
        yield bounded([*cards(message.embeds), *layout(message.components)])
    else:
        yield from previews(message.embeds)


def replies_to(message: discord.Message) -> int | None:
    """Return the id of the message that this one answers."""
    reference = message.reference
    return reference.message_id if reference is not None and message.type is discord.MessageType.reply else None


def _replied(message: discord.Message) -> discord.Message | None:
    reference = message.reference
    if reference is None or message.type is not discord.MessageType.reply:
        return None
    return reference.resolved if isinstance(reference.resolved, discord.Message) else None


def _quote(message: discord.Message, me: Account) -> Quote | None:
    replied = _replied(message)
    if replied is None:
        missing = replies_to(message)
        return None if missing is None else Quote(str(missing), SOMEBODY, NOT_AVAILABLE)
    author = to_person(replied.author, from_webhook=replied.webhook_id is not None and not me.wrote(replied))
    files = " ".join(f"[attached: {one_line(file.filename, LONGEST_TITLE)}]" for file in files_of(replied))
    return Quote(str(replied.id), author, "\n".join(filter(None, [readable_text(replied, me), files])))


def _attachment(file: discord.Attachment, text: str) -> Attachment:
    kind, is_voice = (file.content_type or "").partition(";")[0], file.is_voice_message()
    return Attachment(file.filename, kind, file.size, file.url, text, duration_seconds=file.duration or 0.0, is_voice=is_voice)


def _without_address(text: str, me: Account) -> str:
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
