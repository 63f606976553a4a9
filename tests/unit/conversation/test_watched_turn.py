"""What somebody who looks on learns of a turn."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import structlog

from bot.app.app import App
from bot.domain.model import Usage
from bot.errors import DeliveryDelayed, ModelUnavailable
from bot.ports.metrics import Outcome, Retry, Stage
from bot.ports.watch import Watch
from bot.testing.bot import a_world, running
from bot.testing.clock import FrozenClock
from bot.testing.factories import DIRECT, GROUP, incoming
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel
from tests.unit.conversation.onlooker import an_onlooker


@asynccontextmanager
async def watched(model: ScriptedModel, watch: Watch, platform: RecordingPlatform | None = None) -> AsyncIterator[App]:
    world = replace(a_world(model, [platform or RecordingPlatform()], clock=FrozenClock()), watch=watch)
    async with running(world) as app:
        yield app


async def test_a_turn_is_counted_from_its_message_to_its_answer() -> None:
    watch, tally, _ = an_onlooker()

    async with watched(ScriptedModel("Hello."), watch) as app:
        await app.inbox.receive(incoming("hi"))
        await app.queue.idle()

    counted = [seen for seen in tally.seen if seen[0] not in {"model_answered", "tokens_used", "job_ended"}]
    assert counted == [
        ("received", "discord", True),
        ("reached", "discord", Stage.VISIBLE),
        ("turn_ended", "discord", Outcome.ANSWERED),
        ("reached", "discord", Stage.SENT),
    ]
    assert any(seen[0] == "tokens_used" and isinstance(seen[1], Usage) for seen in tally.seen)


async def test_a_model_without_an_answer_and_a_platform_that_has_a_reply_wait_are_counted() -> None:
    watch, tally, _ = an_onlooker()
    platform = RecordingPlatform()
    platform.faults = [DeliveryDelayed("slow down", retry_after=3.0)]

    async with watched(ScriptedModel(ModelUnavailable("out")), watch, platform) as app:
        await app.inbox.receive(incoming("hi"))
        await app.queue.idle()

    assert ("model_failed", "scripted", "out") in tally.seen
    assert ("turn_ended", "discord", Outcome.FAILED) in tally.seen
    assert ("delivery_waited", "discord") in tally.seen


async def test_a_turn_that_is_taken_again_counts_as_a_retry() -> None:
    watch, tally, _ = an_onlooker()

    async with watched(ScriptedModel(RuntimeError("broken"), "Hello."), watch) as app:
        await app.inbox.receive(incoming("hi"))
        await app.queue.idle()

    assert tally.seen.count(("retried", Retry.TURN)) == 1


async def test_all_steps_of_a_turn_bear_its_row_and_those_of_no_turn_bear_none() -> None:
    watch, _, spans = an_onlooker()

    async with watched(ScriptedModel("Hello."), watch) as app:
        await app.inbox.receive(incoming("lunch?", message_id="1", conversation=GROUP, addressed=False))
        await app.inbox.receive(incoming("hi", message_id="2", conversation=DIRECT))
        await app.queue.idle()

    assert spans.ended == [("receive", 0), ("receive", 2), ("recall", 2), ("model", 2), ("commit", 2), ("turn", 2), ("deliver", 2)]


async def test_one_number_finds_every_line_about_a_message() -> None:
    watch, _, _ = an_onlooker()

    with structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as lines:
        async with watched(ScriptedModel(RuntimeError("broken"), "Hello."), watch) as app:
            await app.inbox.receive(incoming("hi"))
            await app.queue.idle()
            await app.past.world.background.idle()

    told = {line["event"] for line in lines if line.get("turn") == 1}
    assert {"message_recorded", "turn_failed", "prompt_built", "turn_ended", "reply_sent"} <= told
