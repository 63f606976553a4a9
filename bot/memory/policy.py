"""How a persona remembers in one space: its preset, its own front matter, and what the admins there have set, in that order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

import structlog

from bot.domain.chat import Audience, space_of
from bot.domain.persona import PRESETS, MemoryMode, MemoryPolicy, Persona, Timestamps
from bot.ports.store import Transaction
from bot.wording.lists import listed
from bot.wording.say import say

PREFIX = "memory."
"""How the names of these settings begin."""
PRESET = "preset"
SWITCHES = ("enabled", "mode", "pull", "dream", "past", "timestamps")
"""What a server's preset leaves as the persona has it: a preset is about numbers."""

PolicyValue: TypeAlias = bool | int | float | str
_YES, _NO = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})

log = structlog.get_logger(__name__)


class Source(StrEnum):
    """Who has set a value."""

    PRESET = "preset"
    PERSONA = "persona"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Rule:
    """What one value of a policy may be. The bounds count for numbers only."""

    meaning: str
    kind: type[bool] | type[int] | type[float] | type[str]
    least: float = 0
    most: float = 1
    words: tuple[str, ...] = ()
    """What a text may be."""

    @property
    def allowed(self) -> str:
        """Return what may be written, to end a sentence."""
        if self.kind is bool:
            return say("true or false")
        if self.words:
            return say("one of {words}", words=listed(self.words))
        bounds = {"least": f"{self.least:g}", "most": f"{self.most:.10g}"}
        return (
            say("a whole number from {least} to {most}", **bounds) if self.kind is int else say("a number from {least} to {most}", **bounds)
        )


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        PRESET: Rule("where all values come from that nobody has set", str, words=tuple(PRESETS)),
        "enabled": Rule("whether the persona remembers at all", bool),
        "mode": Rule("how the model edits memory", str, words=tuple(MemoryMode)),
        "working_tokens": Rule("tokens of the prompt that working memories may fill", int, most=100_000),
        "handle_tokens": Rule("tokens of the prompt that the handles of deep memories may fill", int, most=100_000),
        "max_working": Rule("working memories; with more, the weakest become deep", int, least=1, most=1000),
        "max_handles": Rule("deep memories that are shown one a line; with more, they are shown as groups", int, most=1000),
        "new_importance": Rule("importance of a new memory", float),
        "tag_boost": Rule("importance that a memory gains when it is used", float),
        "update_boost": Rule("importance that a memory gains when its text is changed", float),
        "load_margin": Rule("how far above demote_below a memory is put that comes back", float),
        "decay_per_day": Rule("importance that a memory loses in a day", float),
        "demote_below": Rule("importance below which a working memory becomes deep", float),
        "archive_below": Rule("importance below which a deep memory is archived", float),
        "forget_below": Rule("importance below which a dream forgets an archived memory", float),
        "reinforce": Rule("how much a dream strengthens what was used", float),
        "pull": Rule("whether deep memories come back when a message shares their words", bool),
        "max_pulled": Rule("deep memories that one message may bring back", int, most=20),
        "dream": Rule("whether the persona dreams", bool),
        "history_messages": Rule("messages of the history in a prompt", int, least=1, most=1000),
        "history_tokens": Rule("tokens that the history may fill; 0 for what the window leaves", int, most=1_000_000),
        "history_hours": Rule("hours of silence after which the history begins anew; 0 for never", float, most=8760),
        "timestamps": Rule("whether the model sees when a message was sent", str, words=tuple(Timestamps)),
        "past": Rule("whether what was said before the history is summarised and comes back", bool),
        "chunk_messages": Rule("messages that make a chunk with a summary", int, least=1, most=1000),
        "chunk_tokens": Rule("tokens that make a chunk with a summary", int, least=100, most=100_000),
        "chunk_lookback": Rule("last messages that no chunk takes in yet", int, most=1000),
        "summary_after": Rule("new chunk summaries from which on the rolling summary is written anew", int, least=1, most=1000),
        "summary_batch": Rule("chunk summaries that the rolling summary takes in at once", int, least=1, most=100),
        "condense": Rule("oldest chunk summaries that are made one; 0 for never", int, most=1000),
        "condense_buffer": Rule("chunk summaries that stay as they are", int, most=10_000),
        "past_tokens": Rule("tokens of the prompt that what comes back of the past may fill", int, most=100_000),
        "max_excerpts": Rule("places of the past that come back for a message", int, most=50),
        "entity_tokens": Rule("tokens of the prompt that what is known of names may fill", int, most=100_000),
        "memories_a_day": Rule("memories that one person may tell in a day; 0 for as many as they like", int, most=10_000),
        "dream_hours": Rule("hours between two dreams, at least", float, most=168),
    }
)
"""A rule for each field of MemoryPolicy; a test holds the two equal."""
_RISING = ("forget_below", "archive_below", "demote_below")


