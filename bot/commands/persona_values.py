"""What can be set of a persona: its texts, and its single values, each with its meaning."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from zoneinfo import available_timezones

from bot.commands.policy_texts import written
from bot.domain.persona import PRESETS, ModelChoice, Persona
from bot.memory.policy import RULES, parsed, with_values
from bot.wording.say import later

RESET = "reset"
BETWEEN_GREETINGS = "\n---\n"
_NOBODY = Persona(id="", name="", voice="", greeting="")
_COMMAS = str.maketrans({"、": ",", "，": ","})
_HOTTEST, _MOST_TOKENS = 2.0, 100_000

TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "voice": later("who it is and how it talks"),
        "greeting": later("what it says first"),
        "greetings": later("further greetings, with a line of --- between two"),
        "summary": later("one line for lists"),
        "instructions": later("what the model is told before the voice"),
        "reminder": later("what the model is told again after the history"),
    }
)
"""The texts of a persona, with their meanings."""


@dataclass(frozen=True, slots=True)
class ValueRule:
    """What a single value means, and what may be written."""

    meaning: str
    allowed: str


VALUES: Mapping[str, ValueRule] = MappingProxyType(
    {
        "name": ValueRule(later("what it is called"), later("a line of at most 100 characters")),
        "model": ValueRule(later("the language model it speaks with"), later("the name of a model, or reset for the usual one")),
        "temperature": ValueRule(later("how freely the model chooses words"), later("a number from 0 to 2, or reset")),
        "max_reply_tokens": ValueRule(later("tokens that an answer may have"), later("a whole number from 1 to 100000")),
        "tools": ValueRule(later("further tools it may use"), later("names with commas between them, or reset for none")),
        "triggers": ValueRule(later("words that address it in a group without a mention"), later("words with commas between, or reset")),
        "language": ValueRule(later("the language of its own notices"), later("a language tag such as en, ja or pt-BR")),
        "time_zone": ValueRule(later("the times it shows"), later("a time zone such as Europe/Berlin")),
        **{name: ValueRule(rule.meaning, rule.allowed) for name, rule in RULES.items()},
    }
)
"""A rule for each single value; those of memory bear the names of the memory policy."""


def text_in(persona: Persona, name: str) -> str:
    """Return one of a persona's texts as it stands in a form."""
    return BETWEEN_GREETINGS.join(persona.greetings) if name == "greetings" else str(getattr(persona, name))


def with_text(persona: Persona, name: str, text: str) -> Persona:
    """Return the persona with another text; the name is one of TEXTS."""
    match name:
        case "greetings":
            return replace(persona, greetings=tuple(part.strip() for part in f"\n{text}\n".split(BETWEEN_GREETINGS) if part.strip()))
        case "summary":
            return replace(persona, summary=" ".join(text.split()))
        case "greeting":
            return replace(persona, greeting=text.strip())
        case "instructions":
            return replace(persona, instructions=text.strip())
        case "reminder":
            return replace(persona, reminder=text.strip())
    return replace(persona, voice=text.strip())


def value_in(persona: Persona, name: str) -> str:
    """Return a value as it is typed; empty where there is none."""
    if name in RULES:
        return written(getattr(persona.memory, name))
    match name:
        case "model":
            return persona.model.name
        case "temperature":
            return "" if persona.model.temperature is None else f"{persona.model.temperature:g}"
        case "max_reply_tokens":
            return str(persona.model.max_reply_tokens)
        case "tools" | "triggers":
            return ", ".join(getattr(persona, name))
        case _:
            return str(getattr(persona, name))


def with_value(persona: Persona, name: str, typed: str) -> Persona:
    """Return the persona with another value; `reset` stands for the usual one. Raises ValueError for one that does not fit."""
    value = _usual(persona, name) if typed.casefold() == RESET and name != "name" else typed.strip()
    if name in RULES:
        return replace(persona, memory=with_values(persona.memory, {name: parsed(name, value)}))
    match name:
        case "model" | "temperature" | "max_reply_tokens":
            return replace(persona, model=_model(persona.model, name, value))
        case "tools":
            return replace(persona, tools=_words(value))
        case "triggers":
            return replace(persona, triggers=_words(value))
        case "time_zone" | "language":
            return replace(persona, time_zone=_zone(value)) if name == "time_zone" else replace(persona, language=value)
    return replace(persona, name=value)


def _model(model: ModelChoice, name: str, value: str) -> ModelChoice:
    match name:
        case "temperature":
            return replace(model, temperature=_between(float(value), 0, _HOTTEST) if value else None)
        case "max_reply_tokens":
            return replace(model, max_reply_tokens=int(_between(int(value), 1, _MOST_TOKENS)))
    return replace(model, name=value)


def _usual(persona: Persona, name: str) -> str:
    return value_in(replace(_NOBODY, memory=PRESETS[persona.memory.preset]), name)


def _between(value: float, least: float, most: float) -> float:
    if not least <= value <= most:
        raise ValueError(value)
    return value


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.translate(_COMMAS).split(",") if word.strip()))


def _zone(text: str) -> str:
    known = {zone.casefold(): zone for zone in available_timezones()}
    if text.casefold() not in known:
        raise ValueError(text)
    return known[text.casefold()]
