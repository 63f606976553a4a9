"""A bot's whole database, moved from its file to a server.

Tables come in the order of their references, rows in the order of their keys, ten thousand a transaction together with the note of how
far it has come: a move that is cut short goes on from there. At the end both sides are counted and added up, and only when every table
is equal the server may be used.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy.engine import URL

from bot.errors import ConfigError, StoreError
from bot.storage.address import file_of, is_file, parsed
from bot.storage.schema import HEAD
from bot.storage.sql.metadata import METADATA
from bot.storage.transfer.canonical import Sum
from bot.storage.transfer.ledger import MOVED_TABLES, Move, Step
from bot.storage.transfer.source import Snapshot, check, snapshot, stamp
from bot.storage.transfer.target import Target, target

Progress = Callable[[int, int], None]
"""Is told how many rows are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A table on both sides."""

    table: str
    source: Sum
    target: Sum

    @property
    def is_equal(self) -> bool:
        """Whether all rows are the same."""
        return self.source == self.target


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a move ended."""

    is_finished: bool
    """Whether the server may be used now."""
    compared: Sequence[Compared] = ()
    was_written: bool = False
    """Whether anything was written to the source while it was moved."""
    finished_before: datetime | None = None
    """When it was finished already, if there was nothing to do."""


def ends(source: str, goal: str) -> tuple[Path, URL]:
    """Return the file and the server of two addresses. Raises `ConfigError` for any other pair."""
    before, after = parsed(source), parsed(goal)
    if is_file(after):
        raise ConfigError("Baku moves to PostgreSQL alone. Write --to postgresql://user:password@host/name.")
    if not is_file(before):
        raise ConfigError("Baku moves from a file alone. To move between servers, use pg_dump and pg_restore.")
    path = file_of(before)
    if path is None:
        raise ConfigError("The address after --from names no file. Write --from sqlite:///data/baku.db.")
    return path, after


def move(path: Path, url: URL, *, anew: bool, moving: Progress, comparing: Progress) -> Outcome:
    """Move all that a file holds to a server, or go on with it, and return how the two compare. The file is only read.

    With `anew`, what was brought so far is taken back first. Raises `StoreError` where either end does not serve, or the server holds
    anything else.
    """
    check(path)
    with target(url) as there:
        if anew:
            _take_back(there)
        begun = there.move()
        if begun and begun.finished_at:
            return Outcome(is_finished=True, finished_before=begun.finished_at)
        now = Move(str(path.resolve()), stamp(path), HEAD)
        with snapshot(path) as here:
            if begun is None:
                there.begin(now)
            else:
                _go_on(here, there, begun, now)
            _bring(here, there, moving)
        # Looked at anew: what came in meanwhile shows, and so does what was read while the file was changing.
        at_the_end = stamp(path)
        with snapshot(path) as here:
            compared = list(_compare(here, there, comparing))
            if is_finished := all(table.is_equal for table in compared) and stamp(path) == at_the_end:
                there.finish({table: here.last_id(table) for table in MOVED_TABLES if table.autoincrement_column is not None})
        return Outcome(is_finished, compared, was_written=stamp(path) != now.stamp)


def _take_back(there: Target) -> None:
    begun = there.move()
    if begun and begun.finished_at:
        raise StoreError(f"{there.name} was moved into, and all was there; it is not emptied. Name an empty database after --to.")
    if begun:
        _check_revision(there, begun)
        there.empty()


def _go_on(here: Snapshot, there: Target, begun: Move, now: Move) -> None:
    """Raise `StoreError` unless the source still holds what was brought from it so far."""
    if begun.source != now.source:
        raise StoreError(f"{there.name} is being filled from {begun.source}. Go on with that file, or begin again with --anew.")
    _check_revision(there, begun)
    if begun.stamp == now.stamp:
        return
    for name, step in there.steps().items():
        table = METADATA.tables[name]
        if here.sum(table, through=step.last_key) != there.sum(table):
            raise StoreError(
                f"Since this move was begun, {now.source} has changed: {name} is another. Stop the bot; begin again with --anew."
            )
    there.note_stamp(now.stamp)


def _check_revision(there: Target, begun: Move) -> None:
    if begun.revision != HEAD:
        raise StoreError(
            f"{there.name} is being filled by another version of Baku. Go on with that one, or name a new database after --to."
        )


def _bring(here: Snapshot, there: Target, moving: Progress) -> None:
    steps = there.steps()
    total = sum(map(here.count, MOVED_TABLES))
    done = sum(step.rows for step in steps.values())
    moving(done, total)
    for table in MOVED_TABLES:
        for rows in there.bring(table, here.rows(table, after=steps.get(table.name, Step()).last_key)):
            done += rows
            moving(done, total)


def _compare(here: Snapshot, there: Target, comparing: Progress) -> Iterator[Compared]:
    total, done = sum(map(here.count, MOVED_TABLES)), 0
    for table in MOVED_TABLES:
        compared = Compared(table.name, here.sum(table), there.sum(table))
        yield compared
        done += compared.source.rows
        comparing(done, total)
