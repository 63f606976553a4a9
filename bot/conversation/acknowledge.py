"""A reaction that shows that a message is going to be answered, where admins want one."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import structlog

from bot.domain.chat import ConversationKind
from bot.domain.message import ReplyTarget, StoredMessage
from bot.errors import StoreError
from bot.memory.speaking import has_speaking, speaking_here
from bot.ports.ending import end
from bot.ports.platform import Platform, Reactions
from bot.ports.store import Store

SEEN = "👀"
"""One of those that Telegram allows."""
PATIENCE = 2.0
"""Seconds that an answer that is done waits for its reaction, which would come too late after it."""

log = structlog.get_logger(__name__)


@asynccontextmanager
async def acknowledged(
    store: Store, platforms: Mapping[str, Platform], waiting: Sequence[StoredMessage], *, settings: Mapping[str, str] | None = None
) -> AsyncIterator[None]:
    """React to messages that are new and addressed to the persona, beside what is done while the context is open.

    The settings are those of the conversation's space, where they are known; in a direct chat the person's own are looked up.
    """
    fresh = [message for message in waiting if message.addressed_to_bot and message.message_id and not message.attempts]
    platform = platforms[waiting[0].conversation.platform]
    may_react = settings is None or waiting[0].kind is ConversationKind.DIRECT or has_speaking(settings)
    if not fresh or not may_react or not isinstance(platform, Reactions):
        yield
        return
    task = asyncio.create_task(_react(store, platform, fresh))
    try:
        yield
        await asyncio.wait([task], timeout=PATIENCE)
    finally:
        await end(task)


async def _react(store: Store, platform: Reactions, messages: Sequence[StoredMessage]) -> None:
    last = messages[-1]
    try:
        async with store.read() as tx:
            speaking = await speaking_here(tx, last.conversation, last.kind, last.author.id)
    except StoreError as problem:
        log.warning("reaction_left_out", problem=type(problem).__name__)
        return
    if speaking.reacts:
        for message in messages:
            await platform.react(ReplyTarget(message.conversation, message.kind, message.message_id), SEEN)
