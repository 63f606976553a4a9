"""Bringing settings and choices of personas back in, where nobody has set anything since."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from bot.domain.access import rules_in
from bot.domain.chat import Audience, BindingTarget, space_of
from bot.domain.limits import LIMITS
from bot.domain.limits import PREFIX as LIMIT
from bot.domain.locality import LANGUAGE, TIME_ZONE, read_language
from bot.domain.night import TIME_SETTING, ZONE_SETTING, find_zone, read_time
from bot.domain.privacy import LONGEST_RETENTION, RETENTION_SETTING
from bot.memory.export.outcome import Outcome
from bot.memory.policy import PREFIX, values_in
from bot.ports.store import Transaction

_LONGEST_NUMBER = 12
_READERS: Mapping[str, Callable[[str], object]] = MappingProxyType(
    {TIME_SETTING: read_time, ZONE_SETTING: find_zone, LANGUAGE: read_language, TIME_ZONE: find_zone}
)
"""What makes sense of a value, or None of what is none."""


async def bring_settings(tx: Transaction, audience: Audience, settings: Sequence[tuple[str, str]], *, writes: bool) -> Sequence[Outcome]:
    """Return what becomes of settings. They come in together, into a space that has none; what opens rooms to others never does."""
    there = space_of(audience)
    here = await tx.settings.all(*there)
    outcomes = list(_outcomes(settings, here))
    for (name, value), outcome in zip(settings, outcomes, strict=True):
        if writes and outcome is Outcome.ADDED:
            await tx.settings.set(*there, name, value)
    return outcomes


async def bring_binding(tx: Transaction, target: BindingTarget, persona_id: str, personas: Collection[str], *, writes: bool) -> Outcome:
    """Return what becomes of the choice of a persona for a place."""
    chosen = await tx.bindings.find([target])
    if chosen is not None:
        return Outcome.KNOWN if chosen == persona_id else Outcome.OTHERWISE
    if persona_id not in personas:
        return Outcome.NO_PERSONA
    if writes:
        await tx.bindings.bind(target, persona_id)
    return Outcome.ADDED


def _outcomes(settings: Sequence[tuple[str, str]], known: Mapping[str, str]) -> Iterator[Outcome]:
    for name, value in settings:
        if known.get(name) == value:
            yield Outcome.KNOWN
        elif known:
            yield Outcome.OTHERWISE
        else:
            yield Outcome.ADDED if _may_be_set(name, value) else Outcome.UNKNOWN


def _may_be_set(name: str, value: str) -> bool:
    if name.startswith(PREFIX):
        return not values_in({name: value})[1]
    if name.startswith(LIMIT):
        return name.removeprefix(LIMIT) in LIMITS and value.isdecimal() and len(value) <= _LONGEST_NUMBER
    if name == RETENTION_SETTING:
        return value.isdecimal() and len(value) <= _LONGEST_NUMBER and 0 < int(value) <= LONGEST_RETENTION
    if (fits := _READERS.get(name)) is not None:
        return fits(value) is not None
    return bool(rules_in({name: value}))
