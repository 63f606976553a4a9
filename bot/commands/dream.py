"""`/dream`: admins let a persona dream, read what came of it and take it back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from bot.commands import dream_texts as texts
from bot.commands.dream_schedule import schedule_commands
from bot.commands.memory_trace import changes_of
from bot.commands.ownership import Place, is_own, place_of
from bot.commands.paging import PAGE_OPTION, page_of
from bot.commands.texts import local_moment
from bot.domain.chat import MemoryScope
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, RunCommand, WhoMay
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.memory import JournalEntry
from bot.domain.persona import Persona, Personas
from bot.memory.dreams.dream import TOO_SOON, UNDER_WAY, DreamReport
from bot.memory.dreams.past import last_kept, undo
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction
from bot.wording.say import say

LOOK_BACK = 50
"""Runs among which the last dream that came to something is looked for."""
_DRY = "dry"


class Dreams(Protocol):
    """Dreams about one scope, by `persona.memory`."""

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False) -> DreamReport:
        """Return all that was done, or with `dry_run` would be."""
        ...


def dream_commands(store: Store, personas: Personas, clock: Clock, dreams: Dreams) -> tuple[Command, ...]:
    """Return the commands by which admins look after dreams."""
    desk = _Dreams(store, personas, clock, dreams)
    dry = Option("dry", "dry to see what a dream would do, without doing it", required=False, suggest=_suggest_dry)
    return (
        _command("now", "Let me dream now about what I remember here", desk.now, dry),
        _command("report", "See what my last dream here did, and why", desk.report, PAGE_OPTION),
        _command("undo", "Take my last dream here back", desk.undo),
        *schedule_commands(store, personas, clock),
    )


def _command(word: str, summary: str, run: RunCommand, *options: Option) -> Command:
    return Command(("dream", word), summary, run, options, who=WhoMay.ADMINS, private=True, slow=word != "report")


@dataclass(frozen=True, slots=True)
class _Dreams:
    """Dreams about what a persona remembers where the asker is."""

    store: Store
    personas: Personas
    clock: Clock
    dreams: Dreams

    async def now(self, call: CommandCall) -> Answer:
        """Dream at once, or show what a dream would do."""
        typed = str(call.options.get("dry", "")).casefold()
        if typed not in ("", _DRY):
            return Answer(texts.unknown_way(typed))
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
        report = await self.dreams.report(place.persona, place.scope, dry_run=bool(typed))
        if report.record.reason == TOO_SOON:
            return Answer(await self._too_soon(place))
        if report.record.reason == UNDER_WAY:
            return Answer(texts.still_dreaming(place.persona.name))
        if typed or report.record.state is not JobState.DONE:
            lines = [texts.planned_line(change.number, change.step, change.reason) for change in report.changes]
            page = page_of(lines, 1)
            return Answer(texts.dream_page(place.persona.name, report.record, "", lines, page.lines, dry=bool(typed)))
        async with self.store.read() as tx:
            return await self._page(tx, place, report.record, call)

    async def report(self, call: CommandCall) -> Answer:
        """Show the last dream that came to something: counts, each change with its reason, and the diary."""
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            record = await _last(tx, place.scope)
            if record is None:
                return Answer(texts.no_dream_yet(place.persona.name))
            return await self._page(tx, place, record, call)

    async def undo(self, call: CommandCall) -> Answer:
        """Put the memories that the last dream changed back as they were."""
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            record = await _last(tx, place.scope)
            changes = await tx.memories.journal_of_run(place.scope, record.run) if record else ()
        if record is None:
            return Answer(texts.no_dream_yet(place.persona.name))
        undone = await undo(self.store, record.run, at=self.clock.now()) if changes else None
        return Answer(texts.nothing_to_undo() if undone is None else texts.undone(undone))

    async def _page(self, tx: Transaction, place: Place, record: JobRecord, call: CommandCall) -> Answer:
        moment = local_moment(record.started_at, place.persona.zone)
        lines = [_line(entry, place, call) for entry in await tx.memories.journal_of_run(place.scope, record.run)]
        page = page_of(lines, int(call.options.get("page", 1)))
        shown = texts.dream_page(place.persona.name, record, moment, lines, page.lines, note=page.note)
        return Answer(shown, buttons=page.buttons("dream report "))

    async def _too_soon(self, place: Place) -> str:
        last, hours = await last_kept(self.store, str(place.scope)), place.persona.memory.dream_hours
        again = (last.started_at if last else self.clock.now()) + timedelta(hours=hours)
        return texts.too_soon(place.persona.name, f"{again.astimezone(place.persona.zone):%H:%M}", hours)


async def _last(tx: Transaction, scope: MemoryScope) -> JobRecord | None:
    """Return the last dream of a scope that was not skipped."""
    history = await tx.nights.history(job=DREAM, subject=str(scope), limit=LOOK_BACK)
    return next((record for record in history if record.state is not JobState.SKIPPED), None)


def _line(entry: JournalEntry, place: Place, call: CommandCall) -> str:
    """Return what a dream changed of one memory: with its text when it is the asker's own, else without."""
    memory = entry.before or entry.after
    own = memory is not None and is_own(memory, call)
    text = memory.text if memory is not None and own else ""
    return texts.change_line(entry.number, entry.reason, text, changes_of(entry, place.persona.memory, with_texts=own))


async def _suggest_dry(_call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(say("dry – only show what would happen"), _DRY)] if _DRY.startswith(typed.strip().casefold()) else []
