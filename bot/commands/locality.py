"""`/language` and `/timezone`: admins see and set the language of notices and the time zone of a place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from zoneinfo import available_timezones

from bot.commands import locality_texts as texts
from bot.commands.dream_texts import no_zone
from bot.commands.seat import PLACES, SERVER, seat_of, suggest_places
from bot.commands.seat_texts import no_category
from bot.domain.command import Answer, Button, Choice, Command, CommandCall, Option, WhoMay
from bot.domain.locality import LANGUAGE, TIME_ZONE, read_language, read_zone
from bot.domain.nearest import nearest
from bot.domain.persona import Personas
from bot.domain.placement import place_set, setting_at
from bot.memory.speaker import speaker
from bot.ports.clock import Clock
from bot.ports.store import Store

RESET = "reset"
NAMES = {LANGUAGE: "language", TIME_ZONE: "timezone"}
"""The commands of the settings."""


def locality_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the commands by which admins say where a place is at home."""
    desk = _Localities(store, personas, clock)
    where = Option("where", "here, channel, category or server; server when left out", required=False, suggest=suggest_places)
    tongue = Option("value", "A language such as de or pt-BR, or reset for the persona's own", required=False, suggest=_suggest_languages)
    zone = Option("value", "A time zone such as Europe/Berlin, or reset for the persona's own", required=False, suggest=suggest_zones)
    offered = {
        LANGUAGE: ("See and set the language of my own notices here", tongue),
        TIME_ZONE: ("See and set the time zone that holds here", zone),
    }
    return tuple(
        Command((NAMES[name],), summary, partial(desk.run, name), (value, where), who=WhoMay.ADMINS, private=True)
        for name, (summary, value) in offered.items()
    )


@dataclass(frozen=True, slots=True)
class _Localities:
    """Where places are at home."""

    store: Store
    personas: Personas
    clock: Clock

    async def run(self, name: str, call: CommandCall) -> Answer:
        """Show what holds here and where it comes from, or set it for a place."""
        typed, where = str(call.options.get("value", "")).strip(), str(call.options.get("where", SERVER)).casefold()
        if where not in PLACES:
            return Answer(texts.unknown_place(where))
        value = "" if typed.casefold() == RESET else _READERS[name](typed)
        if typed and value is None:
            return Answer(no_zone(typed, nearest(typed, available_timezones())) if name == TIME_ZONE else texts.no_language(typed))
        async with self.store.write() if typed else self.store.read() as tx:
            seat = await seat_of(tx, call)
            place = seat.at(where)
            if place is None:
                return Answer(no_category())
            # A direct chat is a space for who speaks there, and its person one for what is done by night.
            for space in dict.fromkeys([call.conversation.space, seat.space]) if typed else ():
                await tx.settings.set(*space, setting_at(name, place), value or "")
            persona = await speaker(tx, self.personas, call.conversation, at=self.clock.now())
            source = seat.named(place_set(await tx.settings.all(*call.conversation.space), name, seat.places))
        holds = persona.language if name == LANGUAGE else persona.time_zone
        return Answer(texts.page(name, holds, source), buttons=_buttons(holds) if name == LANGUAGE else ())


_READERS: Mapping[str, Callable[[str], str | None]] = {LANGUAGE: read_language, TIME_ZONE: read_zone}


def _buttons(holds: str) -> tuple[Button, ...]:
    return tuple(Button(name, f"language {tag} {SERVER}", chosen=tag == holds) for tag, name in texts.TONGUES.items())


async def _suggest_languages(_call: CommandCall, typed: str) -> Sequence[Choice]:
    part = typed.strip().casefold()
    known = [Choice(f"{tag} – {name}", tag) for tag, name in texts.TONGUES.items() if part in f"{tag} {name}".casefold()]
    return [*known, *([Choice(RESET, RESET)] if part in RESET else [])]


async def suggest_zones(_call: CommandCall, typed: str) -> Sequence[Choice]:
    """Return the time zones whose names hold what is typed."""
    part = typed.strip().casefold().replace(" ", "_")
    return [Choice(zone, zone) for zone in sorted(available_timezones()) if part in zone.casefold()]
