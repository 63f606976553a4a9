"""What is sent."""

from dataclasses import replace

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Image
from bot.domain.tool import ToolCall
from bot.llm.habits import Habits
from bot.llm.openai_request import NOT_SHOWN, body_of, one_system_message
from bot.testing.model_contract import NOTE

CAT = Image("image/png", b"cat")
REQUEST = ChatRequest((ChatMessage(Role.USER, "Hi"),), tools=(NOTE,), temperature=0.7)


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


def test_history_that_begins_with_the_persona_gets_somebody_to_answer_and_the_two_take_turns() -> None:
    greeting, second = ChatMessage(Role.ASSISTANT, "Hello."), ChatMessage(Role.ASSISTANT, "Anybody?")

    joined = one_system_message([ChatMessage(Role.SYSTEM, "persona"), greeting, second, ChatMessage(Role.USER, "Hi")])

    assert [message.role for message in joined] == [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.USER]


def test_without_a_system_role_the_first_word_of_the_user_begins_with_what_it_said() -> None:
    body = body_of(ChatRequest((ChatMessage(Role.SYSTEM, "Be Iris."), *REQUEST.messages)), "m", Habits(takes_system=False))

    assert body["messages"] == [{"role": "user", "content": "Be Iris.\n\nHi"}]


def test_images_stand_behind_their_text_as_data() -> None:
    body = body_of(
        ChatRequest((ChatMessage(Role.USER, "What is this?", images=(CAT,)), ChatMessage(Role.USER, "", images=(CAT,)))), "m", Habits()
    )

    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,Y2F0"}}
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]},
        {"role": "user", "content": [picture]},
    ]


def test_images_that_are_not_taken_leave_a_word() -> None:
    body = body_of(ChatRequest((ChatMessage(Role.USER, "What is this?", images=(CAT, CAT)),)), "m", Habits(takes_images=False))

    assert body["messages"] == [{"role": "user", "content": f"What is this?\n{NOT_SHOWN}\n{NOT_SHOWN}"}]


def test_answer_is_no_longer_than_the_endpoint_allows() -> None:
    assert body_of(REQUEST, "m", Habits(most_reply_tokens=100))["max_tokens"] == 100
    assert "max_tokens" not in body_of(REQUEST, "m", Habits(length_limit=""))


def test_body_leaves_out_what_is_not_taken() -> None:
    habits = Habits(takes_usage_wish=False, takes_temperature=False, length_limit="max_completion_tokens")

    body = body_of(replace(REQUEST, tools=()), "m", habits)

    assert set(body) == {"model", "messages", "stream", "max_completion_tokens"}
