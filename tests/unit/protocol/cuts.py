"""Texts that are hard to read, and every way of cutting them."""

from itertools import pairwise

from hypothesis import strategies as st

PIECES = st.sampled_from(
    [
        *("<", ">", "/", "</", "/>", "`", "``", "```", "~~~", "\n", "\n\n", " ", "\t", "\\", "=", "'", '"', "\r\n", "> ", "- ", "1. "),
        *("<mem_new>", "<mem_new", "</mem_new>", "<MEM_NEW importance='0.9'>", "<mem_update id=1>", "</mem_update", "<mem_tag id='a'/>"),
        *("<think>", "</think>", "<Thinking", "</reasoning >", "<think/>", "<thinking a=1>", "</thinki", "think"),
        *(
            "[THINK]",
            "[/THINK]",
            "◁think▷",
            "◁/think▷",
            "<seed:think>",
            "</seed:think>",
            "<thought>",
            " tag ",
            "the ",
            " and ",
            "(",
            ")",
            "[",
        ),
        *("<|channel|>analysis<|message|>", "<|channel|>final<|message|>", "<|end|>", "<|start|>assistant", "<|channel|>", "analysis", "A"),
        *("<|channel|>commentary to=functions.x<|message|>", "<|call|>", "<tool_call>", "</tool_call>", '{"name": "x"}', "{", "}", "]"),
        *("[TOOL_CALLS]", "[TOOL_CALLS]x", "[ARGS]", "<function=x>", "</function>", "assistantfinal", "<|start|>", ", then"),
        *("<mem_tag>", "</mem_tag>", "mem_", "<b>", "a < b", "<3", "猫", "🐱", "&lt;", "word", "x=1", "y='2'", 'z="3"', "```py", "x" * 300),
    ]
)
TEXTS = st.lists(PIECES, max_size=25).map("".join)
PLACES = st.lists(st.integers(0, 10_000), max_size=8)


def cut(text: str, places: list[int]) -> tuple[str, ...]:
    """Return the text in pieces, cut at these places (modulo its length)."""
    ends = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return tuple(text[start:end] for start, end in pairwise(ends))
