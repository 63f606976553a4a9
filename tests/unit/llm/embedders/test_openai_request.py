import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.llm.embedders.openai_request import EmbeddingHabits, cut_to, learned
from bot.llm.tokens import BpeTokens

TOKENS = BpeTokens()


@given(text=st.text(max_size=200), most=st.integers(1, 40))
@settings(deadline=None)
def test_a_cut_text_begins_the_whole_and_has_no_more_tokens(text: str, most: int) -> None:
    cut = cut_to(text, most, TOKENS)

    assert text.startswith(cut)
    assert TOKENS.count(cut) <= most


def test_as_much_is_kept_as_fits() -> None:
    assert cut_to("猫" * 9000, 100, TOKENS) == "猫" * (100 // TOKENS.count("猫"))
    assert cut_to("tea " * 50, 50, TOKENS) == "tea " * 49 + "tea"


@pytest.mark.parametrize(
    ("status", "complaint", "changed"),
    [
        pytest.param(400, "This model's maximum context length is 512 tokens", EmbeddingHabits(most_tokens=4000), id="OpenAI, vLLM"),
        pytest.param(
            413, "Input validation error: `inputs` must have less than 512 tokens. Maximum tokens", EmbeddingHabits(most_tokens=4000)
        ),
        pytest.param(
            500, "input is too large to process. increase the physical batch size", EmbeddingHabits(most_tokens=4000), id="llama.cpp"
        ),
        pytest.param(400, "dimensions is not supported", EmbeddingHabits(takes_dimensions=False), id="no dimensions"),
        pytest.param(401, "maximum tokens", None, id="a wrong key"),
        pytest.param(400, "model not loaded", None, id="something else"),
    ],
)
def test_a_refusal_teaches_what_is_not_taken(status: int, complaint: str, changed: EmbeddingHabits | None) -> None:
    assert learned(EmbeddingHabits(), status, complaint) == changed


def test_learning_comes_to_an_end() -> None:
    habits, steps = EmbeddingHabits(), 0
    while (changed := learned(habits, 400, "dimensions, base64, too long")) is not None:
        habits, steps = changed, steps + 1

    assert steps < 12
