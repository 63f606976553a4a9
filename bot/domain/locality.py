"""The language and the time zone of a place, where admins have set others than the persona's own."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from zoneinfo import available_timezones

from bot.domain.night import SPACE_ZONE, find_zone
from bot.domain.persona import Persona
from bot.domain.placement import set_around

LANGUAGE, TIME_ZONE = "language", SPACE_ZONE
"""The settings, which stand for places as those of speaking do."""
_TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}", re.IGNORECASE)


def has_locality(settings: Mapping[str, str]) -> bool:
    """Say whether anything of the kind is set in a space."""
    return any(name.partition("@")[0] in {LANGUAGE, TIME_ZONE} for name in settings)


def at_home(persona: Persona, settings: Mapping[str, str], places: Sequence[str]) -> Persona:
    """Return a persona with the language and the time zone of where it speaks. What cannot be understood is left out."""
    language, zone = (set_around(settings, name, places) for name in (LANGUAGE, TIME_ZONE))
    known = find_zone(zone) if zone else None
    return replace(persona, language=language or persona.language, time_zone=known.key if known else persona.time_zone)


def read_language(typed: str) -> str | None:
    """Return a language tag as it was typed, such as `de` or `pt-BR`; None for what is none."""
    return typed if _TAG.fullmatch(typed) else None


def read_zone(typed: str) -> str | None:
    """Return the name of a time zone, whatever the case it was typed in; None for what is none."""
    wanted = typed.replace(" ", "_").casefold()
    return next((zone for zone in available_timezones() if zone.casefold() == wanted), None)
