"""The night's jobs: when they come, what they did, and doing them at once."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rich.text import Text

from bot.app.app import App
from bot.app.build import work_app
from bot.cli.database import opened_store
from bot.cli.logs import configure_logging
from bot.cli.output import show, table
from bot.commands.dream_texts import counts_line, planned_line
from bot.config.core import LogLevel
from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.domain.chat import space_of
from bot.domain.job import DECAY, DREAM, JobRecord, JobState
from bot.domain.nearest import nearest
from bot.domain.night import SCHEDULE_SETTINGS, NightSchedule, next_night, schedule_of
from bot.domain.persona import Persona, Personas
from bot.errors import ConfigError
from bot.jobs.night import places_of
from bot.memory.dreams.cursor import is_cursor
from bot.memory.dreams.dream import DreamReport
from bot.storage.persona_files import load_personas

LOOK_BACK = 1000
"""Runs among which the last one of each persona is looked for."""


@dataclass(frozen=True, slots=True)
class _Row:
    """What is done at one time of the clock for one persona."""

    job: str
    persona: str
    schedule: NightSchedule


def list_jobs(*, db: str | None) -> None:
    """Print what is done when, for how many places, and how it went last."""
    settings = load_settings(db=db)
    personas = load_personas(settings.personas, settings.default_persona)
    places, last = asyncio.run(_planned(settings, personas))
    shown, now = table("job", "persona", "every night at", "places", "next", "last run"), datetime.now(UTC)
    for row, count in sorted(places.items(), key=lambda item: (item[0].persona, item[0].job != DREAM, str(item[0].schedule))):
        coming = next_night(now, row.schedule, None).astimezone(row.schedule.zone)
        record = last.get((row.job, row.persona))
        ran = f"{record.started_at.astimezone(row.schedule.zone):%Y-%m-%d %H:%M} {record.state}" if record else "never"
        shown.add_row(row.job, Text(row.persona), str(row.schedule), str(count), f"{coming:%Y-%m-%d %H:%M}", ran)
    show(shown)
    print("\nThey are done by `baku run` and `baku chat` while these run; what was missed is made up for at their start.")


def run_job(job: str, *, persona_id: str, dry_run: bool, db: str | None) -> bool:
    """Do a job at once for all places of a persona, or of all; False when it failed somewhere."""
    if job not in (DREAM, DECAY):
        raise ConfigError(f"There is no job {job!r}; there are {DREAM} and {DECAY}.")
    if dry_run and job != DREAM:
        raise ConfigError(f"Only {DREAM} has a dry run.")
    settings = load_settings(db=db)
    configure_logging(settings.log_level or LogLevel.WARNING, settings.secrets())
    records = asyncio.run(_run(work_app(settings), job, persona_id, dry_run=dry_run))
    if not records:
        print("There are no memories yet, so there is nothing to do.")
    return all(record.state is not JobState.FAILED for record in records)


def show_history(*, limit: int, db: str | None) -> None:
    """Print the last runs, the newest first."""
    records = asyncio.run(_history(load_settings(db=db), limit))
    if not records:
        print("Nothing has run yet.")
        return
    shown = table("began (UTC)", "job", "about", "ended", "seconds", "what")
    for record in records:
        began = f"{record.started_at.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
        counts = ", ".join(f"{count} {name}" for name, count in (record.counts or {}).items() if count and not is_cursor(name))
        what = "; ".join(part for part in (record.reason, counts) if part)
        shown.add_row(began, record.job, Text(record.subject), record.state, f"{record.seconds:.2f}", Text(what))
    show(shown)


async def _planned(settings: Settings, personas: Personas) -> tuple[Mapping[_Row, int], Mapping[tuple[str, str], JobRecord]]:
    """Return for how many places each row is, and the last run of each job and persona."""
    places: dict[_Row, int] = defaultdict(int)
    async with opened_store(settings) as store:
        async with store.read() as tx:
            schedules = await tx.settings.everywhere(SCHEDULE_SETTINGS)
            history = await tx.nights.history(limit=LOOK_BACK)
        for persona in personas.by_id.values():
            places[_Row(DREAM, persona.id, schedule_of({}, zone=persona.time_zone))] += 0
            async for there, scope in places_of(store, persona):
                if there.memory.enabled:
                    schedule = schedule_of(schedules.get(space_of(scope.audience), {}), zone=persona.time_zone)
                    places[_Row(DREAM if there.memory.dream else DECAY, persona.id, schedule)] += 1
    return places, {(record.job, record.subject.partition(" ")[0]): record for record in reversed(history)}


async def _run(app: App, job: str, persona_id: str, *, dry_run: bool) -> Sequence[JobRecord]:
    records: list[JobRecord] = []
    async with app:
        for persona in _chosen(app.personas, persona_id):
            async for there, scope in places_of(app.store, persona):
                if job == DREAM:
                    report = await app.dreams.report(there, scope, dry_run=dry_run)
                else:
                    report = DreamReport(await app.decay(there, scope))
                _print(report, dry_run=dry_run)
                records.append(report.record)
    return records


async def _history(settings: Settings, limit: int) -> Sequence[JobRecord]:
    async with opened_store(settings) as store, store.read() as tx:
        return await tx.nights.history(limit=limit)


def _chosen(personas: Personas, persona_id: str) -> Sequence[Persona]:
    """Return the persona of that id, or all of them. Raises ConfigError when there is none."""
    if not persona_id:
        return list(personas.by_id.values())
    if persona_id not in personas.by_id:
        near = nearest(persona_id, personas.by_id)
        raise ConfigError(f"There is no persona {persona_id!r}. {f'Did you mean {near}?' if near else '`baku persona list` shows all.'}")
    return [personas.by_id[persona_id]]


def _print(report: DreamReport, *, dry_run: bool) -> None:
    record = report.record
    ended = (
        "would do this" if dry_run and record.state is JobState.DONE else f"{record.state}{f' ({record.reason})' if record.reason else ''}"
    )
    print(f"{record.subject}: {ended}.{'' if record.state is JobState.SKIPPED else f' {counts_line(record)}'}")
    for change in report.changes if dry_run else ():
        print(f"  {planned_line(change.number, change.step, change.reason).removeprefix('- ').replace('`', '')}")
