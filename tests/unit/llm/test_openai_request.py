"""What is sent, and what is learned from a refusal."""

from dataclasses import replace

import pytest

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest
from bot.domain.tool import ToolCall
from bot.llm.openai_request import Habits, body_of, learned, one_system_message
from bot.testing.model_contract import NOTE

REQUEST = ChatRequest((ChatMessage(Role.USER, "Hi"),), tools=(NOTE,), temperature=0.7)


@pytest.mark.parametrize(
    ("complaint", "habits"),
    [
        pytest.param("Unknown parameter: 'stream_options'.", Habits(takes_usage_wish=False), id="usage wish"),
        pytest.param("Use 'max_completion_tokens' instead of 'max_tokens'.", Habits(length_limit="max_completion_tokens"), id="limit"),
        pytest.param("'temperature' does not support 0.7", Habits(takes_temperature=False), id="temperature"),
        pytest.param("System message must be at the beginning.", Habits(takes_late_system=False), id="late system"),
        pytest.param("Conversation roles must alternate user/assistant", Habits(takes_late_system=False), id="roles alternate"),
        pytest.param("m does not support function calling", Habits(takes_tools=False), id="tools"),
        pytest.param("maximum context length is 8192 tokens", None, id="something else"),
        pytest.param("max_tokens is too large: 9999", None, id="limit too high"),
    ],
)
def test_complaint_is_taken_to_heart(complaint: str, habits: Habits | None) -> None:
    assert learned(Habits(), complaint, REQUEST) == habits


def test_nothing_is_learned_twice() -> None:
    all_learned = Habits(
        takes_tools=False, takes_usage_wish=False, takes_temperature=False, takes_late_system=False, length_limit="max_completion_tokens"
    )
    complaint = "stream_options, max_completion_tokens, temperature: system role and tools not supported"

    assert learned(all_learned, complaint, REQUEST) is None


def test_what_was_not_sent_is_not_blamed() -> None:
    bare = replace(REQUEST, tools=(), temperature=None)

    assert learned(Habits(), "tools and temperature are not supported", bare) is None


def test_later_system_messages_become_the_users_and_neighbours_are_joined() -> None:
    call = ChatMessage(Role.ASSISTANT, "", tool_calls=(ToolCall("a", "Note", "{}"),))
    result = ChatMessage(Role.TOOL, "done", tool_call_id="a")
    messages = [
        ChatMessage(Role.SYSTEM, "persona"),
        ChatMessage(Role.SYSTEM, "rules"),
        ChatMessage(Role.USER, "one"),
        ChatMessage(Role.SYSTEM, "now"),
        ChatMessage(Role.USER, "two"),
        call,
        result,
    ]

    joined = one_system_message(messages)

    assert joined == (ChatMessage(Role.SYSTEM, "persona\n\nrules"), ChatMessage(Role.USER, "one\n\nnow\n\ntwo"), call, result)


def test_body_leaves_out_what_is_not_taken() -> None:
    habits = Habits(takes_usage_wish=False, takes_temperature=False, length_limit="max_completion_tokens")

    body = body_of(replace(REQUEST, tools=()), "m", habits)

    assert set(body) == {"model", "messages", "stream", "max_completion_tokens"}
