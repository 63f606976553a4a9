"""Prompts that are too long, in the words of endpoints."""

import pytest

from bot.llm.overflow import Overflow, overflow_in

LLAMA_CPP = {"code": 400, "message": "x", "type": "exceed_context_size_error", "n_prompt_tokens": 1407, "n_ctx": 256}


@pytest.mark.parametrize(
    ("complaint", "limit", "asked"),
    [
        pytest.param(
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. context_length_exceeded",
            8192,
            9001,
            id="openai",
        ),
        pytest.param(
            "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (3976 in the messages, 1024 in the "
            "completion).",
            4096,
            3976,
            id="vllm",
        ),
        pytest.param("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", 4096, 5000, id="vllm 0.8"),
        pytest.param(
            "'max_tokens' is too large: 512. This model's maximum context length is 4096 tokens and your request has 4000 input tokens "
            "(512 > 4096 - 4000).",
            4096,
            4000,
            id="vllm answer",
        ),
        pytest.param("the request exceeds the available context size. try increasing the context size", 0, 0, id="llama.cpp"),
        pytest.param(
            "request (1407 tokens) exceeds the available context size (256 tokens), try increasing it", 256, 1407, id="llama.cpp 2"
        ),
        pytest.param("Requested tokens (2285) exceed context window of 2048", 2048, 2285, id="llama-cpp-python"),
        pytest.param("the input length exceeds the context length", 0, 0, id="ollama"),
        pytest.param(
            "Trying to keep the first 9001 tokens when context the overflows. However, the model is loaded with context length of only "
            "4096 tokens, which is not enough.",
            4096,
            9001,
            id="lm studio",
        ),
        pytest.param("Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", 7424, 15028, id="lm studio 0.4"),
        pytest.param(
            "This endpoint's maximum context length is 65536 tokens. However, you requested about 70000 tokens (69000 of text input, 9 in "
            "the output).",
            65536,
            69000,
            id="openrouter",
        ),
        pytest.param("prompt is too long: 208310 tokens > 200000 maximum", 200000, 208310, id="anthropic"),
        pytest.param("input length and `max_tokens` exceed context limit: 198000 + 4096 > 200000", 200000, 198000, id="anthropic answer"),
        pytest.param(
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1048576, 1200000, id="gemini"
        ),
        pytest.param(
            "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
            32768,
            40000,
            id="mistral",
        ),
        pytest.param("Please reduce the length of the messages or completion. context_length_exceeded", 0, 0, id="groq"),
        pytest.param("This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131072, 537812, id="xai"),
        pytest.param(
            "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 100 `max_new_tokens`",
            8193,
            9000,
            id="together",
        ),
    ],
)
def test_every_wording_is_understood_with_its_numbers(complaint: str, limit: int, asked: int) -> None:
    assert overflow_in(complaint) == Overflow(limit, asked)


@pytest.mark.parametrize("body", [LLAMA_CPP, {"error": LLAMA_CPP}])
def test_numbers_in_fields_count_first(body: object) -> None:
    assert overflow_in("the request exceeds the available context size", 500, body) == Overflow(256, 1407)


def test_request_that_is_too_large_is_too_long_whatever_it_says() -> None:
    assert overflow_in("Request too large for model `m`: Limit 6000, Requested 7000", 413) == Overflow(6000, 0)
    assert overflow_in("", 413) == Overflow(0, 0)


@pytest.mark.parametrize(
    "complaint",
    [
        "max_tokens is too large: 9999",
        "image exceeds 5 MB maximum",
        "rate limit exceeded",
        "maximum number of tools exceeded",
        "",
        "context",
    ],
)
def test_other_complaints_are_left_alone(complaint: str) -> None:
    assert overflow_in(complaint) is None
