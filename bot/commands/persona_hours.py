"""`/persona schedule`: another persona speaks here at certain hours."""

from dataclasses import dataclass

from bot.commands import persona_hours_texts as texts
from bot.commands.locality import suggest_zones
from bot.commands.persona_cast import Cast, Refused, refusing
from bot.domain.casting import HOURS, MOST_SHIFTS, Shift, shifts_in, shifts_text
from bot.domain.command import Answer, Command, CommandCall, Option, WhoMay
from bot.domain.night import find_zone, read_time
from bot.domain.persona import Persona
from bot.domain.placement import places_around, setting_at
from bot.domain.speaking import QuietHours

_OFF = "off"


def hours_commands(cast: Cast) -> tuple[Command, ...]:
    """Return the command by which admins give personas hours in a place."""
    options = (
        Option("persona", "The persona's name; all hours are shown when left out", required=False, suggest=cast.suggest),
        Option("begin", "When it begins, such as 22:00, or off to take its hours away", required=False),
        Option("end", "When it ends, such as 06:00", required=False),
        Option("zone", "The time zone; the persona's own when left out", required=False, suggest=suggest_zones),
    )
    run = refusing(_Hours(cast).schedule)
    return (
        Command(("persona", "schedule"), "Let another persona speak here at certain hours", run, options, who=WhoMay.ADMINS, private=True),
    )


@dataclass(frozen=True, slots=True)
class _Hours:
    """The shifts of the channel or thread where somebody asks."""

    cast: Cast

    async def schedule(self, call: CommandCall) -> Answer:
        """Show the shifts here, add one, or take those of a persona away."""
        place, setting = call.conversation, setting_at(HOURS, places_around(call.conversation)[0])
        async with self.cast.store.write() as tx:
            shifts = shifts_in((await tx.settings.held(place.platform, place.space_id)).get(setting, ""))
            if "persona" in call.options:
                persona = await self.cast.named(tx, call)
                shifts = _changed(shifts, persona, call)
                await tx.settings.set(place.platform, place.space_id, setting, shifts_text(shifts))
        return Answer(texts.shift_page(shifts))


def _changed(shifts: list[Shift], persona: Persona, call: CommandCall) -> list[Shift]:
    start, end, zone = (str(call.options.get(name, "")).strip() for name in ("begin", "end", "zone"))
    if start.casefold() == _OFF:
        return [shift for shift in shifts if shift.persona_id != persona.id]
    begin, until, clock = read_time(start), read_time(end), find_zone(zone or persona.time_zone)
    if begin is None or until is None or clock is None or begin == until:
        raise Refused(texts.no_hours())
    if len(shifts) >= MOST_SHIFTS:
        raise Refused(texts.too_many_shifts(MOST_SHIFTS))
    return [*shifts, Shift(QuietHours(begin, until, clock), persona.id)]
