"""What is learned from a refusal."""

from dataclasses import replace

import pytest

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Image
from bot.llm.habits import Habits, habits_of, is_about_an_image, learned, learned_of_overflow
from bot.llm.overflow import Overflow
from bot.testing.model_contract import NOTE

CAT = Image("image/png", b"cat")
REQUEST = ChatRequest((ChatMessage(Role.SYSTEM, "Iris"), ChatMessage(Role.USER, "Hi", images=(CAT,))), tools=(NOTE,), temperature=0.7)
NO_IMAGES = Habits(takes_images=False)
NO_SYSTEM = Habits(takes_system=False)


@pytest.mark.parametrize(
    ("complaint", "habits"),
    [
        pytest.param("Unknown parameter: 'stream_options'.", Habits(takes_usage_wish=False), id="usage wish"),
        pytest.param("Use 'max_completion_tokens' instead of 'max_tokens'.", Habits(length_limit="max_completion_tokens"), id="limit"),
        pytest.param("'temperature' does not support 0.7", Habits(takes_temperature=False), id="temperature"),
        pytest.param("System message must be at the beginning.", Habits(takes_late_system=False), id="late system"),
        pytest.param("Conversation roles must alternate user/assistant", Habits(takes_late_system=False), id="roles alternate"),
        pytest.param("System role not supported", NO_SYSTEM, id="gemma"),
        pytest.param("Unsupported value: 'messages[0].role' does not support 'system' with this model.", NO_SYSTEM, id="o1-mini"),
        pytest.param("Developer instruction is not enabled for models/gemma-3-27b-it", NO_SYSTEM, id="gemini"),
        pytest.param("developer is not one of ['system', 'assistant', 'user']", None, id="not ours: we never send it"),
        pytest.param("m does not support function calling", Habits(takes_tools=False), id="tools"),
        pytest.param("No endpoints found that support image input", NO_IMAGES, id="openrouter"),
        pytest.param("Invalid content type. image_url is only supported by certain models.", NO_IMAGES, id="openai"),
        pytest.param("image input is not supported - hint: you may need to provide the mmproj", NO_IMAGES, id="llama.cpp"),
        pytest.param("At most 0 image(s) may be provided. m is not a multimodal model", NO_IMAGES, id="vllm"),
        pytest.param("unknown variant `image_url`, expected `text`", NO_IMAGES, id="deepseek"),
        pytest.param("'messages.1' : for 'role:user', messages[1].content must be a string", NO_IMAGES, id="groq"),
        pytest.param("max_tokens is too large: 9999. This model supports at most 512 completion tokens.", Habits(most_reply_tokens=512)),
        pytest.param("max_tokens must be less than or equal to `512`", Habits(most_reply_tokens=512), id="groq's limit"),
        pytest.param("maximum context length is 8192 tokens", None, id="something else"),
        pytest.param("max_tokens is too large: 9999", None, id="limit too high"),
    ],
)
def test_complaint_is_taken_to_heart(complaint: str, habits: Habits | None) -> None:
    assert learned(Habits(), complaint, REQUEST) == habits


def test_endpoint_that_knows_neither_name_of_the_limit_gets_none() -> None:
    other = learned(Habits(), "Unsupported parameter: max_tokens", REQUEST)
    assert other == Habits(length_limit="max_completion_tokens")

    assert learned(other, "Unsupported parameter: max_completion_tokens", REQUEST) == Habits(length_limit="")


def test_who_still_complains_of_roles_gets_no_system_message_at_all() -> None:
    first = learned(Habits(), "Conversation roles must alternate", REQUEST)
    assert first is not None

    assert learned(first, "Conversation roles must alternate", REQUEST) == replace(first, takes_system=False)


def test_nothing_is_learned_twice() -> None:
    all_learned = Habits(
        takes_tools=False,
        takes_images=False,
        takes_usage_wish=False,
        takes_temperature=False,
        takes_late_system=False,
        takes_system=False,
        length_limit="",
        most_reply_tokens=512,
    )
    complaint = "stream_options, max_completion_tokens, temperature: system role, images and tools not supported; max_tokens at most 512"

    assert learned(all_learned, complaint, REQUEST) is None


def test_what_was_not_sent_is_not_blamed() -> None:
    bare = ChatRequest((ChatMessage(Role.USER, "Hi"),))

    assert learned(Habits(), "tools, images, system role and temperature are not supported", bare) is None


@pytest.mark.parametrize(
    ("complaint", "status"),
    [("Invalid image data", 400), ("Could not process image", 400), ("", 413), ("image exceeds 5 MB maximum", 400)],
)
def test_complaint_about_one_image_blames_no_model(complaint: str, status: int) -> None:
    assert learned(Habits(), complaint, REQUEST) is None
    assert is_about_an_image(complaint, status, REQUEST)
    assert not is_about_an_image(complaint, status, replace(REQUEST, messages=REQUEST.messages[:1]))


def test_answer_that_would_fill_the_window_is_made_shorter() -> None:
    assert learned_of_overflow(Habits(), Overflow(limit=1600, asked=0), REQUEST) == Habits(most_reply_tokens=400)
    assert learned_of_overflow(Habits(), Overflow(limit=8192, asked=9000), REQUEST) is None
    assert learned_of_overflow(Habits(), Overflow(limit=1600, asked=1700), REQUEST) is None
    assert learned_of_overflow(Habits(), Overflow(limit=0, asked=0), REQUEST) is None


def test_a_name_gives_away_that_a_model_is_blind() -> None:
    assert habits_of("deepseek-chat") == NO_IMAGES
    assert habits_of("some-model") == Habits()
