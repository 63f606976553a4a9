"""The front matter of a persona file: its keys, and what is said about each mistake in them."""

import difflib
import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self, TypeAlias
from zoneinfo import ZoneInfo, available_timezones

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from bot.domain.persona import Example, MemoryPolicy, ModelChoice, Persona
from bot.domain.steps import FAST_READERS, USUAL_WRITERS, Steps
from bot.memory.policy import RULES, PolicyValue, disorder, fits, with_values
from bot.storage.persona_lore import MOST_ENTRIES, LorebookEntry, LoreItem, PackedCard
from bot.storage.persona_steps import ReaderEntry, WriterEntry


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        zones = {zone.casefold(): zone for zone in available_timezones()}
        raise ValueError(
            f"is {name!r}, which is no time zone.{did_you_mean(name, zones) or ' Write one such as Europe/Berlin or UTC.'}"
        ) from None
    return name


def _language_tag(tag: str) -> str:
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", tag):
        raise ValueError(f"is {tag!r}, which is no language tag. Write one such as en, ja or pt-BR.")
    return tag


def _one_line(text: str) -> str:
    if "\n" in text:
        raise ValueError("must fit on one line.")
    return text


_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Line = Annotated[_Text, StringConstraints(max_length=100), AfterValidator(_one_line)]
_Word = Annotated[_Text, StringConstraints(max_length=64), AfterValidator(_one_line)]


_USUAL = MemoryPolicy()


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ExampleEntry(_Strict):
    """One item of `examples`."""

    user: _Text
    reply: _Text


class ModelEntry(_Strict):
    """What stands under `model`."""

    name: str = ""
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_reply_tokens: int = Field(default=1024, ge=1, le=100_000)


class MemoryEntry(_Strict):
    """What stands under `memory`: a preset, and single values that go over it. What is not written comes from the preset."""

    preset: Literal["default", "seed"] = "default"
    enabled: bool = _USUAL.enabled
    mode: Literal["automatic", "tools", "tags"] = "automatic"
    working_tokens: int = _USUAL.working_tokens
    handle_tokens: int = _USUAL.handle_tokens
    max_working: int = _USUAL.max_working
    max_handles: int = _USUAL.max_handles
    new_importance: float = _USUAL.new_importance
    tag_boost: float = _USUAL.tag_boost
    update_boost: float = _USUAL.update_boost
    load_margin: float = _USUAL.load_margin
    decay_per_day: float = _USUAL.decay_per_day
    demote_below: float = _USUAL.demote_below
    archive_below: float = _USUAL.archive_below
    forget_below: float = _USUAL.forget_below
    reinforce: float = _USUAL.reinforce
    pull: bool = _USUAL.pull
    max_pulled: int = _USUAL.max_pulled
    memories_a_day: int = _USUAL.memories_a_day
    dream: bool = _USUAL.dream
    dream_hours: float = _USUAL.dream_hours
    history_messages: int = _USUAL.history_messages
    history_tokens: int = _USUAL.history_tokens
    history_hours: float = _USUAL.history_hours
    timestamps: Literal["none", "absolute", "relative"] = "none"
    past: bool = _USUAL.past
    chunk_messages: int = _USUAL.chunk_messages
    chunk_tokens: int = _USUAL.chunk_tokens
    chunk_lookback: int = _USUAL.chunk_lookback
    summary_after: int = _USUAL.summary_after
    summary_batch: int = _USUAL.summary_batch
    condense: int = _USUAL.condense
    condense_buffer: int = _USUAL.condense_buffer
    past_tokens: int = _USUAL.past_tokens
    max_excerpts: int = _USUAL.max_excerpts
    entity_tokens: int = _USUAL.entity_tokens
    readers: list[ReaderEntry] = list(FAST_READERS)
    writers: list[WriterEntry] = list(USUAL_WRITERS)

    @field_validator(*RULES)
    @classmethod
    def _in_range(cls, value: PolicyValue, info: ValidationInfo) -> PolicyValue:
        name = str(info.field_name)
        if not fits(name, value):
            shown = f"{value:g}" if isinstance(value, float) else repr(value)
            raise ValueError(f"is {shown}; write {RULES[name].allowed}.")
        return value

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if problem := disorder(self.policy()):
            raise ValueError(f"is at odds with itself: {problem}")
        return self

    def policy(self) -> MemoryPolicy:
        """Return the preset with what is written over it."""
        written: dict[str, PolicyValue] = self.model_dump(exclude_unset=True, include=set(RULES))
        return with_values(MemoryPolicy(), written)

    def steps(self) -> Steps:
        """Return how the past is read and written."""
        return Steps(tuple(self.readers), tuple(self.writers))


