"""What comes back from an OpenAI-compatible endpoint, whatever its fields look like."""

from collections.abc import Iterator, Mapping
from typing import cast

from bot.domain.model import Finished, FinishReason, ModelEvent, TextDelta, ToolCallDelta, Usage
from bot.errors import ModelUnavailable

_REASONS = {
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "tool_calls": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
    "tool_use": FinishReason.TOOL_CALLS,
    "content_filter": FinishReason.FILTERED,
}
"""Everything else that ends an answer is a plain stop."""
_FAILED = "error"
_MOST_TOKENS = 10**9
_CHARACTERS_A_TOKEN = 16
"""More than any text needs: an answer that outgrows its tokens at this rate comes from an endpoint that knows no end."""


class AnswerReader:
    """Turns the pieces of an answer, or its whole body, into events. Usage and the end are told last."""

    def __init__(self, model: str, *, most_tokens: int = _MOST_TOKENS) -> None:
        """Take how long the answer may be; the endpoint was told the same."""
        self._model = model
        self._room = most_tokens * _CHARACTERS_A_TOKEN
        self._half_character = ""
        self._called = False
        self._usage: Usage | None = None
        self._reason: FinishReason | None = None

    @property
    def finished(self) -> bool:
        """Say whether the endpoint has said why it ended; what fails after that does no harm."""
        return self._reason is not None

    @property
    def full(self) -> bool:
        """Say whether the answer is longer than the endpoint was asked for: what comes now is not worth waiting for."""
        return self._room < 0

    def cut_short(self) -> None:
        """End the answer here, as one that is too long."""
        self._reason = self._reason or FinishReason.LENGTH

    def read(self, piece: object) -> Iterator[ModelEvent]:
        """Return what a piece adds to the answer."""
        fields = _fields(piece)
        self._count(_fields(fields.get("usage")))
        for choice in map(_fields, _items(fields.get("choices"))):
            if choice.get("index") in (0, None):
                yield from self._read_choice(choice)

    def read_whole(self, body: object) -> Iterator[ModelEvent]:
        """Return the events of an answer that came in one piece. Raises ModelUnavailable when it is none."""
        if not _items(_fields(body).get("choices")):
            raise ModelUnavailable(f"The model {self._model} gave an answer without content.")
        yield from self.read(body)
        self._reason = self._reason or FinishReason.STOP

    def finish(self) -> Iterator[ModelEvent]:
        """Return the last events. Raises ModelUnavailable when the answer had no proper end."""
        if self._reason is None:
            raise ModelUnavailable(f"The model {self._model} broke off in the middle of its answer.")
        if self._half_character:
            yield TextDelta("\ufffd")
        if self._usage is not None:
            yield self._usage
        yield Finished(FinishReason.TOOL_CALLS if self._called and self._reason is FinishReason.STOP else self._reason)

    def _read_choice(self, choice: Mapping[str, object]) -> Iterator[ModelEvent]:
        delta = _fields(choice.get("delta")) or _fields(choice.get("message"))
        text = self._whole_characters(_text(delta.get("content")) or _text(delta.get("refusal")))
        if text := self._fitting(text):
            yield TextDelta(text)
        for call in map(_fields, _items(delta.get("tool_calls"))):
            self._called = True
            yield self._call_piece(call)
        reason = _text(choice.get("finish_reason"))
        if reason == _FAILED:
            raise ModelUnavailable(f"The model {self._model} failed in the middle of its answer.")
        if reason or self.full:
            self._reason = FinishReason.LENGTH if self.full else _REASONS.get(reason, FinishReason.STOP)

    def _count(self, usage: Mapping[str, object]) -> None:
        if usage:
            details = _fields(usage.get("prompt_tokens_details"))
            self._usage = Usage(
                self._model,
                _number(usage.get("prompt_tokens")),
                _number(usage.get("completion_tokens")),
                _number(details.get("cached_tokens")),
            )

    def _fitting(self, text: str) -> str:
        """Return what there is still room for."""
        kept = text[: max(self._room, 0)]
        self._room -= len(text)
        return kept

    def _call_piece(self, call: Mapping[str, object]) -> ToolCallDelta:
        function, index = _fields(call.get("function")), call.get("index")
        call_id, name, arguments = (
            self._fitting(_text(text)) for text in (call.get("id"), function.get("name"), function.get("arguments"))
        )
        return ToolCallDelta(index if isinstance(index, int) else None, call_id, name, arguments)

    def _whole_characters(self, text: str) -> str:
        """Return the text without half characters: some endpoints send an emoji's two escapes in two pieces."""
        text = self._half_character + text
        self._half_character = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        return text.removesuffix(self._half_character).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _fields(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _text(value: object) -> str:
    """Return a text, or the texts of a list of parts."""
    if isinstance(value, list):
        return "".join(_text(_fields(part).get("text")) for part in _items(value))
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    """Return a count, 0 for what is none: no answer has a billion tokens, and no database keeps a number of any size."""
    return value if isinstance(value, int) and value is not True and 0 <= value <= _MOST_TOKENS else 0
