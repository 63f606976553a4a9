"""Where a message can be read again."""

from collections.abc import Sequence

from bot.domain.chat import DISCORD, TELEGRAM, Audience, ConversationKey
from bot.ports.store import Transaction

_SUPERGROUP = "-100"
"""How the ids of Telegram's supergroups begin; messages elsewhere have no address there."""


def message_link(conversation: ConversationKey, message_id: str) -> str:
    """Return the address of a message on its platform; empty where messages have none."""
    if not message_id:
        return ""
    if conversation.platform == DISCORD:
        server = "@me" if conversation.space_id == conversation.channel_id else conversation.space_id
        return f"https://discord.com/channels/{server}/{conversation.thread_id or conversation.channel_id}/{message_id}"
    if conversation.platform == TELEGRAM and conversation.channel_id.startswith(_SUPERGROUP):
        topic = f"{conversation.thread_id}/" if conversation.thread_id else ""
        return f"https://t.me/c/{conversation.channel_id.removeprefix(_SUPERGROUP)}/{topic}{message_id}"
    return ""


async def source_link(tx: Transaction, audience: Audience, message_rows: Sequence[int]) -> str:
    """Return the address of the last of an audience's messages that something rests on; empty where there is none."""
    message = await tx.messages.get(audience, message_rows[-1]) if message_rows else None
    return message_link(message.conversation, message.message_id) if message else ""
