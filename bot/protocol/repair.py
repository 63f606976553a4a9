"""A prompt that every endpoint takes: each tool call with its result, each result with its call."""

from collections.abc import Sequence

from bot.domain.message import Role
from bot.domain.model import ChatMessage

CANCELLED = "cancelled"
"""The result of a call that never got one."""


def repair(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return the messages with a result right behind each call, in the order of the calls, and none without a call.

    A result counts for the assistant's message it directly follows; the first one counts when there are several.
    """
    repaired: list[ChatMessage] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        if message.role is Role.TOOL:
            continue
        repaired.append(message)
        if message.tool_calls:
            results: dict[str, ChatMessage] = {}
            while at < len(messages) and messages[at].role is Role.TOOL:
                results.setdefault(messages[at].tool_call_id, messages[at])
                at += 1
            repaired += [results.get(call.id) or _cancelled(call.id) for call in message.tool_calls]
    return tuple(repaired)


def _cancelled(call_id: str) -> ChatMessage:
    return ChatMessage(Role.TOOL, CANCELLED, tool_call_id=call_id)
