"""What comes back from an OpenAI-compatible endpoint, whatever its fields look like."""

from collections.abc import Iterator, Mapping

from bot.domain.model import Finished, FinishReason, ModelEvent, TextDelta, ToolCallDelta, Usage
from bot.errors import ModelUnavailable
from bot.llm.wire import call_pieces, fields_of, is_complete, items_of, number_in, text_in

_REASONS = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"), FinishReason.LENGTH),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use"), FinishReason.TOOL_CALLS),
    **dict.fromkeys(
        ("content_filter", "content-filter", "safety", "prohibited_content", "blocklist", "sensitive", "refusal"), FinishReason.FILTERED
    ),
}
"""Everything else that ends an answer is a plain stop."""
_FAILED = frozenset({"error", "insufficient_system_resource", "malformed_function_call", "network_error", "abort"})
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
        self._said = False
        self._arguments: list[str] = []
        self._counted_last = False
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
        fields = fields_of(piece)
        choices = [fields_of(choice) for choice in items_of(fields.get("choices"))]
        usage = fields_of(fields.get("usage")) or fields_of(fields_of(fields.get("x_groq")).get("usage"))
        self._count(usage)
        self._counted_last = not choices and number_in(usage.get("completion_tokens")) > 0
        for choice in choices:
            if choice.get("index") in (0, None):
                yield from self._read_choice(choice)

    def read_whole(self, body: object) -> Iterator[ModelEvent]:
        """Return the events of an answer that came in one piece. Raises ModelUnavailable when it is none."""
        if not items_of(fields_of(body).get("choices")):
            raise ModelUnavailable(f"The model {self._model} gave an answer without content.")
        yield from self.read(body)
        self._reason = self._reason or FinishReason.STOP

    def finish(self) -> Iterator[ModelEvent]:
        """Return the last events. Raises ModelUnavailable when the answer had no proper end."""
        if self._reason is None and self._is_whole:
            self._reason = FinishReason.STOP
        if self._reason is None:
            raise ModelUnavailable(f"The model {self._model} broke off in the middle of its answer.")
        if self._half_character:
            yield TextDelta("\ufffd")
        if self._usage is not None:
            yield self._usage
        stopped = self._reason in (FinishReason.STOP, FinishReason.TOOL_CALLS)
        yield Finished((FinishReason.TOOL_CALLS if self._arguments else FinishReason.STOP) if stopped else self._reason)

    @property
    def _is_whole(self) -> bool:
        """Say whether an answer whose end was not told has ended all the same: its tokens were counted last, or its calls are complete."""
        return self._counted_last or (bool(self._arguments) and is_complete(self._arguments[-1]))

    def _read_choice(self, choice: Mapping[str, object]) -> Iterator[ModelEvent]:
        # A last piece may hold the whole message again.
        delta = fields_of(choice.get("delta")) or ({} if self._said or self._arguments else fields_of(choice.get("message")))
        text = self._whole_characters(text_in(delta.get("content")) or text_in(delta.get("refusal")))
        if text := self._fitting(text):
            self._said = True
            yield TextDelta(text)
        for piece in call_pieces(delta):
            yield self._counted(piece)
        self._count(fields_of(choice.get("usage")))
        reason = text_in(choice.get("finish_reason")).lower()
        if reason in _FAILED:
            raise ModelUnavailable(f"The model {self._model} failed in the middle of its answer.")
        if reason or self.full:
            self._reason = FinishReason.LENGTH if self.full else _REASONS.get(reason, FinishReason.STOP)

    def _count(self, usage: Mapping[str, object]) -> None:
        if usage:
            details = fields_of(usage.get("prompt_tokens_details"))
            self._usage = Usage(
                self._model,
                number_in(usage.get("prompt_tokens")),
                number_in(usage.get("completion_tokens")),
                number_in(details.get("cached_tokens")) or number_in(usage.get("prompt_cache_hit_tokens")),
            )

    def _counted(self, piece: ToolCallDelta) -> ToolCallDelta:
        """Return what there is room for of a piece of a call, and remember its arguments so far."""
        call_id, name, arguments = (self._fitting(text) for text in (piece.id, piece.name, piece.arguments))
        if name or not self._arguments:
            self._arguments.append("")
        self._arguments[-1] += arguments
        return ToolCallDelta(piece.index, call_id, name, arguments)

    def _fitting(self, text: str) -> str:
        """Return what there is still room for."""
        kept = text[: max(self._room, 0)]
        self._room -= len(text)
        return kept

    def _whole_characters(self, text: str) -> str:
        """Return the text without half characters: some endpoints send an emoji's two escapes in two pieces."""
        text = self._half_character + text
        self._half_character = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        return text.removesuffix(self._half_character).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
