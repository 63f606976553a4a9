"""No statement of a bot reads a big table from end to end on a server."""

from dataclasses import replace

from bot.llm.offline import OfflineModel
from bot.testing.bot import Bot, a_world, running
from bot.testing.clock import FrozenClock
from bot.testing.factories import BO, GROUP
from bot.testing.platform import RecordingPlatform
from tests.scenario.grown_stage import grown, hearing, whole_reads
from tests.scenario.test_night import DAY, HandBell

LINES = (
    "help",
    "memory add I like tea with milk",
    "memory list",
    "memory list 2",
    "memory search tea",
    "memory show 40",
    "memory why",
    "memory history 40",
    "memory pin 40",
    "memory edit 40 Bo likes coffee",
    "memory about Bo",
    "memory pending",
    "memory policy",
    "memory policy decay_per_day 0.05",
    "memory scope",
    "memory share 40",
    "memory forget 80",
    "memory list",
    "memory export",
    "memory export_server",
    "persona list",
    "persona show iris",
    "persona use iris",
    "persona free",
    "persona history iris",
    "persona create",
    "persona schedule",
    "summary show",
    "summary regenerate",
    "dream report",
    "dream diary",
    "dream now",
    "dream undo",
    "dream schedule 03:00",
    "privacy show",
    "privacy optout",
    "privacy optin",
    "privacy retention 30",
    "privacy export",
    "limits show",
    "access show",
    "model show",
    "speak show",
    "settings",
    "setup",
    "usage",
    "regenerate",
    "continue",
    "undo",
    "stop",
    "new",
)
SLOW = "SELECT id FROM messages WHERE text = 'x'"
"""What would be found."""
MANY = 200
"""Statements at least: fewer would mean that little was done."""


async def test_no_statement_reads_a_big_table_from_end_to_end(postgres_url: str) -> None:
    platform, clock, bell = RecordingPlatform(), FrozenClock(), HandBell()
    world = replace(a_world(OfflineModel(), [platform], clock=clock, database=postgres_url), bell=bell.run)
    with grown(postgres_url):
        with hearing() as heard:
            async with running(world) as app:
                await platform.connected.wait()
                bot = Bot(app, world.store, world.models[0], platform, clock, world.personas, world.background)
                await bot.say("Do you remember where I bought the cat?", conversation=GROUP)
                await bot.say("My name is Ada and I live in Kyoto.", conversation=GROUP)
                await bot.settled()
                for line in LINES:
                    await bot.command(line, conversation=GROUP, admin=True, confirmed=True)
                await bot.say("I like milk. Ada likes tea.", author=BO, conversation=GROUP)
                await bot.settled()
                await bot.command("forget me", asker=BO, admin=True, confirmed=True)
                await bot.command("privacy erase", asker=BO, confirmed=True)
                clock.move(seconds=DAY)
                await bell.rung()
                await bot.settled()
        heard.statements[SLOW] = {}
        found = whole_reads(postgres_url, heard)
    assert len(heard.statements) > MANY
    assert set(found) == {SLOW}
