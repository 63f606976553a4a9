"""What the endpoint refuses, as real ones do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.emulators.openai.answers import Plain, refusal


@dataclass(slots=True)
class Rules:
    """What this endpoint takes; change a field to make it another endpoint."""

    api_key: str = ""
    """Empty takes any."""
    models: tuple[str, ...] = ()
    """Empty takes any."""
    takes_tools: bool = True
    takes_stream_options: bool = True
    takes_temperature: bool = True
    takes_late_system: bool = True
    takes_system: bool = True
    takes_images: bool = True
    max_tokens_name: str = "max_tokens"
    """Empty takes either."""
    most_words: int = 100_000
    """Of a whole prompt: a word counts as a token."""

    def refuse(self, authorization: str, body: Mapping[str, Any]) -> Plain | None:
        """Return the refusal of a request, None when it is in order."""
        return self.refuse_caller(authorization, body) or self._refuse_options(body) or self._refuse_messages(body.get("messages") or [])

    def refuse_caller(self, authorization: str, body: Mapping[str, Any]) -> Plain | None:
        """Return the refusal of a key or a model, whatever is asked of it."""
        if self.api_key and authorization != f"Bearer {self.api_key}":
            given = authorization.removeprefix("Bearer ")
            return refusal(401, f"Incorrect API key provided: {given}. You can find your API key in your account.", code="invalid_api_key")
        if self.models and body.get("model") not in self.models:
            message = f"The model `{body.get('model')}` does not exist or you do not have access to it."
            return refusal(404, message, code="model_not_found")
        return None

    def _refuse_options(self, body: Mapping[str, Any]) -> Plain | None:
        if body.get("tools") and not self.takes_tools:
            return refusal(400, f"registry/{body.get('model')} does not support tools")
        if "stream_options" in body and not self.takes_stream_options:
            return Plain({"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}, 422)
        if "temperature" in body and not self.takes_temperature:
            message = "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported."
            return refusal(400, message, param="temperature", code="unsupported_value")
        other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}.get(self.max_tokens_name)
        if other in body:
            message = f"Unsupported parameter: '{other}' is not supported with this model. Use '{self.max_tokens_name}' instead."
            return refusal(400, message, param=other, code="unsupported_parameter")
        return None

    def _refuse_messages(self, messages: Sequence[Mapping[str, Any]]) -> Plain | None:
        if not messages:
            return refusal(400, "[] is too short - 'messages'", param="messages")
        if not self.takes_late_system and any(message["role"] == "system" for message in messages[1:]):
            return refusal(400, "System message must be at the beginning.")
        if not self.takes_system and any(message["role"] == "system" for message in messages):
            return refusal(400, "System role not supported")
        if not self.takes_images and any(isinstance(message.get("content"), list) for message in messages):
            return refusal(404, "No endpoints found that support image input")
        words = sum(len(str(message.get("content")).split()) for message in messages)
        if words > self.most_words:
            told = f"This model's maximum context length is {self.most_words} tokens. However, your messages resulted in {words} tokens."
            return refusal(400, told, param="messages", code="context_length_exceeded")
        return _refuse_unpaired(messages)


def _refuse_unpaired(messages: Sequence[Mapping[str, Any]]) -> Plain | None:
    """Refuse calls without results and results without calls."""
    open_calls: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message.get("tool_call_id") not in open_calls:
                return refusal(400, "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.")
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            break
        elif message["role"] == "assistant":
            if message.get("content") is None and not message.get("tool_calls"):
                return refusal(400, "Invalid value for 'content': expected a string, got null.", param="messages")
            open_calls = {call["id"] for call in message.get("tool_calls") or []}
    if open_calls:
        ids = ", ".join(sorted(open_calls))
        return refusal(400, f"An assistant message with 'tool_calls' must be followed by tool messages. No response for: {ids}")
    return None
