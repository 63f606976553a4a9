"""What is sent to an OpenAI-compatible endpoint, and what such endpoints turn out not to take."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest
from bot.domain.tool import JsonValue, ToolSpec
from bot.protocol.repair import repair

_TOOLS = re.compile(r"\b(?:tools?|functions?)\b|\btool[_-]|\bfunction[_ ]call")
_NOT_TAKEN = re.compile(
    r"not support|unsupported|does(?:n't| not)|not (?:available|enabled|permitted|allowed|implemented|recogni)|no endpoints"
    r"|requires? --|unknown (?:parameter|field|argument)|unrecogni[sz]ed|extra (?:inputs|fields)|unexpected keyword|disabled"
)
_LATE_SYSTEM = re.compile(r"system (?:message|role|prompt).*(?:begin|first|start|support)|(?:only|single|one) system|roles must alternate")


@dataclass(frozen=True, slots=True)
class Habits:
    """What an endpoint takes for one model, as far as it is known."""

    takes_tools: bool = True
    takes_usage_wish: bool = True
    takes_temperature: bool = True
    takes_late_system: bool = True
    """System messages after the first one."""
    length_limit: str = "max_tokens"


def learned(habits: Habits, complaint: str, request: ChatRequest) -> Habits | None:
    """Return the habits that explain why a request was refused, None when the complaint is about something else."""
    said = complaint.lower()
    if habits.takes_usage_wish and "stream_options" in said:
        return replace(habits, takes_usage_wish=False)
    if habits.length_limit == "max_tokens" and "max_completion_tokens" in said:
        return replace(habits, length_limit="max_completion_tokens")
    if habits.takes_temperature and request.temperature is not None and "temperature" in said:
        return replace(habits, takes_temperature=False)
    if habits.takes_late_system and _LATE_SYSTEM.search(said):
        return replace(habits, takes_late_system=False)
    if habits.takes_tools and request.tools and _TOOLS.search(said) and _NOT_TAKEN.search(said):
        return replace(habits, takes_tools=False)
    return None


def body_of(request: ChatRequest, model: str, habits: Habits) -> dict[str, JsonValue]:
    """Return the body of a chat completion request."""
    messages = repair(request.messages)
    if not habits.takes_late_system:
        messages = one_system_message(messages)
    body: dict[str, JsonValue] = {
        "model": model,
        "messages": [_message(message) for message in messages],
        "stream": True,
        habits.length_limit: request.max_reply_tokens,
    }
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
    if habits.takes_usage_wish:
        body["stream_options"] = {"include_usage": True}
    if request.temperature is not None and habits.takes_temperature:
        body["temperature"] = request.temperature
    return body


def one_system_message(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return the messages with later system messages as the user's, and neighbours of one speaker joined."""
    joined: list[ChatMessage] = []
    for message in messages:
        if message.role is Role.SYSTEM and joined and joined[-1].role is not Role.SYSTEM:
            message = replace(message, role=Role.USER)  # noqa: PLW2901 (the same message under another role)
        if joined and message.role in (Role.SYSTEM, Role.USER) and joined[-1].role is message.role:
            joined[-1] = replace(message, text=f"{joined[-1].text}\n\n{message.text}")
        else:
            joined.append(message)
    return tuple(joined)


def _message(message: ChatMessage) -> JsonValue:
    match message.role:
        case Role.TOOL:
            return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.text}
        case Role.ASSISTANT if message.tool_calls:
            calls: list[JsonValue] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in message.tool_calls
            ]
            return {"role": "assistant", "content": message.text or None, "tool_calls": calls}
        case _:
            return {"role": message.role.value, "content": message.text}


def _tool(spec: ToolSpec) -> JsonValue:
    function: JsonValue = {"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)}
    return {"type": "function", "function": function}
