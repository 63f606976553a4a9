"""`/dream schedule`, `off`, `on` and `diary`: admins choose when a persona dreams and where it tells of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo, available_timezones

from bot.commands import dream_texts as texts
from bot.commands.locality import suggest_zones
from bot.commands.ownership import Place, place_of
from bot.domain.chat import space_of
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, RunCommand, WhoMay
from bot.domain.job import NIGHT
from bot.domain.nearest import nearest
from bot.domain.night import TIME_SETTING, ZONE_SETTING, NightSchedule, diary_setting, find_zone, next_night, read_time, schedule_of
from bot.domain.persona import Personas
from bot.memory.policy import PREFIX
from bot.memory.speaker import persona_of
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction

RESET = "reset"
SWITCH = f"{PREFIX}dream"
_HERE, _OFF = "here", "off"


def schedule_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the commands by which admins choose when a persona dreams, and where it tells of it."""
    desk = _Schedules(store, personas, clock)
    at = Option("time", "The time of day, such as 3:00, or reset; the present one is shown when left out", required=False)
    zone = Option("zone", "The time zone, such as Europe/Berlin", required=False, suggest=suggest_zones)
    where = Option("where", "here, to post my dream diary in this channel after each dream about it, or off", suggest=_suggest_places)
    return (
        _command("schedule", "See and set when I dream in this server", desk.schedule, at, zone),
        _command("off", "Let me dream no more in this server", partial(desk.switch, on=False)),
        _command("on", "Let me dream in this server again", partial(desk.switch, on=True)),
        _command("diary", "Have my dream diary posted in this channel, or no longer", desk.diary, where),
    )


def _command(word: str, summary: str, run: RunCommand, *options: Option) -> Command:
    return Command(("dream", word), summary, run, options, who=WhoMay.ADMINS, private=True)


@dataclass(frozen=True, slots=True)
class _Schedules:
    """When personas dream where the asker is."""

    store: Store
    personas: Personas
    clock: Clock

    async def schedule(self, call: CommandCall) -> Answer:
        """Show when dreams come, or set it for the whole server."""
        at, zone = (str(call.options.get(option, "")).strip() for option in ("time", "zone"))
        if not zone and read_time(at) is None and find_zone(at):
            at, zone = "", at
        try:
            changes = _reset() if at.casefold() == RESET else {**_time(at), **_zone(zone)}
        except ValueError as problem:
            return Answer(str(problem))
        async with self.store.write() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            for name, value in changes.items():
                await tx.settings.set(*space_of(place.scope.audience), name, value)
            schedule, coming = await self._schedule(tx, place)
        if not place.persona.memory.dream:
            return Answer(texts.off_at_present(schedule))
        return Answer(texts.schedule_page(schedule, coming, is_new=bool(changes)))

    async def switch(self, call: CommandCall, *, on: bool) -> Answer:
        """Switch dreams on or off for the whole server."""
        async with self.store.write() as tx:
            before = await place_of(tx, self.personas, call, self.clock.now())
            if before.persona.memory.dream is on:
                return Answer(texts.switched_already(on=on))
            await tx.settings.set(*space_of(before.scope.audience), SWITCH, str(on).lower())
            schedule, coming = await self._schedule(tx, before)
        return Answer(texts.switched_on(schedule, coming) if on else texts.switched_off())

    async def diary(self, call: CommandCall) -> Answer:
        """Choose whether the diary of dreams about this conversation is posted in it."""
        where = str(call.options["where"]).strip().casefold()
        if where not in (_HERE, _OFF):
            return Answer(texts.unknown_diary_place(where))
        async with self.store.write() as tx:
            audience = (await place_of(tx, self.personas, call, self.clock.now())).scope.audience
            value = str(call.conversation) if where == _HERE else ""
            await tx.settings.set(*space_of(audience), diary_setting(audience), value)
        return Answer(texts.diary_is_on() if where == _HERE else texts.diary_is_off())

    async def _schedule(self, tx: Transaction, place: Place) -> tuple[NightSchedule, datetime]:
        """Return the schedule that holds, and the local time of the next dream."""
        settings = await tx.settings.all(*space_of(place.scope.audience))
        by_night = await persona_of(tx, self.personas, place.scope.audience, place.persona.id)
        schedule = schedule_of(settings, zone=by_night.time_zone)
        coming = next_night(self.clock.now(), schedule, await tx.nights.last_day(NIGHT, str(place.scope)))
        return schedule, coming.astimezone(schedule.zone)


def _reset() -> dict[str, str]:
    return {TIME_SETTING: "", ZONE_SETTING: ""}


def _time(typed: str) -> dict[str, str]:
    """Return the setting for a time. Raises ValueError for what is none."""
    at = read_time(typed)
    if typed and at is None:
        raise ValueError(texts.no_time(typed))
    return {} if at is None else {TIME_SETTING: f"{at:%H:%M}"}


def _zone(typed: str) -> dict[str, str]:
    """Return the setting for a zone. Raises ValueError, with the nearest one, for what is none."""
    if not typed:
        return {}
    known = {zone.casefold(): zone for zone in available_timezones()}
    if typed.casefold() not in known:
        raise ValueError(texts.no_zone(typed, nearest(typed, known.values())))
    return {ZONE_SETTING: ZoneInfo(known[typed.casefold()]).key}


async def _suggest_places(_call: CommandCall, typed: str) -> Sequence[Choice]:
    places = [Choice("here – in this channel, after each dream about it", _HERE), Choice("off – nowhere", _OFF)]
    return [place for place in places if place.value.startswith(typed.strip().casefold())]
