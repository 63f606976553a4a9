"""Discussions: threads of talk that people name in a message, `[DiscussionId]trip-2[/DiscussionId]`, apart from the place's usual one."""

import re
from dataclasses import dataclass

from bot.domain.chat import ConversationKind
from bot.domain.message import IncomingMessage

_TAG = re.compile(r"[ \t]*\[DiscussionId\](.{0,200}?)\[/DiscussionId\]", re.IGNORECASE | re.DOTALL)
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A text without its tags, and the discussion that they name."""

    text: str
    discussion: str = ""
    """Empty when there is no tag, or none that can be an id."""
    is_broken: bool = False
    """Whether a tag held what can be no id."""


def without_tags(text: str) -> TaggedText:
    """Return the text with every tag taken out, and the discussion that the first sound one names."""
    if "discussionid" not in text.lower():
        return TaggedText(text)
    ids = [found.strip() for found in _TAG.findall(text)]
    sound = [found for found in ids if _ID.fullmatch(found)]
    return TaggedText(_TAG.sub("", text).strip(), sound[0] if sound else "", is_broken=len(sound) < len(ids))


def may_name(message: IncomingMessage, trusted: frozenset[str]) -> bool:
    """Say whether the author may choose a discussion: anybody alone with the bot, in groups a `platform:id` that is trusted."""
    if message.author.is_bot or message.author.is_service:
        return False
    return message.kind is ConversationKind.DIRECT or f"{message.conversation.platform}:{message.author.id}" in trusted
