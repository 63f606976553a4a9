"""Sending what stands in the outbox. A crash can at worst repeat a part; it never loses one."""

from collections.abc import Mapping

import structlog

from bot.domain.chat import ConversationKey
from bot.domain.message import MessageState, OutboxEntry, Part
from bot.errors import DeliveryDelayed, DeliveryRefused
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.store import Store

LONGEST_WAIT = 300.0
"""Seconds between two tries, whatever a platform asks for."""

log = structlog.get_logger(__name__)


class Delivery:
    """Carries replies from the outbox to people."""

    def __init__(self, store: Store, platforms: Mapping[str, Platform], clock: Clock) -> None:
        self._store = store
        self._platforms = platforms
        self._clock = clock

    async def deliver(self, conversation: ConversationKey) -> None:
        """Send all unsent replies of a conversation, in order, however long its platform is out of reach."""
        platform = self._platforms.get(conversation.platform)
        if platform is None:
            return
        async with self._store.read() as tx:
            entries = await tx.outbox.unsent(conversation)
        for entry in entries:
            await self._send(platform, entry)

    async def _send(self, platform: Platform, entry: OutboxEntry) -> None:
        parts = platform.parts(entry.text)
        try:
            for index in range(entry.parts_sent, len(parts)):
                message_id = await self._send_part(platform, entry, parts[index], index)
                await self._mark_sent(entry, index, message_id)
        except DeliveryRefused as problem:
            log.warning("reply_refused", platform=platform.name, outbox=entry.id, problem=str(problem))
            await self._drop(entry, said=entry.parts_sent > 0)
            return
        await self._drop(entry, said=bool(parts))

    async def _send_part(self, platform: Platform, entry: OutboxEntry, part: Part, index: int) -> str:
        while True:
            try:
                return await platform.send(entry.target if index == 0 else entry.follow_up, part, nonce=f"{entry.id}-{index}")
            except DeliveryDelayed as delay:
                wait = min(delay.retry_after, LONGEST_WAIT)
                log.warning("reply_delayed", platform=platform.name, outbox=entry.id, seconds=wait, problem=str(delay))
                await self._clock.sleep(wait)

    async def _mark_sent(self, entry: OutboxEntry, index: int, message_id: str) -> None:
        async with self._store.write() as tx:
            await tx.outbox.mark_part_sent(entry.id, index + 1)
            if index == 0:
                await tx.messages.set_platform_id(entry.message_row, message_id)

    async def _drop(self, entry: OutboxEntry, *, said: bool) -> None:
        """Take a reply out of the outbox; one of which nothing was said leaves the history too."""
        async with self._store.write() as tx:
            await tx.outbox.remove(entry.id)
            if not said:
                await tx.messages.set_state([entry.message_row], MessageState.FAILED)
