"""What is sent to an OpenAI-compatible endpoint."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Image
from bot.domain.tool import JsonValue, ToolSpec
from bot.llm.habits import Habits
from bot.protocol.repair import repair

NOT_SHOWN = "[image not shown to this model]"
EARLIER = "…"
"""What a person is said to have written before a history that begins with the persona, where the two must take turns."""


def body_of(request: ChatRequest, model: str, habits: Habits) -> dict[str, JsonValue]:
    """Return the body of a chat completion request."""
    messages = repair(request.messages)
    if not habits.takes_images:
        messages = without_images(messages)
    if not habits.takes_late_system:
        messages = one_system_message(messages)
    if not habits.takes_system:
        messages = no_system_message(messages)
    body: dict[str, JsonValue] = {"model": model, "messages": [_message(message) for message in messages], "stream": True}
    if habits.length_limit:
        body[habits.length_limit] = min(request.max_reply_tokens, habits.most_reply_tokens or request.max_reply_tokens)
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
    if habits.takes_usage_wish:
        body["stream_options"] = {"include_usage": True}
    if request.temperature is not None and habits.takes_temperature:
        body["temperature"] = request.temperature
    return body


def without_images(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return the messages with a word in the place of each image."""
    return tuple(
        replace(message, text="\n".join([*([message.text] if message.text else []), *[NOT_SHOWN] * len(message.images)]), images=())
        for message in messages
    )


def one_system_message(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return the messages with later system messages as the user's, and neighbours of one speaker joined: then they take turns."""
    joined: list[ChatMessage] = []
    for message in messages:
        if message.role is Role.SYSTEM and joined and joined[-1].role is not Role.SYSTEM:
            message = replace(message, role=Role.USER)  # noqa: PLW2901 (the same message under another role)
        if message.role is Role.ASSISTANT and (not joined or joined[-1].role is Role.SYSTEM):
            joined.append(ChatMessage(Role.USER, EARLIER))
        if joined and _may_join(joined[-1], message):
            before = joined[-1]
            joined[-1] = replace(before, text=f"{before.text}\n\n{message.text}", images=before.images + message.images)
        else:
            joined.append(message)
    return tuple(joined)


def no_system_message(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return the messages with all that the system says at the head of what the user says next."""
    return one_system_message([replace(message, role=Role.USER) if message.role is Role.SYSTEM else message for message in messages])


def _may_join(before: ChatMessage, message: ChatMessage) -> bool:
    return before.role is message.role and message.role is not Role.TOOL and not (before.tool_calls or message.tool_calls)


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
        case Role.USER if message.images:
            parts: list[JsonValue] = [{"type": "text", "text": message.text}] if message.text else []
            return {"role": "user", "content": [*parts, *map(_image, message.images)]}
        case _:
            return {"role": message.role.value, "content": message.text}


def _image(image: Image) -> JsonValue:
    return {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{b64encode(image.data).decode()}"}}


def _tool(spec: ToolSpec) -> JsonValue:
    function: JsonValue = {"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)}
    return {"type": "function", "function": function}
