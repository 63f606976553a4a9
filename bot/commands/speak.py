"""`/speak`: admins see and set when the persona speaks in a place, and how its answers show."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.commands import speak_texts as texts
from bot.commands.seat import HERE, PLACES, seat_of, suggest_places
from bot.commands.seat_texts import no_category
from bot.domain.chat import ConversationKind
from bot.domain.command import Answer, Button, Choice, Command, CommandCall, Option, WhoMay
from bot.domain.persona import Personas
from bot.domain.placement import setting_at
from bot.domain.speaking import PREFIX, RULES, USUAL, SpeakMode, place_of_setting, speaking_at, with_value, written
from bot.memory.speaker import speaker
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.wording.say import translated

RESET = "reset"


def speak_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the commands by which admins see and set when the persona speaks."""
    desk = _SpeakDesk(store, personas, clock)
    where = Option("where", "here, channel, category or server; here when left out", required=False, suggest=suggest_places)
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
class _SpeakDesk:
    """The settings around the place where the asker is."""

    store: Store
    personas: Personas
    clock: Clock

    async def show(self, call: CommandCall) -> Answer:
        """Show what holds here and where it comes from, with a button for each mode."""
        async with self.store.read() as tx:
            seat = await seat_of(tx, call)
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
            seat = await seat_of(tx, call)
            place = seat.at(where)
            if place is None:
                return Answer(no_category())
            try:
                zone = (await speaker(tx, self.personas, call.conversation, at=self.clock.now())).time_zone
                value = "" if typed.casefold() == RESET else written(with_value(USUAL, name, typed, zone=zone), name)
            except ValueError:
                return Answer(texts.wrong_value(name, typed))
            await tx.settings.set(*seat.space, setting_at(f"{PREFIX}{name}", place), value)
            settings = await tx.settings.all(*seat.space)
        speaking, _ = speaking_at(settings, seat.places)
        holds, source = written(speaking, name), seat.named(place_of_setting(settings, name, seat.places))
        buttons = _mode_buttons(speaking.mode) if name == "mode" and call.kind is ConversationKind.GROUP else ()
        return Answer(texts.is_set(name, value, where, holds=holds, source=source), buttons=buttons)


def _parted(value: str, where: str) -> tuple[str, str]:
    """Return what was typed and the place: values of several words run over into the place when they are typed without quotes."""
    words = f"{value} {where}".split()
    if where and words and words[-1].casefold() in PLACES:
        return " ".join(words[:-1]), words[-1].casefold()
    return " ".join(words), HERE


def _mode_buttons(chosen: SpeakMode) -> tuple[Button, ...]:
    return tuple(Button(translated(texts.MODES[mode]), f"speak mode {mode} {HERE}", chosen=mode is chosen) for mode in SpeakMode)


async def _suggest_values(name: str, _call: CommandCall, typed: str) -> Sequence[Choice]:
    known = {"mode": tuple(SpeakMode), "quiet_for": ("unaddressed", "all"), "quiet": ("off",), "words": ("off",)}
    values = known.get(name, ("on", "off") if isinstance(getattr(USUAL, name), bool) else ())
    fit = [value for value in (*values, RESET) if value.startswith(typed.strip().casefold())]
    return [Choice(texts.value_choice(value) if name == "mode" else value, value) for value in fit]
