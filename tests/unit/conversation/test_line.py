"""Who waits in line is told so, and what they are told becomes the answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from bot.app.app import App
from bot.conversation.line import AGAIN, LEASE, LOOKS, LineNotices
from bot.conversation.notices import notices
from bot.domain.message import Person
from bot.errors import DeliveryDelayed
from bot.ports.queue import TakeTurns
from bot.queueing.inprocess import InProcessQueue
from bot.testing.bot import a_world, running
from bot.testing.clock import FrozenClock
from bot.testing.factories import DIRECT, GROUP, incoming
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel

IN_LINE = notices("en").in_line
AFTER = timedelta(seconds=60)


class BusyQueue(InProcessQueue):
    """A queue all of whose places are taken until it is let go."""

    taken: TakeTurns

    async def run(self, take_turns: TakeTurns) -> None:
        self.taken = take_turns


@dataclass
class Line:
    """A bot that answers nobody for now, and what tells them so."""

    app: App
    clock: FrozenClock
    platform: RecordingPlatform
    queue: BusyQueue
    notices: LineNotices

    @property
    def shown(self) -> list[str]:
        return [sent.text for sent in self.platform.sent]

    async def wait(self, seconds: float) -> None:
        """Let time pass, with a look as often as it is usual."""
        pause = AFTER.total_seconds() / LOOKS
        for _ in range(int(seconds / pause)):
            self.clock.move(seconds=pause)
            await self.notices.look()


@asynccontextmanager
async def a_line(*answers: str) -> AsyncIterator[Line]:
    clock, platform = FrozenClock(), RecordingPlatform()
    queue = BusyQueue(clock)
    world = replace(a_world(ScriptedModel(*answers), [platform], clock=clock), queue=queue)
    async with running(world) as app:
        await platform.connected.wait()
        line = LineNotices(app.store, app.platforms, app.personas, clock, AFTER)
        await line.look()
        yield Line(app, clock, platform, queue, line)


async def test_who_waits_long_is_told_once_and_the_answer_takes_the_place_of_that() -> None:
    async with a_line("Tea.") as line:
        await line.app.inbox.receive(incoming("what do I drink?", message_id="1"))
        await line.wait(45)
        assert line.shown == []
        await line.wait(120)
        assert line.shown == [IN_LINE]

        await line.queue.taken(DIRECT)

    assert [(sent.text, sent.message_id, sent.target.reply_to) for sent in line.platform.sent] == [
        (IN_LINE, "sent-1", "1"),
        ("Tea.", "sent-1", "1"),
    ]
    assert line.platform.withdrawn == []


async def test_who_keeps_waiting_is_told_again_only_after_a_while() -> None:
    async with a_line("A.", "B.") as line:
        await line.app.inbox.receive(incoming("a", message_id="1"))
        await line.wait(120)
        await line.queue.taken(DIRECT)
        await line.app.inbox.receive(incoming("b", message_id="2"))
        await line.wait(120)
        assert line.shown == [IN_LINE, "A."]

        line.clock.move(seconds=AGAIN.total_seconds())
        await line.app.inbox.receive(incoming("c", message_id="3"))
        await line.wait(120)

    assert line.shown == [IN_LINE, "A.", IN_LINE]


async def test_nobody_is_told_who_did_not_ask_or_is_a_bot_or_is_being_answered() -> None:
    async with a_line() as line:
        await line.app.inbox.receive(incoming("hm", message_id="1", conversation=GROUP, addressed=False))
        await line.app.inbox.receive(incoming("beep", message_id="2", conversation=GROUP, author=Person("9", "Bot", is_bot=True)))
        await line.app.inbox.receive(incoming("hello", message_id="3"))
        async with line.app.store.write() as tx:
            (hello,) = await tx.messages.waiting(DIRECT)
            await tx.messages.count_attempt([hello.id])
        await line.wait(120)

    assert line.shown == []


async def test_a_notice_that_comes_too_late_is_taken_back() -> None:
    async with a_line() as line:
        await line.app.inbox.receive(incoming("what do I drink?", message_id="1"))
        line.platform.slow_sends = asyncio.Event()
        telling = asyncio.create_task(line.wait(90))
        await line.platform.sending.wait()
        async with line.app.store.write() as tx:
            (asked,) = await tx.messages.waiting(DIRECT)
            await tx.messages.count_attempt([asked.id])
        line.platform.slow_sends.set()
        await telling

    assert line.platform.withdrawn == ["sent-1"]


async def test_a_platform_that_has_no_time_is_left_alone_and_one_process_tells() -> None:
    async with a_line() as line:
        other = LineNotices(line.app.store, line.app.platforms, line.app.personas, line.clock, AFTER)
        await line.app.inbox.receive(incoming("hello", message_id="1"))
        line.platform.faults = [DeliveryDelayed("slow down", retry_after=60)]
        for _ in range(6):
            line.clock.move(seconds=15)
            await line.notices.look()
            await other.look()

    assert line.shown == []
    assert line.platform.faults == []


@pytest.mark.parametrize("minutes", [10, -10])
async def test_a_machine_whose_clock_is_minutes_off_takes_no_lease_from_another_and_loses_none(minutes: int) -> None:
    async with a_line() as line:
        clock = FrozenClock(line.clock.now() + timedelta(minutes=minutes))
        off = LineNotices(line.app.store, line.app.platforms, line.app.personas, clock, AFTER)
        first = await leads(line)
        await off.look()
        assert await leads(line) == first

        async with line.app.store.write() as tx:
            await tx.leases.release(LEASE, first)
        await off.look()
        second = await leads(line)
        await line.notices.look()

        assert await leads(line) == second != first


async def leads(line: Line) -> str:
    async with line.app.store.read() as tx:
        return next(lease.owner for lease in await tx.leases.all() if lease.name == LEASE)
