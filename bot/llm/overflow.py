"""Whether an endpoint says that a prompt is too long, and for how many tokens it has room."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window|limit)s?\b.{0,40}\bexceed|context_length_exceeded|string_above_max_length"
    r"|exceed\w*.{0,60}\b(?:context|maximum (?:prompt|input|number of tokens|model))"
    r"|maximum (?:context|prompt|model|sequence) length|context length of only|when (?:the )?context (?:the )?overflow"
    r"|n_keep .{0,20}>= n_ctx|greater than the context length|larger than the .{0,20}context|too long for (?:the )?model"
    r"|prompt is too long|prompt too long|input is too long|input token count|too many tokens|request too large"
    r"|reduce the length of the (?:messages|input|prompt)|tokens.{0,40}must be <="
)
_NUMBER = r"(\d[\d,_]*)"
_LIMITS = (
    rf"(?:maximum|max) (?:context|prompt|model|sequence) length (?:is|of)\s*{_NUMBER}",
    rf"{_NUMBER} maximum context length",
    rf"context length \({_NUMBER}\)",
    rf"context length of only {_NUMBER}",
    rf"context size \({_NUMBER}",
    rf"context window of {_NUMBER}",
    rf"n_ctx\D{{0,6}}{_NUMBER}",
    rf"> {_NUMBER}(?: maximum)?",
    rf"number of tokens allowed \({_NUMBER}",
    rf"must be <= {_NUMBER}",
    rf"\blimit:? {_NUMBER}",
)
# What is "requested" counts the answer, too, and is of no use.
_ASKED = (
    rf"resulted in {_NUMBER}",
    rf"\({_NUMBER} in the messages",
    rf"{_NUMBER} of text input",
    rf"requested tokens \({_NUMBER}",
    rf"request (?:contains|has) {_NUMBER}",
    rf"prompt contains (?:at least )?{_NUMBER}",
    rf"\(length {_NUMBER}\)|input length \({_NUMBER}\)",
    rf"request \({_NUMBER} tokens\)",
    rf"keep the first {_NUMBER}",
    rf"n_keep \({_NUMBER}\)",
    rf"too long: {_NUMBER}",
    rf"context limit: {_NUMBER}",
    rf"token count \({_NUMBER}",
    rf"given: {_NUMBER}",
)
_MOST = 10**8


@dataclass(frozen=True, slots=True)
class Overflow:
    """A prompt that was too long. Numbers that an endpoint does not tell are 0."""

    limit: int
    asked: int


def overflow_in(complaint: str, status: int = 400, body: object = None) -> Overflow | None:
    """Return what an endpoint says of a prompt that is too long, None when it complains of something else."""
    said = complaint.lower()
    if status != 413 and not _TOO_LONG.search(said) and _told(body, "type") != "exceed_context_size_error":
        return None
    limit, asked = _told(body, "n_ctx"), _told(body, "n_prompt_tokens")
    return Overflow(
        limit if isinstance(limit, int) else _first(_LIMITS, said),
        asked if isinstance(asked, int) else _first(_ASKED, said),
    )


def _first(patterns: tuple[str, ...], said: str) -> int:
    for pattern in patterns:
        if found := re.search(pattern, said):
            number = next((group for group in found.groups() if group), "0")
            return min(int(re.sub(r"\D", "", number)), _MOST)
    return 0


def _told(body: object, name: str) -> object:
    return next((fields[name] for fields in _objects(body) if isinstance(fields.get(name), str | int)), None)


def _objects(body: object) -> Iterator[Mapping[str, object]]:
    if isinstance(body, dict):
        fields = cast("Mapping[str, object]", body)
        yield fields
        yield from _objects(fields.get("error"))
