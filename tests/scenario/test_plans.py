"""No statement of a bot reads a big table from end to end on a server."""

from dataclasses import replace

from bot.llm.offline import OfflineModel
from bot.queueing.procrastinate import engine, jobs
from bot.queueing.procrastinate.asking import ASK, for_driver
from bot.queueing.procrastinate.queue import TURNS
from bot.testing.bot import Bot, a_world, running
from bot.testing.clock import FrozenClock
from bot.testing.factories import BO, GROUP
from bot.testing.platform import RecordingPlatform
from tests.scenario.grown_stage import grown, hearing, read_by, whole_reads
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
FEW = 50
"""Rows at most that the engine reads to find one look among ten thousand."""
OF_A_REPLY = ("has_unsent", "read_failures", "hashtextextended", "history_floor")
"""Pieces of statements that no reply goes without: what is left to do, what there is of the past, holding, the conversation's row."""
OF_THE_ENGINE = {
    for_driver(ASK): TURNS.values(str(GROUP), turn=1),
    engine._RUNNING: {"beginning": TURNS.lock(str(GROUP))},
    jobs._END: {"job": 5, "worker": 1},
    jobs._HAND_BACK: {"job": 5, "worker": 1, "pause": None},
    jobs._RESCUE: {"settled": 8.0, "dead": 20.0, "own": [1]},
    jobs._HELD: {"workers": [1]},
}


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
        heard.statements |= {SLOW: {}, **OF_THE_ENGINE}
        found = whole_reads(postgres_url, heard)
        without = whole_reads(postgres_url, heard, without=["ix_messages_line", "ix_relations_of_object", "baku_jobs_lock"])
        fetched = [read_by(postgres_url, jobs._FETCH, {"queues": ["turns"], "worker": None}, "procrastinate_jobs") for _ in range(2)]
    assert len(heard.statements) > MANY
    assert all(any(part in statement for statement in heard.statements) for part in OF_A_REPLY)
    assert set(found) == {SLOW}
    assert all(any(part in statement for statement in without) for part in ("relations.object_person", "FROM messages", "pg_notify"))
    assert max(fetched) <= (0, FEW)
