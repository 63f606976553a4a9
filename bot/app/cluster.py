"""The queues of a bot, as its database and the roles of this process ask for."""

from collections.abc import Collection
from dataclasses import dataclass

from bot.app.world import Cluster
from bot.config.settings import Settings
from bot.domain.role import ALL_ROLES, Role
from bot.errors import ConfigError
from bot.ports.clock import Clock
from bot.ports.queue import TurnQueue
from bot.ports.throttle import Throttle
from bot.ports.turns import RunningTurns
from bot.queueing.inprocess import InProcessQueue

MOST_TURNS = 64
"""Conversations that are answered at once in one process."""
MOST_WRITING = 4
"""Conversations that are written about at once: replies come first."""

NEEDS_SERVER = (
    "--role {roles} needs a PostgreSQL database: a file is one process's own, and others could neither see what it takes in nor keep out of"
    ' its turns. Set BAKU_DB to postgresql://user:password@host/name and run "baku migrate", or leave --role away to do everything here.'
)


@dataclass(frozen=True, slots=True)
class Queues:
    """What carries the work of an app."""

    turns: TurnQueue
    past: TurnQueue
    cluster: Cluster | None = None
    throttle: Throttle | None = None
    """Holds back what is said on platforms, where other processes say something too."""


def queues_of(settings: Settings, clock: Clock, roles: Collection[Role]) -> Queues:
    """Return the queues of a process that serves. Raises ConfigError for single roles on a file."""
    if is_server(settings):
        return _carried(settings.db_url)
    if ALL_ROLES - set(roles):
        raise ConfigError(NEEDS_SERVER.format(roles=" --role ".join(sorted(roles))))
    return queues_here(clock)


def queues_here(clock: Clock) -> Queues:
    """Return the queues of a process that is alone, or has nothing to do with others."""
    return Queues(InProcessQueue(clock, parallel=MOST_TURNS), InProcessQueue(clock, parallel=MOST_WRITING))


def is_server(settings: Settings) -> bool:
    """Say whether the database is one that processes can share."""
    from bot.storage.address import is_file, parsed

    return not is_file(parsed(settings.db_url))


def _carried(url: str) -> Queues:
    from bot.queueing.procrastinate.engine import Engine
    from bot.queueing.procrastinate.queue import NIGHT, PAST, TURNS, ProcrastinateQueue, ProcrastinateScopes
    from bot.queueing.procrastinate.throttle import SharedThrottle
    from bot.queueing.procrastinate.turns import WritingAnywhere

    engine = Engine(url)

    def everywhere(here: RunningTurns) -> RunningTurns:
        return WritingAnywhere(engine, TURNS, here)

    return Queues(
        ProcrastinateQueue(engine, TURNS, parallel=MOST_TURNS),
        ProcrastinateQueue(engine, PAST, parallel=MOST_WRITING, listens=False),
        Cluster(engine, ProcrastinateScopes(engine, NIGHT), everywhere),
        SharedThrottle(engine),
    )
