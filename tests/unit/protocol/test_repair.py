"""Prompts whose tool calls and results do not fit together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import Role
from bot.domain.model import ChatMessage
from bot.domain.tool import ToolCall
from bot.protocol.repair import repair

SYSTEM = ChatMessage(Role.SYSTEM, "You are Iris.")
USER = ChatMessage(Role.USER, "Hi")
ANSWER = ChatMessage(Role.ASSISTANT, "Hello")


def calling(*ids: str) -> ChatMessage:
    return ChatMessage(Role.ASSISTANT, "", tool_calls=tuple(ToolCall(call_id, "Note", "{}") for call_id in ids))


def result(call_id: str, text: str = "done") -> ChatMessage:
    return ChatMessage(Role.TOOL, text, tool_call_id=call_id)


@pytest.mark.parametrize(
    ("messages", "repaired"),
    [
        pytest.param([SYSTEM, USER, ANSWER, USER], [SYSTEM, USER, ANSWER, USER], id="no tools"),
        pytest.param([USER, calling("a"), result("a"), ANSWER], [USER, calling("a"), result("a"), ANSWER], id="complete"),
        pytest.param([USER, calling("a"), USER], [USER, calling("a"), result("a", "cancelled"), USER], id="b51 no result"),
        pytest.param([USER, calling("a")], [USER, calling("a"), result("a", "cancelled")], id="nothing after the call"),
        pytest.param([calling("a", "b"), result("b")], [calling("a", "b"), result("a", "cancelled"), result("b")], id="one of two"),
        pytest.param([USER, result("a"), ANSWER], [USER, ANSWER], id="orphan"),
        pytest.param([calling("a"), USER, result("a")], [calling("a"), result("a", "cancelled"), USER], id="too late"),
        pytest.param([calling("a"), result("a"), result("a", "2"), result("x")], [calling("a"), result("a")], id="too many"),
        pytest.param(
            [calling("a"), calling("a"), result("a")], [calling("a"), result("a", "cancelled"), calling("a"), result("a")], id="same id"
        ),
        pytest.param([], [], id="nothing"),
    ],
)
def test_every_call_gets_one_result_and_every_result_a_call(messages: list[ChatMessage], repaired: list[ChatMessage]) -> None:
    assert repair(messages) == tuple(repaired)


IDS = st.sampled_from(["a", "b", "c"])
MESSAGES = st.lists(
    st.one_of(
        st.sampled_from([SYSTEM, USER, ANSWER]),
        st.builds(result, IDS),
        st.lists(IDS, min_size=1, unique=True).map(lambda ids: calling(*ids)),
    )
)


@given(MESSAGES)
def test_a_repaired_prompt_holds_what_it_promises_and_needs_no_repair(messages: list[ChatMessage]) -> None:
    repaired = repair(messages)

    assert repair(repaired) == repaired
    assert [message for message in repaired if message.role is not Role.TOOL] == [m for m in messages if m.role is not Role.TOOL]
    for at, message in enumerate(repaired):
        following = repaired[at + 1 : at + 1 + len(message.tool_calls)]
        assert [each.tool_call_id for each in following] == [call.id for call in message.tool_calls]
