"""What names give away."""

import pytest

from bot.llm.known_models import is_blind


@pytest.mark.parametrize(
    ("name", "blind"),
    [
        *[(name, True) for name in ("gpt-3.5-turbo", "o1-mini", "deepseek/deepseek-r1", "mixtral-8x7b", "llama3.1:8b", "Qwen/Qwen2.5-7B")],
        *[(name, True) for name in ("meta-llama/Llama-3.3-70B-Instruct", "google/gemma-2-9b-it", "openai/gpt-oss-20b", "smollm2:135m")],
        *[(name, False) for name in ("gpt-4o", "gpt-5", "o3", "claude-sonnet-4", "gemini-2.5-flash", "gemma3:12b", "qwen2.5-vl-7b")],
        *[(name, False) for name in ("llama3.2-vision", "deepseek-vl2", "pixtral-12b", "grok-4", "phi3-vision", "whatever", "")],
    ],
)
def test_only_models_that_surely_see_nothing_are_blind(name: str, blind: bool) -> None:
    assert is_blind(name) is blind
