"""A persona as the text of a persona file, and back."""

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache

import yaml

from bot.domain.persona import PRESETS, MemoryPolicy, ModelChoice, Persona
from bot.domain.steps import FAST_READERS, USUAL_WRITERS, Step
from bot.storage.persona_files import read_persona
from bot.storage.persona_lore import lore_front, packed_card

KEPT_READ = 256
"""Personas that are not read again as long as their text is the same."""
_LINE = 100


@lru_cache(maxsize=KEPT_READ)
def persona_from(persona_id: str, text: str) -> Persona:
    """Return the persona that a text describes. Raises PersonaError, with the line, for one that describes none."""
    return read_persona(persona_id, text)


def text_of(persona: Persona) -> str:
    """Return the file that describes a persona; what nobody has set is not written.

    Raises PersonaError for a persona that no file can describe, such as one without a voice.
    """
    front = {name: value for name, value in _front(persona).items() if value not in ("", [], {}, None)}
    written = yaml.safe_dump(front, allow_unicode=True, sort_keys=False, width=_LINE)
    text = f"---\n{written}---\n{persona.voice.strip()}\n"
    persona_from(persona.id, text)
    return text


def _front(persona: Persona) -> Mapping[str, object]:
    return {
        "name": persona.name,
        "greeting": persona.greeting,
        "summary": persona.summary,
        "language": persona.language,
        "time_zone": persona.time_zone,
        "examples": [{"user": example.user, "reply": example.reply} for example in persona.examples],
        "model": _changed(persona.model, ModelChoice()),
        "memory": _memory(persona),
        "tools": list(persona.tools),
        "triggers": list(persona.triggers),
        "greetings": list(persona.greetings),
        "instructions": persona.instructions,
        "reminder": persona.reminder,
        **lore_front(persona.lore),
        "card": packed_card(persona.card),
    }


def _memory(persona: Persona) -> Mapping[str, object]:
    policy = persona.memory
    written = dict(_changed(policy, PRESETS[policy.preset]))
    if policy.preset != MemoryPolicy().preset:
        written = {"preset": policy.preset, **written}
    if persona.steps.readers != FAST_READERS:
        written["readers"] = [_step(step) for step in persona.steps.readers]
    if persona.steps.writers != USUAL_WRITERS:
        written["writers"] = [_step(step) for step in persona.steps.writers]
    return written


def _step(step: Step) -> object:
    options = {name: value for name, value in _changed(step, Step(step.kind)).items() if name != "kind"}
    return {step.kind.value: options} if options else step.kind.value


def _changed(value: ModelChoice | MemoryPolicy | Step, usual: ModelChoice | MemoryPolicy | Step) -> Mapping[str, object]:
    """Return the fields in which a value differs from the usual one, as YAML takes them."""
    pairs = ((each.name, getattr(value, each.name), getattr(usual, each.name)) for each in fields(value))
    return {name: str(own) if isinstance(own, str) else own for name, own, other in pairs if own != other}
