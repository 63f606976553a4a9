"""Telling how far a long work has come: a bar on a terminal, a line now and then in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

LINES = 10
"""At most so many lines in a pipe."""


@contextmanager
def progress_shown(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function to be told how much is done, and of how much."""
    if not sys.stdout.isatty():
        yield _Lines(what)
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(highlight=False)) as bar:
        task = bar.add_task(what, total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield show


class _Lines:
    """Prints a line at each tenth of the work."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._told = 0

    def __call__(self, done: int, total: int) -> None:
        tenth = LINES * done // total if total else 0
        if tenth > self._told:
            self._told = tenth
            print(f"{self._what}: {done} of {total}", flush=True)