def policy_of(persona: Persona, settings: Mapping[str, str]) -> MemoryPolicy:
    """Return the policy of a persona where the admins have set `settings`. What is unknown or broken there is left out and logged."""
    values, broken = values_in(settings)
    if broken:
        log.warning("settings_ignored", persona=persona.id, names=sorted(broken))
    return with_values(persona.memory, values)


def values_in(settings: Mapping[str, str]) -> tuple[Mapping[str, PolicyValue], Sequence[str]]:
    """Return the values that are set, by name, and the names of settings that cannot be understood."""
    values: dict[str, PolicyValue] = {}
    broken: list[str] = []
    for setting, text in settings.items():
        if setting.startswith(PREFIX):
            name = setting.removeprefix(PREFIX)
            try:
                values[name] = parsed(name, text)
            except ValueError:
                broken.append(setting)
    return values, broken


async def policy_for(tx: Transaction, persona: Persona, audience: Audience) -> MemoryPolicy:
    """Return the policy of a persona towards an audience."""
    return policy_of(persona, await tx.settings.all(*space_of(audience)))


def with_values(policy: MemoryPolicy, values: Mapping[str, PolicyValue]) -> MemoryPolicy:
    """Return the policy with other values. A preset takes the place of all numbers; single values go over it."""
    if PRESET in values:
        policy = replace(PRESETS[str(values[PRESET])], **{name: getattr(policy, name) for name in SWITCHES})
    typed = {field.name: values.get(field.name, getattr(policy, field.name)) for field in fields(MemoryPolicy)}
    return MemoryPolicy(**{**typed, "mode": MemoryMode(typed["mode"]), "timestamps": Timestamps(typed["timestamps"])})


def parsed(name: str, text: str) -> PolicyValue:
    """Return a value that was typed. Raises ValueError, with what is allowed, for an unknown name or a value that does not fit."""
    if name not in RULES:
        raise ValueError(f"There is no {name!r} in a memory policy.")
    try:
        value = _as(RULES[name].kind, text.strip().casefold())
    except ValueError:
        value = ""
    if not fits(name, value):
        raise ValueError(say("{name} is {allowed}, not {typed}.", name=name, allowed=RULES[name].allowed, typed=repr(text.strip())))
    return value


def fits(name: str, value: PolicyValue) -> bool:
    """Say whether a policy may have a value under that name."""
    rule = RULES[name]
    match value:
        case bool():
            return rule.kind is bool
        case str():
            return value in rule.words
        case _:
            return rule.least <= value <= rule.most


def disorder(policy: MemoryPolicy) -> str:
    """Return what is wrong with how the thresholds of a policy stand to one another; empty when nothing is."""
    thresholds = [(name, getattr(policy, name)) for name in _RISING]
    for (lower, low), (upper, high) in pairwise(thresholds):
        if low > high:
            values = {"lower": f"{lower} ({low:g})", "upper": f"{upper} ({high:g})"}
            return say("{lower} must not be above {upper}.", **values)
    return ""


def source_of(name: str, persona: Persona, settings: Mapping[str, str]) -> Source:
    """Return who has set a value of the persona's policy."""
    values, _ = values_in(settings)
    if name in values or (PRESET in values and name not in SWITCHES):
        return Source.SERVER
    policy = persona.memory
    return Source.PRESET if getattr(policy, name) == getattr(PRESETS[policy.preset], name) else Source.PERSONA


def _as(kind: type[PolicyValue], typed: str) -> PolicyValue:
    if kind is not bool:
        return kind(typed)
    if typed not in _YES | _NO:
        raise ValueError(typed)
    return typed in _YES
