"""Bringing the file of an export back in."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from rich.table import Table

from bot.app.world import SystemClock
from bot.cli.called import as_called
from bot.cli.database import opened_store
from bot.cli.logs import configure_logging
from bot.cli.output import show, table
from bot.cli.progress import progress_shown
from bot.config.core import LogLevel
from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.errors import ConfigError
from bot.memory.export.archive import data_in
from bot.memory.export.importer import Importer
from bot.memory.export.outcome import ImportReport, Outcome, Thing
from bot.memory.export.parcel import Parcel, parcel_of
from bot.storage.persona_files import load_personas

EMPTY = "The file holds nothing."
ONLY_TRIED = "Nothing was changed: this is what would become of it."
SEARCHED_LATER = "`baku memory index --all` makes messages findable at once; else that comes with the next talk there."


def import_file(file: Path, *, dry_run: bool, db: str | None) -> None:
    """Bring a file in, and print what came of it. Raises ConfigError for a file that is none of ours, before anything is changed."""
    settings = load_settings(db=db)
    configure_logging(settings.log_level or LogLevel.ERROR, settings.secrets())
    try:
        parcel = parcel_of(data_in(file))
    except ValueError as problem:
        raise ConfigError(str(problem)) from problem
    report = asyncio.run(_imported(settings, parcel, dry_run=dry_run))
    if not report.counts:
        print(EMPTY)
        return
    show(_told(report))
    if dry_run:
        print(ONLY_TRIED)
    elif report.counts[Thing.MESSAGES, Outcome.ADDED]:
        print(as_called(SEARCHED_LATER))


async def _imported(settings: Settings, parcel: Parcel, *, dry_run: bool) -> ImportReport:
    personas = load_personas(settings.personas, settings.default_persona)
    async with opened_store(settings) as store:
        with progress_shown("import") as progress:
            return await Importer(store, personas, SystemClock(), writes=not dry_run, told=progress).bring(parcel)


def _told(report: ImportReport) -> Table:
    shown = table("", "added", "there already", "refused", "why")
    for thing in Thing:
        outcomes = {outcome: count for outcome in Outcome if (count := report.counts[thing, outcome])}
        added, known = outcomes.pop(Outcome.ADDED, 0), outcomes.pop(Outcome.KNOWN, 0)
        if added or known or outcomes:
            shown.add_row(thing.value, _number(added), _number(known), _number(sum(outcomes.values())), _why(outcomes.items()))
    return shown


def _number(count: int) -> str:
    return f"{count:,}" if count else ""


def _why(refused: Iterable[tuple[Outcome, int]]) -> str:
    return "; ".join(f"{count:,}: {outcome.value}" for outcome, count in refused)
