"""The steps in a persona file, `memory.readers` and `memory.writers`: names, or a name with its options."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated

from pydantic import BeforeValidator, InstanceOf, TypeAdapter

from bot.domain.nearest import nearest
from bot.domain.steps import READERS, WRITERS, Step, StepKind

_ALSO: Mapping[str, str] = MappingProxyType(
    {"maxSummaryChunksFromFile": "count", "customDelimiter": "delimiter", "isManualConfig": "manual"},
)
"""Names that some options are known by elsewhere."""
_RANGES: Mapping[str, range] = MappingProxyType({"count": range(-1, 1001), "limit": range(1, 51)})
_TEXTS = ("delimiter", "keywords")
_SWITCHES = ("manual", "vectors", "recency", "dates")
_STEP = TypeAdapter(Step)
OPTIONS = (*_RANGES, *_TEXTS, *_SWITCHES, *_ALSO)


def step_among(kinds: Sequence[StepKind]) -> Callable[[object], Step]:
    """Return what reads one item of a list of such steps; it raises ValueError with what to write instead."""

    def read(item: object) -> Step:
        name, options = _parts(item)
        return _STEP.validate_python({"kind": _kind(name, kinds), **dict(map(_option, options.items()))})

    return read


ReaderEntry = Annotated[InstanceOf[Step], BeforeValidator(step_among(READERS))]
WriterEntry = Annotated[InstanceOf[Step], BeforeValidator(step_among(WRITERS))]


def _parts(item: object) -> tuple[str, Mapping[object, object]]:
    match item:
        case str():
            return item, {}
        case {**pairs} if len(pairs) == 1:
            ((name, options),) = pairs.items()
            if isinstance(name, str) and (options is None or isinstance(options, dict)):
                return name, options or {}
    raise ValueError("is no step; write a name such as `RecentMemory`, or a name with options such as `RecentMemory: {count: 5}`.")


def _kind(name: str, kinds: Sequence[StepKind]) -> StepKind:
    known = {kind.value: kind for kind in kinds}
    if name in known:
        return known[name]
    if name in [kind.value for kind in StepKind]:
        here, there = ("readers", "writers") if kinds == READERS else ("writers", "readers")
        raise ValueError(f"is {name!r}, which does not stand among {here}; write it under `memory.{there}`.")
    near = nearest(name, known)
    hint = f" Did you mean {near}?" if near else ""
    raise ValueError(f"is {name!r}, which is no step.{hint} There are {', '.join(known)}.")


def _option(pair: tuple[object, object]) -> tuple[str, object]:
    typed, value = str(pair[0]), pair[1]
    if typed not in OPTIONS:
        near = nearest(typed, OPTIONS)
        hint = f"Did you mean {near}?" if near else f"There are {', '.join(OPTIONS)}."
        raise ValueError(f"has no option {typed!r}. {hint}")
    name = _ALSO.get(typed, typed)
    if wanted := _wanted(name, value):
        raise ValueError(f"has {typed}: {value!r}; write {wanted}.")
    return name, value


def _wanted(name: str, value: object) -> str:
    """Return what an option must be, where the value is something else."""
    if name in _SWITCHES:
        return "" if isinstance(value, bool) else "true or false"
    if name in _TEXTS:
        return "" if isinstance(value, str) else 'a text in quotes, "like this"'
    allowed = _RANGES[name]
    fits = isinstance(value, int) and not isinstance(value, bool) and value in allowed
    return "" if fits else f"a whole number from {allowed.start} to {allowed.stop - 1}"
