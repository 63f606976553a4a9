"""Messages that nobody asked for: where admins let them, a few a day, never by night, one until somebody answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.domain.message import MessageState, Role
from bot.domain.speaking import USUAL, QuietHours
from bot.errors import ModelUnavailable
from bot.jobs.unprompted import is_night, was_unprompted
from bot.testing.bot import Bot, make_bot
from bot.testing.clock import START
from bot.testing.factories import BO, GROUP, a_persona, incoming, stored
from bot.testing.scripted_model import Plain, ScriptedModel

KITCHEN = replace(GROUP, channel_id="kitchen")
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


async def let_speak(bot: Bot, times: int = 1, place: str = "") -> None:
    async with bot.store.write() as tx:
        await tx.settings.set(GROUP.platform, GROUP.space_id, f"speak.unprompted{place}", str(times))


@asynccontextmanager
async def quiet_group(*replies: Plain, hours: float = 5, until: datetime = NOON) -> AsyncIterator[tuple[Bot, ScriptedModel]]:
    """Run a bot in a group in which Bo said something that many hours ago."""
    model = ScriptedModel("Good luck!", *replies)
    async with make_bot(model) as bot:
        bot.clock.move(seconds=(until - START).total_seconds() - hours * 3600)
        await bot.say("I have my exam tomorrow", author=BO, conversation=GROUP)
        bot.clock.move(seconds=hours * 3600)
        yield bot, model


async def ring(bot: Bot) -> list[str]:
    """Let the bell ring and return what was said after the first answer."""
    bot.clock.move(seconds=1801)
    await bot.app.unprompted.ring()
    await bot.quiet()
    return bot.replies[1:]


async def test_a_message_is_written_in_place_from_what_was_said_and_no_second_one_before_somebody_answers() -> None:
    async with quiet_group("How was the exam?", "Well done.", "And now?") as (bot, model):
        await let_speak(bot, 2)
        assert await ring(bot) == ["How was the exam?"]
        bot.clock.move(seconds=5 * 3600)
        assert await ring(bot) == ["How was the exam?"]
        await bot.say("It went well", author=BO, conversation=GROUP)
        async with bot.store.read() as tx:
            said = [message.text for message in await tx.messages.history(GROUP, limit=10)]

    assert bot.platform.sent[1].target.reply_to == ""
    assert "Nobody has written here for some hours" in model.prompts[1].messages[-1].text
    assert said == ["I have my exam tomorrow", "Good luck!", "How was the exam?", "It went well", "Well done."]


async def test_no_more_are_written_in_a_day_than_admins_let_it_in_all_places_of_the_setting_together() -> None:
    async with quiet_group("How was it?") as (bot, _):
        await let_speak(bot)
        for conversation in (GROUP, KITCHEN):
            async with bot.store.write() as tx:
                other = incoming("hm", message_id="o", author=BO, conversation=conversation, sent_at=bot.clock.now() - timedelta(hours=5))
                await tx.messages.record(other, MessageState.HEARD)
        await ring(bot)

        assert await ring(bot) == ["How was it?"]


@pytest.mark.parametrize(
    "declined",
    [pytest.param("[silence]", id="silence"), pytest.param("", id="nothing"), pytest.param(ModelUnavailable("away"), id="no model")],
)
async def test_the_model_may_decline(declined: Plain) -> None:
    async with quiet_group(declined) as (bot, _):
        await let_speak(bot)

        assert await ring(bot) == []
        async with bot.store.read() as tx:
            assert len(await tx.messages.history(GROUP, limit=10)) == 2


@pytest.mark.parametrize(
    ("hours", "until", "times", "place"),
    [
        pytest.param(5, NOON, 0, "", id="not allowed"),
        pytest.param(5, NOON, 1, "@kitchen", id="not allowed here"),
        pytest.param(2, NOON, 1, "", id="not silent for long"),
        pytest.param(80, NOON, 1, "", id="not alive any more"),
        pytest.param(5, NOON.replace(hour=23), 1, "", id="by night"),
    ],
)
async def test_otherwise_it_keeps_quiet(hours: float, until: datetime, times: int, place: str) -> None:
    async with quiet_group(hours=hours, until=until) as (bot, _):
        await let_speak(bot, times, place)

        assert await ring(bot) == []


async def test_who_speaks_first_takes_its_place() -> None:
    async with quiet_group("Welcome.", "Welcome.") as (bot, _):
        await let_speak(bot)
        bot.clock.move(seconds=1801)
        await bot.app.unprompted.ring()
        await bot.app.inbox.receive(incoming("hello", message_id="h", author=BO, conversation=GROUP, sent_at=bot.clock.now()))
        await bot.quiet()

    assert bot.replies == ["Good luck!", "Welcome."]


def test_quiet_hours_of_a_place_count_in_place_of_the_night() -> None:
    late = datetime(2026, 5, 4, 22, tzinfo=UTC)
    tokyo, siesta = replace(a_persona(), time_zone="Asia/Tokyo"), QuietHours(time(13), time(15), ZoneInfo("UTC"))

    assert [is_night(USUAL, persona, late) for persona in (a_persona(), tokyo)] == [False, True]
    assert not is_night(replace(USUAL, quiet=siesta), tokyo, late)


def test_a_late_line_of_its_own_was_not_asked_for() -> None:
    asked = stored("hi", conversation=GROUP)
    soon = replace(stored("hello", row=2, role=Role.ASSISTANT, conversation=GROUP), sent_at=START + timedelta(minutes=1))

    assert not was_unprompted([asked, soon])
    assert was_unprompted([asked, replace(soon, sent_at=START + timedelta(hours=5))])