class FrontMatter(_Strict):
    """All keys that a persona file may have."""

    name: _Line
    greeting: _Text
    summary: Annotated[str, AfterValidator(_one_line)] = ""
    language: Annotated[str, AfterValidator(_language_tag)] = "en"
    time_zone: Annotated[str, AfterValidator(_known_zone)] = "UTC"
    examples: list[ExampleEntry] = []
    model: ModelEntry = ModelEntry()
    memory: MemoryEntry = MemoryEntry()
    tools: list[_Word] = []
    triggers: list[_Word] = []
    greetings: list[_Text] = []
    instructions: str = ""
    reminder: str = ""
    lorebook: LorebookEntry = LorebookEntry()
    lore: Annotated[list[LoreItem], Field(max_length=MOST_ENTRIES)] = []
    card: PackedCard = ""

    def persona(self, persona_id: str, voice: str) -> Persona:
        """Return the persona that the file describes."""
        return Persona(
            id=persona_id,
            name=self.name,
            voice=voice,
            greeting=self.greeting,
            summary=self.summary,
            language=self.language,
            time_zone=self.time_zone,
            examples=tuple(Example(example.user, example.reply) for example in self.examples),
            model=ModelChoice(self.model.name, self.model.temperature, self.model.max_reply_tokens),
            memory=self.memory.policy(),
            steps=self.memory.steps(),
            tools=tuple(self.tools),
            triggers=tuple(self.triggers),
            greetings=tuple(self.greetings),
            instructions=self.instructions.strip(),
            reminder=self.reminder.strip(),
            lore=self.lorebook.book(self.lore),
            card=self.card,
        )


_KEYS: Mapping[str, tuple[str, ...]] = {
    "": tuple(FrontMatter.model_fields),
    "examples": tuple(ExampleEntry.model_fields),
    "model": tuple(ModelEntry.model_fields),
    "memory": tuple(MemoryEntry.model_fields),
    "lorebook": tuple(LorebookEntry.model_fields),
    "lore": tuple(LoreItem.model_fields),
}
_WANTED: Mapping[str, str] = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "list_type": "a list, such as [one, two]",
    "model_type": "a group of `key: value` lines",
}
Place: TypeAlias = tuple[str | int, ...]


def explain(error: ErrorDetails) -> str:
    """Return what is wrong with one value, and what to write instead."""
    place, kind, value = error["loc"], error["type"], error["input"]
    match kind:
        case "extra_forbidden" | "invalid_key":
            return _unknown_key(place)
        case "missing":
            problem = f"is missing; add a line `{place[-1]}: …`."
        case "string_too_short":
            problem = "is empty; write its text, or take the line out if the key is optional."
        case "string_too_long":
            problem = f"has {len(str(value))} characters; shorten it to {error['ctx']['max_length']}."
        case "literal_error":
            problem = f"is {value!r}; write one of {error['ctx']['expected']}."
        case "value_error":
            problem = str(error["ctx"]["error"])
        case _ if kind in _WANTED:
            problem = f"must be {_WANTED[kind]}, but it is {_described(value)}.{_quotes(kind, value)}"
        case _:
            problem = f"is {value!r}: {error['msg'].replace('Input', 'it')}."
    return f"`{spelled(place)}` {problem}"


def spelled(place: Place) -> str:
    """Return where a value stands as people read it: `examples[2].reply`, counted from 1."""
    text = ""
    for step in place:
        text += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def did_you_mean(typed: str, known: Mapping[str, str]) -> str:
    """Return ` Did you mean x?` for the nearest of `known` (case-folded spelling → right spelling), or nothing."""
    near = difflib.get_close_matches(typed.casefold(), list(known), n=1, cutoff=0.6)
    return f" Did you mean {known[near[0]]}?" if near else ""


def _unknown_key(place: Place) -> str:
    group = next((step for step in place[:-1] if isinstance(step, str)), "")
    keys = _KEYS.get(group, ())
    typed = str(place[-1])
    hint = did_you_mean(typed, {key: key for key in keys}) or f" It may be one of {', '.join(keys)}."
    where = f"{spelled(place[:-1])}." if place[:-1] else ""
    return f"there is no key `{where}{typed}`.{hint}"


def _described(value: object) -> str:
    if value is None:
        return "empty"
    kinds = {bool: "the truth value", int: "the number", float: "the number", str: "the text", list: "a list", dict: "a group of keys"}
    kind = kinds.get(type(value), f"a {type(value).__name__}")
    return kind if isinstance(value, list | dict) else f"{kind} {str(value).lower() if isinstance(value, bool) else repr(value)}"


def _quotes(kind: str, value: object) -> str:
    if kind == "string_type" and isinstance(value, bool | int | float):
        return ' Put it in quotes, "like this".'
    return ""
