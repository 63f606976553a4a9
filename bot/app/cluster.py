"""The queues of a bot, as its database and the roles of this process ask for."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from bot.app.world import Cluster
from bot.config.settings import Settings
from bot.domain.chat import DISCORD, TELEGRAM
from bot.domain.role import ALL_ROLES, Role
from bot.errors import ConfigError
from bot.ports.clock import Clock
from bot.ports.queue import AskedQueue, TurnQueue
from bot.ports.throttle import Rate, Throttle
from bot.ports.turns import RunningTurns
from bot.queueing.inprocess import InProcessQueue

MOST_TURNS = 64
"""Conversations that one of several processes answers at once; one that is alone bears as many as its queue does."""
MOST_WRITING = 4
"""Conversations that are written about at once, and that are read again at once: replies come first."""

NEEDS_SERVER = (
    "--role {roles} needs a PostgreSQL database: a file is one process's own, and others could neither see what it takes in nor keep out of"
    ' its turns. Set BAKU_DB to postgresql://user:password@host/name and run "baku migrate", or leave --role away to do everything here.'
)


@dataclass(frozen=True, slots=True)
class Queues:
    """What carries the work of an app."""

    turns: TurnQueue
    past: TurnQueue
    regenerations: AskedQueue
    cluster: Cluster | None = None
    throttles: Mapping[str, Throttle] = field(default_factory=dict)
    """By platform, what holds back what is said there where other processes say something too."""


def queues_of(settings: Settings, clock: Clock, roles: Collection[Role]) -> Queues:
    """Return the queues of a process that serves. Raises ConfigError for single roles on a file."""
    if is_server(settings):
        return _carried(settings)
    if ALL_ROLES - set(roles):
        raise ConfigError(NEEDS_SERVER.format(roles=" --role ".join(sorted(roles))))
    return queues_here(clock)


def queues_here(clock: Clock) -> Queues:
    """Return the queues of a process that is alone, or has nothing to do with others."""
    written, read_again = (InProcessQueue(clock, parallel=MOST_WRITING) for _ in range(2))
    return Queues(InProcessQueue(clock), written, read_again)


def is_server(settings: Settings) -> bool:
    """Say whether the database is one that processes can share."""
    from bot.storage.address import is_file, parsed

    return not is_file(parsed(settings.db_url))


def _address(settings: Settings) -> str:
    """Return the server's address as its own library reads it."""
    from bot.storage.address import parsed

    return parsed(settings.db_url).set(drivername="postgresql").render_as_string(hide_password=False)


def rates_of(settings: Settings) -> Mapping[str, Rate]:
    """Return how often all processes together may ask something of each platform; half a second's worth may come at once."""
    asked = {DISCORD: settings.discord_requests_per_second, TELEGRAM: settings.telegram_messages_per_second}
    return {platform: Rate(platform, per_second, burst=per_second / 2) for platform, per_second in asked.items()}


def _carried(settings: Settings) -> Queues:
    from bot.queueing.procrastinate import queue as carried
    from bot.queueing.procrastinate.engine import Engine
    from bot.queueing.procrastinate.throttle import SharedThrottle
    from bot.queueing.procrastinate.turns import WritingAnywhere

    engine = Engine(_address(settings))

    def everywhere(here: RunningTurns) -> RunningTurns:
        return WritingAnywhere(engine, carried.TURNS, here)

    nights, dreams = carried.ProcrastinateScopes(engine, carried.NIGHT), carried.ProcrastinateDreams(engine, carried.DREAMS)
    return Queues(
        carried.ProcrastinateQueue(engine, carried.TURNS, parallel=MOST_TURNS),
        carried.ProcrastinateQueue(engine, carried.PAST, parallel=MOST_WRITING, listens=False),
        carried.ProcrastinateQueue(engine, carried.REGENERATIONS, parallel=MOST_WRITING, listens=False),
        Cluster(engine, nights, dreams, everywhere),
        {platform: SharedThrottle(engine, rate) for platform, rate in rates_of(settings).items()},
    )
