"""`/speak`: admins see and set when the persona speaks in a place, and how its answers show."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.commands import speak_texts as texts
from bot.domain.chat import ConversationKind, audience_of, space_of
from bot.domain.command import Answer, Button, Choice, Command, CommandCall, Option, WhoMay
from bot.domain.persona import Personas
from bot.domain.placement import WHOLE_SPACE, places_around, setting_at
from bot.domain.speaking import PREFIX, RULES, USUAL, SpeakMode, place_of_setting, speaking_at, with_value, written
from bot.memory.speaker import speaker
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction
from bot.wording.say import translated

RESET = "reset"
HERE, CHANNEL, CATEGORY, SERVER = "here", "channel", "category", "server"
PLACES = (HERE, CHANNEL, CATEGORY, SERVER)


def speak_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the commands by which admins see and set when the persona speaks."""
    desk = _SpeakDesk(store, personas, clock)
    where = Option("where", "here, channel, category or server; here when left out", required=False, suggest=_suggest_places)
    return (
        Command(("speak", "show"), "See when and how I speak here, and why", desk.show, who=WhoMay.ADMINS, private=True, alone=True),
        *(
            Command(
                ("speak", name),
                texts.SUMMARIES[name],
                partial(desk.set, name),
                (Option("value", "Its new value, or reset", required=False, suggest=partial(_suggest_values, name)), where),
                who=WhoMay.ADMINS,
                private=True,
            )
            for name in RULES
        ),
    )


@dataclass(frozen=True, slots=True)
class _Seat:
    """Where somebody sets something: the space's settings, and the places around, the narrowest first."""

    space: tuple[str, str]
    places: tuple[str, ...]
    category: str
    zone: str
    """The persona's time zone."""

    def at(self, where: str) -> str | None:
        """Return the place that a word stands for; None where there is no such place."""
        match where:
            case "here":
                return self.places[0]
            case "channel":
                return self.places[0].partition("/")[0]
            case "category":
                return self.category or None
            case _:
                return WHOLE_SPACE

    def named(self, place: str | None) -> str:
        """Return the word for a place that a value comes from; empty for a value that nobody has set."""
        if place is None:
            return ""
        words = {WHOLE_SPACE: SERVER, self.category or WHOLE_SPACE: CATEGORY if self.category else SERVER}
        return words.get(place, HERE if place == self.places[0] else CHANNEL)


@dataclass(frozen=True, slots=True)
class _SpeakDesk:
    """The settings around the place where the asker is."""

    store: Store
    personas: Personas
    clock: Clock

    async def show(self, call: CommandCall) -> Answer:
        """Show what holds here and where it comes from, with a button for each mode."""
        async with self.store.read() as tx:
            seat = await self._seat(tx, call)
            settings = await tx.settings.all(*seat.space)
        speaking, broken = speaking_at(settings, seat.places)
        sources = {name: seat.named(place_of_setting(settings, name, seat.places)) for name in RULES}
        rows = [texts.row(name, written(speaking, name), sources[name], is_broken=name in broken) for name in RULES]
        is_group = call.kind is ConversationKind.GROUP
        return Answer(texts.page(rows, is_group=is_group), buttons=_mode_buttons(speaking.mode) if is_group else ())

    async def set(self, name: str, call: CommandCall) -> Answer:
        """Set one value for a place, or take it back; without a value, show what holds."""
        typed, where = _parted(str(call.options.get("value", "")), str(call.options.get("where", "")))
        if not typed:
            return await self.show(call)
        async with self.store.write() as tx:
            seat = await self._seat(tx, call)
            place = seat.at(where)
            if place is None:
                return Answer(texts.no_category())
            try:
                value = "" if typed.casefold() == RESET else written(with_value(USUAL, name, typed, zone=seat.zone), name)
            except ValueError:
                return Answer(texts.wrong_value(name, typed))
            await tx.settings.set(*seat.space, setting_at(f"{PREFIX}{name}", place), value)
            settings = await tx.settings.all(*seat.space)
        speaking, _ = speaking_at(settings, seat.places)
        holds, source = written(speaking, name), seat.named(place_of_setting(settings, name, seat.places))
        buttons = _mode_buttons(speaking.mode) if name == "mode" and call.kind is ConversationKind.GROUP else ()
        return Answer(texts.is_set(name, value, where, holds=holds, source=source), buttons=buttons)

    async def _seat(self, tx: Transaction, call: CommandCall) -> _Seat:
        place = call.conversation
        persona = await speaker(tx, self.personas, place, at=self.clock.now())
        space = space_of(audience_of(place, call.kind, call.asker.id))
        if call.kind is ConversationKind.DIRECT:
            return _Seat(space, (WHOLE_SPACE,), "", persona.time_zone)
        category = call.category_id or await tx.places.category(place)
        return _Seat(space, places_around(place, category), category, persona.time_zone)


def _parted(value: str, where: str) -> tuple[str, str]:
    """Return what was typed and the place: values of several words run over into the place when they are typed without quotes."""
    words = f"{value} {where}".split()
    if where and words and words[-1].casefold() in PLACES:
        return " ".join(words[:-1]), words[-1].casefold()
    return " ".join(words), HERE


def _mode_buttons(chosen: SpeakMode) -> tuple[Button, ...]:
    return tuple(Button(translated(texts.MODES[mode]), f"speak mode {mode} {HERE}", chosen=mode is chosen) for mode in SpeakMode)


async def _suggest_places(_call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(texts.place_choice(place), place) for place in PLACES if place.startswith(typed.strip().casefold())]


async def _suggest_values(name: str, _call: CommandCall, typed: str) -> Sequence[Choice]:
    known = {"mode": tuple(SpeakMode), "quiet_for": ("unaddressed", "all")}
    values = known.get(name, ("on", "off") if isinstance(getattr(USUAL, name), bool) else ())
    return [Choice(value, value) for value in (*values, RESET) if value.startswith(typed.strip().casefold())]
