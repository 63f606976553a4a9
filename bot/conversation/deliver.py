"""Sending what stands in the outbox. A crash can at worst repeat a part; it never loses one."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace

import structlog

from bot.conversation.bylines import name_before
from bot.conversation.long_answer import beginning, file_of
from bot.conversation.reach import Reach
from bot.domain.chat import ConversationKey
from bot.domain.message import MessageState, OutboxEntry, Part, ReplyTarget
from bot.errors import DeliveryDelayed, DeliveryRefused
from bot.ports.clock import Clock
from bot.ports.metrics import Stage
from bot.ports.platform import FileDelivery, Platform
from bot.ports.store import Store
from bot.ports.trail import said_at
from bot.ports.watch import NO_WATCH, Watch

STOP_SECONDS = 2.0
"""How long a stop waits for a part that is on its way."""
LONGEST_WAIT = 300.0
"""Seconds between two tries, whatever a platform asks for."""
PATIENCE = 4.0
"""Seconds that a part may wait in place; what must wait longer gives its place to others."""
WITHDRAWN_AGAIN = 30.0
"""Seconds until it is tried again to take a draft away."""

log = structlog.get_logger(__name__)


class _Gone(Exception):
    """A reply stands in the outbox no more: another process has sent it, or somebody had it erased."""


class Delivery:
    """Carries replies from the outbox to people."""

    def __init__(
        self, store: Store, platforms: Mapping[str, Platform], clock: Clock, watch: Watch = NO_WATCH, *, patience: float = PATIENCE
    ) -> None:
        self._patience = patience
        self._store = store
        self._watch = watch
        self._platforms = platforms
        self._clock = clock
        self._reach = Reach(clock)

    async def send(self, entries: Sequence[OutboxEntry]) -> None:
        """Send replies that were just read, in order. Raises DeliveryDelayed when one cannot leave for longer than a moment."""
        for place, entry in enumerate(entries):
            platform = self._platforms.get(entry.target.conversation.platform)
            if platform is not None:
                with self._watch.traces.span("deliver", {"platform": platform.name}):
                    await self._send(platform, entry, is_fresh=place == 0)

    async def withdraw(self, target: ReplyTarget, draft_id: str) -> None:
        """Take away a message that showed a draft of which nothing came. Raises DeliveryDelayed where that takes longer than a moment."""
        try:
            async with asyncio.timeout(self._patience):
                await self._platforms[target.conversation.platform].withdraw(target, draft_id)
        except TimeoutError:
            raise DeliveryDelayed("A draft cannot be taken away just now.", retry_after=WITHDRAWN_AGAIN) from None

    def serves(self, conversation: ConversationKey) -> bool:
        """Say whether the conversation's platform is one of ours."""
        return conversation.platform in self._platforms

    def expect(self, conversation: ConversationKey) -> None:
        """Return where an answer could leave. Raises DeliveryDelayed while the platform is known to be out of reach."""
        self._reach.expect(conversation.platform)

    async def _send(self, platform: Platform, entry: OutboxEntry, *, is_fresh: bool) -> None:
        """Send the parts of a reply. One that was read just now stands in the outbox; later it is looked at before each part."""
        parts = await self._parts(platform, entry)
        sent = entry.parts_sent
        try:
            while sent < len(parts):
                if not is_fresh:
                    await self._expect(entry, sent)
                await _undivided(self._send_and_mark(platform, entry, parts, sent))
                sent, is_fresh = sent + 1, False
            self._note_sent(platform, entry, sent)
        except _Gone:
            log.info("reply_gone", platform=platform.name, outbox=entry.id, parts_sent=sent)
            return
        except DeliveryRefused as problem:
            log.warning("reply_refused", platform=platform.name, outbox=entry.id, problem=str(problem), as_file=entry.as_file)
            if entry.as_file:
                await self._send(platform, replace(entry, as_file=False), is_fresh=True)  # in parts after all
            else:
                await self._drop(entry, said=sent > 0)
            return
        if entry.parts_sent >= len(parts):
            await self._drop(entry, said=bool(parts))

    async def _parts(self, platform: Platform, entry: OutboxEntry) -> Sequence[Part]:
        """Return what is sent, the speaker's name in front where people could not tell who it is."""
        name = await name_before(self._store, platform, entry.target) if entry.text.strip() else ""
        if _goes_as_file(platform, entry):
            return [Part(f"{name}{beginning(entry.text)}")]
        return platform.parts(f"{name}{entry.text}")

    def _note_sent(self, platform: Platform, entry: OutboxEntry, parts: int) -> None:
        """Tell whoever looks on that a reply is sent, and how long people waited for it where that is known."""
        log.info("reply_sent", platform=platform.name, outbox=entry.id, parts=parts)
        if (asked := said_at()) is not None:
            self._watch.metrics.reached(platform.name, Stage.SENT, (self._clock.now() - asked).total_seconds())

    async def _send_and_mark(self, platform: Platform, entry: OutboxEntry, parts: Sequence[Part], sent: int) -> None:
        message_id = await self._send_part(platform, entry, parts[sent], sent)
        await self._mark(entry, sent + 1, message_id, done=sent + 1 == len(parts))

    async def _send_part(self, platform: Platform, entry: OutboxEntry, part: Part, index: int) -> str:
        """Send a part and return its id; short waits that the platform asks for are waited out. Raises DeliveryDelayed."""
        asked_to_wait = 0.0
        while True:
            try:
                return await self._try_part(platform, entry, part, index)
            except DeliveryDelayed as delay:
                wait = min(delay.retry_after, LONGEST_WAIT)
                log.warning("reply_delayed", platform=platform.name, outbox=entry.id, seconds=wait, problem=str(delay))
                self._watch.metrics.delivery_waited(platform.name, wait)
                asked_to_wait += wait
                if delay.everywhere or asked_to_wait > self._patience:
                    raise DeliveryDelayed(str(delay), retry_after=wait) from delay
                await self._clock.sleep(wait)
                await self._expect(entry, index)

    async def _try_part(self, platform: Platform, entry: OutboxEntry, part: Part, index: int) -> str:
        """Send a part once, and learn from that whether the platform is in reach."""
        self._reach.begin(platform.name)
        try:
            if isinstance(platform, FileDelivery) and _goes_as_file(platform, entry):
                message_id = await self._send_file(platform, entry, part)
            else:
                target, draft_id = (entry.target, entry.draft_id) if index == 0 else (entry.follow_up, "")
                message_id = await platform.send(target, part, nonce=f"{entry.id}-{index}", draft_id=draft_id)
        except DeliveryDelayed as delay:
            if delay.everywhere:
                raise self._reach.lost(entry.target.conversation, delay) from delay
            self._reach.undecided(platform.name)
            raise
        except DeliveryRefused:
            self._reach.found(platform.name)
            raise
        self._reach.found(platform.name)
        return message_id

    async def _send_file(self, platform: FileDelivery, entry: OutboxEntry, part: Part) -> str:
        """Send a reply as a file; what people saw of it while it was written goes only when they have that."""
        message_id = await platform.send_file(entry.target, file_of(entry.text), part.text, nonce=f"{entry.id}-file")
        if entry.draft_id:
            # Not as `withdraw` does: what is delayed now would be sent again.
            await self._platforms[entry.target.conversation.platform].withdraw(entry.target, entry.draft_id)
        return message_id

    async def _expect(self, entry: OutboxEntry, sent: int) -> None:
        """Look that the next part of a reply is still to be sent. Raises _Gone when it is not, or another process has sent more."""
        async with self._store.read() as tx:
            unsent = await tx.outbox.unsent(entry.target.conversation)
        if all((each.id, each.parts_sent) != (entry.id, sent) for each in unsent):
            raise _Gone

    async def _mark(self, entry: OutboxEntry, sent: int, message_id: str, *, done: bool) -> None:
        async with self._store.write() as tx:
            if sent == 1:
                await tx.messages.set_platform_id(entry.message_row, message_id)
            else:
                await tx.messages.keep_part(entry.message_row, sent - 1, message_id)
            if done:
                await tx.outbox.remove(entry.id)
            else:
                await tx.outbox.mark_part_sent(entry.id, sent)

    async def _drop(self, entry: OutboxEntry, *, said: bool) -> None:
        """Take a reply out of the outbox; one of which nothing was said leaves the history too."""
        async with self._store.write() as tx:
            await tx.outbox.remove(entry.id)
            if not said:
                await tx.messages.set_state([entry.message_row], MessageState.FAILED)


def _goes_as_file(platform: Platform, entry: OutboxEntry) -> bool:
    """Say whether a reply is sent as a file; one of which a part is there was refused as one."""
    return entry.as_file and not entry.parts_sent and isinstance(platform, FileDelivery)


async def _undivided(work: Coroutine[None, None, None]) -> None:
    """Do work that a stop should not divide: it gets a few seconds to end before the stop goes on."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task], timeout=STOP_SECONDS)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        raise
