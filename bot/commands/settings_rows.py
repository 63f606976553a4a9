"""All that is set where somebody is, a row each: its value, where that comes from, and the command that changes it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.commands import settings_texts as texts
from bot.commands.model import ModelShelf
from bot.commands.ownership import place_of
from bot.commands.persona_cast import Cast
from bot.commands.persona_nickname import NICKNAME
from bot.commands.seat import CHANNEL, HERE, SERVER, Seat, seat_of
from bot.commands.seat_texts import origin_of
from bot.commands.speak_texts import MEANINGS as SPEAK_MEANINGS
from bot.domain.access import Way, rules_in
from bot.domain.casting import GUESTS, HOURS, guests_around, on_duty
from bot.domain.chat import ConversationKind
from bot.domain.command import CommandCall
from bot.domain.limits import PREFIX as LIMIT
from bot.domain.limits import set_here
from bot.domain.locality import LANGUAGE, TIME_ZONE
from bot.domain.night import TIME_SETTING, ZONE_SETTING, schedule_of
from bot.domain.pending import MOST_PENDING
from bot.domain.persona import Persona
from bot.domain.placement import binding_target, place_set, places_around, set_around
from bot.domain.privacy import RETENTION_SETTING, Keeping, days_kept
from bot.domain.speaking import RULES, USUAL, place_of_setting, speaking_at, written
from bot.memory.elsewhere import SETTING as SHARING
from bot.memory.elsewhere import WHOLE_SPACE
from bot.memory.policy import values_in
from bot.memory.speaker import persona_of
from bot.ports.store import Transaction

ALWAYS_SHOWN = frozenset({"mode", "words", "quiet", "unprompted"})
"""Of when the persona speaks; all else is shown where it is set."""


@dataclass(frozen=True, slots=True)
class Row:
    """One setting."""

    command: str
    """What changes it, without the slash."""
    value: str
    meaning: str
    origin: str = ""

    def __str__(self) -> str:
        """Return it as a line of a page."""
        return texts.row(self.command, self.value, self.meaning, self.origin)


@dataclass(frozen=True, slots=True)
class Survey:
    """Reads what is set."""

    cast: Cast
    shelf: ModelShelf
    keeping: Keeping

    async def rows(self, tx: Transaction, call: CommandCall) -> Sequence[Row]:
        """Return all that is set where somebody is; in a direct chat what is their own."""
        seat, place = await seat_of(tx, call), call.conversation
        there = await tx.settings.all(place.platform, place.space_id)
        own = await tx.settings.all(*seat.space)
        is_group = call.kind is ConversationKind.GROUP
        speaks = list(_speaking(own, seat)) if is_group else []
        shared = SERVER if own.get(SHARING) == WHOLE_SPACE else CHANNEL
        return [
            *await self._on_persona(tx, call, there, seat),
            *speaks,
            *await self._on_memory(tx, call, own),
            *([_row("memory scope", shared, _set(SHARING in own)), _access(own)] if is_group else []),
            _limits(own),
            *await self._on_privacy(tx, call, own),
            *await self._on_locality(tx, call, there, seat),
        ]

    async def _on_persona(self, tx: Transaction, call: CommandCall, there: Mapping[str, str], seat: Seat) -> Sequence[Row]:
        places = places_around(call.conversation, seat.category)
        persona = await self.cast.speaking(tx, call)
        own = await self.cast.own(tx, call, persona.id)
        shifts, at = set_around(there, HOURS, places), place_set(there, HOURS, places)
        return [
            _row("persona use", persona.name, await self._origin_of_persona(tx, call, there, seat)),
            *_company(call, seat, there, places),
            _row("persona schedule", shifts or texts.switch(on=False), _named(seat, call, at) if shifts else texts.usual()),
            _row("model use", self.shelf.of(persona)[0].name, self._origin_of_model(persona, own)),
        ]

    async def _origin_of_persona(self, tx: Transaction, call: CommandCall, there: Mapping[str, str], seat: Seat) -> str:
        """Say what lets the persona speak: the hours or the choice of the narrowest place that has some."""
        for place in places_around(call.conversation, seat.category):
            if on_duty(set_around(there, HOURS, [place]), self.cast.clock.now()):
                return texts.by_the_clock()
            if await tx.bindings.find([binding_target(call.conversation, place)]):
                return _named(seat, call, place)
        return texts.usual()

    def _origin_of_model(self, persona: Persona, own: Persona | None) -> str:
        if not persona.model.name:
            return texts.usual()
        installed = self.cast.personas.by_id.get(persona.id)
        is_changed = own is not None and (installed is None or installed.model.name != own.model.name)
        return origin_of(SERVER) if is_changed else texts.of_persona()

    async def _on_memory(self, tx: Transaction, call: CommandCall, own: Mapping[str, str]) -> Sequence[Row]:
        place = await place_of(tx, self.cast.personas, call, self.cast.clock.now())
        memory, scope = place.persona.memory, place.scope
        waiting = await tx.pending.page(scope, limit=MOST_PENDING)
        by_night = await persona_of(tx, self.cast.personas, scope.audience, place.persona.id)
        schedule = str(schedule_of(own, zone=by_night.time_zone)) if memory.dream else texts.switch(on=False)
        values, _ = values_in(own)
        kept = f"{texts.switch(on=memory.enabled)}, {memory.preset}"
        return [
            _row("memory policy", kept, texts.set_here(len(values))),
            _row("memory pending", str(len(waiting))),
            _row("dream schedule", schedule, _set(TIME_SETTING in own or ZONE_SETTING in own)),
        ]

    async def _on_privacy(self, tx: Transaction, call: CommandCall, own: Mapping[str, str]) -> Sequence[Row]:
        days = days_kept(self.keeping, own.get(RETENTION_SETTING, ""))
        rows = [_row("privacy retention", str(days) if days else texts.for_ever(), _set(RETENTION_SETTING in own))]
        if call.kind is ConversationKind.DIRECT:
            is_out = bool(await tx.people.out(call.conversation.platform, [call.asker.id]))
            rows.append(_row("privacy optin" if is_out else "privacy optout", texts.switch(on=not is_out)))
        return rows

    async def _on_locality(self, tx: Transaction, call: CommandCall, there: Mapping[str, str], seat: Seat) -> Sequence[Row]:
        persona = await self.cast.speaking(tx, call)
        values = {LANGUAGE: ("language", persona.language), TIME_ZONE: ("timezone", persona.time_zone)}
        origins = {name: seat.named(place_set(there, name, seat.places)) for name in values}
        return [
            _row(command, value, origin_of(origins[name]) if origins[name] else texts.of_persona())
            for name, (command, value) in values.items()
        ]


def _speaking(own: Mapping[str, str], seat: Seat) -> Iterator[Row]:
    speaking, _ = speaking_at(own, seat.places)
    for name in RULES:
        place = place_of_setting(own, name, seat.places)
        if name in ALWAYS_SHOWN or place is not None or getattr(speaking, name) != getattr(USUAL, name):
            yield Row(f"speak {name}", written(speaking, name), SPEAK_MEANINGS[name], origin_of(seat.named(place)))


def _access(own: Mapping[str, str]) -> Row:
    rules = rules_in(own)
    allows = sum(rule.way is Way.ALLOW for rule in rules)
    return _row("access show", texts.allowed(allows, len(rules) - allows), texts.set_here(len(rules)))


def _limits(own: Mapping[str, str]) -> Row:
    tighter = sorted(set_here(own))
    value = ", ".join(f"{name} {own[f'{LIMIT}{name}']}" for name in tighter)
    return _row("limits set", value, texts.set_here(len(tighter)))


def _company(call: CommandCall, seat: Seat, there: Mapping[str, str], places: Sequence[str]) -> Iterator[Row]:
    """Yield what is set of guests, and of the bot's name."""
    if guests := guests_around(there, places):
        yield _row("persona invite", ", ".join(guests), _named(seat, call, place_set(there, GUESTS, places)))
    if there.get(NICKNAME):
        yield _row("persona nickname", texts.switch(on=True), origin_of(SERVER))


def _named(seat: Seat, call: CommandCall, place: str | None) -> str:
    """Say where something comes from; a direct chat is one place."""
    return origin_of(HERE if call.kind is ConversationKind.DIRECT and place is not None else seat.named(place))


def _row(command: str, value: str, origin: str = "") -> Row:
    return Row(command, value, texts.MEANINGS[command], origin)


def _set(is_set: bool) -> str:
    return origin_of(SERVER) if is_set else texts.usual()
