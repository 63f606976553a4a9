"""What the bot must be allowed to do, what it lacks, and the link by which it is added to a group."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from telegram import (
    Bot,
    ChatFullInfo,
    ChatMember,
    ChatMemberAdministrator,
    ChatMemberBanned,
    ChatMemberLeft,
    ChatMemberRestricted,
    User,
)
from telegram.constants import ChatType
from telegram.error import Forbidden, TelegramError

PRIVACY_MODE = (
    "In groups this bot hears only commands, mentions and replies. To let it hear all: write /setprivacy to @BotFather, choose the bot, "
    "then Disable; then take the bot out of each group and add it again."
)
NO_GROUPS = "This bot cannot be added to groups. To change that: write /setjoingroups to @BotFather, choose the bot, then Enable."
NOT_A_MEMBER = "Be a member of the group"
_HEARS_ALL = "Read all messages: write /setprivacy to @BotFather, choose Disable, then take the bot out of the group and add it again"


@dataclass(frozen=True, slots=True)
class Introduction:
    """What an operator should know of the bot's account."""

    name: str
    link: str
    """Adds the bot to a group."""
    problems: Sequence[str]
    """What it may not do anywhere, and how to change that."""

    def __str__(self) -> str:
        """Return it as lines."""
        return "\n".join([f"@{self.name} is on Telegram. To add it to a group, open", self.link, *self.problems])


def introduction(me: User) -> Introduction:
    """Return what an operator should know."""
    problems = [NO_GROUPS] if me.can_join_groups is False else []
    if me.can_read_all_group_messages is False:
        problems.append(PRIVACY_MODE)
    return Introduction(str(me.username), f"https://t.me/{me.username}?startgroup=true", problems)


async def missing_rights(bot: Bot, chat_id: int, *, in_topic: bool) -> Sequence[str]:
    """Return what the bot may not do in a chat, what it can do without at the end; nothing while Telegram does not tell."""
    try:
        chat = await bot.get_chat(chat_id)
        member = await bot.get_chat_member(chat_id, bot.id) if chat.type != ChatType.PRIVATE else None
    except Forbidden:
        return (NOT_A_MEMBER,)
    except TelegramError:
        return ()
    if member is None:
        return ()
    if isinstance(member, ChatMemberLeft | ChatMemberBanned):
        return (NOT_A_MEMBER,)
    return (*_needed(chat, member), *(f"{right} (optional)" for right in _helpful(chat, member, bot.bot, in_topic=in_topic)))


def _needed(chat: ChatFullInfo, member: ChatMember) -> Iterator[str]:
    if chat.type == ChatType.CHANNEL:
        if isinstance(member, ChatMemberAdministrator) and not member.can_post_messages:
            yield "Post Messages"
    elif not _may(chat, member, "can_send_messages"):
        yield "Send Messages"


def _helpful(chat: ChatFullInfo, member: ChatMember, me: User, *, in_topic: bool) -> Iterator[str]:
    is_admin = isinstance(member, ChatMemberAdministrator)
    if chat.type == ChatType.CHANNEL:
        return
    if not is_admin and not me.can_read_all_group_messages:
        yield _HEARS_ALL
    if not _may(chat, member, "can_send_documents"):
        yield "Send Files"
    if in_topic and not (isinstance(member, ChatMemberAdministrator) and member.can_manage_topics):
        yield "Manage Topics, to write in closed ones"
    if not (isinstance(member, ChatMemberAdministrator) and member.can_delete_messages):
        yield "Delete Messages, to take away what holds secrets"


def _may(chat: ChatFullInfo, member: ChatMember, right: str) -> bool:
    """Say whether members may do something here, and the bot in particular. Admins always may."""
    match member:
        case ChatMemberAdministrator():
            return True
        case ChatMemberRestricted():
            return bool(getattr(member, right))
        case _:
            return chat.permissions is None or bool(getattr(chat.permissions, right))
