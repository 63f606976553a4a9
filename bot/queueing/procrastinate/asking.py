"""Asking for a look in SQL: within the transaction that stores what there is to look at."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

SIGNALS = "baku_signals"
"""The channel on which processes tell one another what need not be kept."""

ASK = """
WITH waiting AS MATERIALIZED (
    SELECT id FROM procrastinate_jobs
    WHERE lock = :lock AND CAST(status AS text) = 'todo' AND queue_name = :queue LIMIT 1 FOR SHARE SKIP LOCKED
), running AS MATERIALIZED (
    SELECT id FROM procrastinate_jobs WHERE lock = :lock AND CAST(status AS text) = 'doing'
), made AS MATERIALIZED (
    SELECT procrastinate_defer_jobs_v1(ARRAY[CAST(
        ROW(:queue, :task, CAST(:priority AS integer), :lock, NULL, CAST(:args AS jsonb), NULL) AS procrastinate_job_to_defer_v1
    )]) AS ids WHERE NOT EXISTS (SELECT FROM waiting)
)
SELECT
    (SELECT ids FROM made),
    (SELECT pg_notify('baku_signals', :signal) FROM running),
    (SELECT pg_notify('procrastinate_queue_v1#' || :queue, json_build_object('type', 'job_inserted', 'job_id', id)::text)
     FROM waiting WHERE NOT EXISTS (SELECT FROM running))
"""
"""Makes a job, unless one waits that nobody can begin before this transaction ends: the share of it that is taken sees to that.

One that is being begun is passed over, as it may look too early. Whoever looks there just now hears of it. Nothing here waits for a
lock, and nothing can fail because another asks for the same. As the share kept the one that waits from being begun, it is told of again.
The casts leave but one index to go along, that of the locks, whatever the statistics of so lively a table say.
"""


@dataclass(frozen=True, slots=True)
class Lane:
    """One kind of work of the engine: its queue, and how it stands to the others."""

    name: str
    priority: int
    """The higher comes first where a worker serves several."""
    ends_at_stop: bool = False
    """What is running when a worker is stopped gets a moment to end; else it is handed back at once."""
    most: int = 0
    """How often a look is begun that fails, or that its workers die of; 0 stands for as often as it takes."""

    def lock(self, key: str) -> str:
        """Return what keeps two from looking at the same at a time; the lanes do not keep one another from it."""
        return f"{self.name} {key}"

    def key(self, lock: str) -> str:
        """Return what a lock of this lane is for."""
        return lock.removeprefix(f"{self.name} ")

    def values(self, key: str, *, turn: int) -> Mapping[str, object]:
        """Return the values for asking for a look. The log of the look tells of the turn that it was asked for in."""
        lock = self.lock(key)
        return {
            "queue": self.name,
            "task": self.name,
            "priority": self.priority,
            "lock": lock,
            "args": json.dumps({"key": key, "turn": turn}),
            "signal": json.dumps({"ring": lock}),
        }


def for_driver(statement: str) -> str:
    """Return a statement with its values marked as psycopg wants it."""
    return re.sub(r"(?<!:):(\w+)", r"%(\1)s", statement)
