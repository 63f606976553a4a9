"""Reasoning in a model's answer."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.protocol.reasoning import ReasoningFilter, ReasoningResult, Retraction
from bot.protocol.scanner import VisibleText
from tests.unit.protocol.cuts import PIECES, PLACES, TEXTS, cut


def visible(results: list[ReasoningResult]) -> list[str]:
    """Return the visible text between retractions."""
    stretches = [""]
    for result in results:
        if isinstance(result, Retraction):
            stretches.append("")
        else:
            stretches[-1] += result.text
    return stretches


def read(chunks: tuple[str, ...]) -> list[str]:
    reasoning = ReasoningFilter()
    return visible([result for chunk in chunks for result in reasoning.feed(chunk)] + reasoning.close())


def without_reasoning(text: str) -> str:
    """Return what a whole answer comes to."""
    return read((text,))[-1].strip()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        pytest.param("<think>She likes tea.</think>\n\nTea!", "Tea!", id="think"),
        pytest.param("<thinking>\n\nHm\n</thinking>Tea!", "Tea!", id="thinking"),
        pytest.param("<Reasoning>Hm</REASONING>Tea!", "Tea!", id="reasoning in capitals"),
        pytest.param('<think time="3">Hm</thinking>Tea!', "Tea!", id="attributes and another end"),
        pytest.param("Well. <think>Hm</think> Tea!", "Well. Tea!", id="in the middle"),
        pytest.param("<think>a</think>A<think>b</think>B", "AB", id="twice"),
        pytest.param("Tea! <think>and then", "Tea!", id="not closed"),
        pytest.param("<think>and </thin", "", id="closing tag cut"),
        pytest.param("Tea! <thi", "Tea!", id="opening tag cut"),
        pytest.param("She likes tea.\n</think>\n\nTea!", "Tea!", id="opening tag in the prompt"),
        pytest.param("</think>Tea!", "Tea!", id="leading orphan"),
        pytest.param("<think>a</think>A</think> B", "A B", id="late orphan"),
        pytest.param("<think/>Tea!", "Tea!", id="empty tag"),
        pytest.param("<think>```\ncode</think>Tea!", "Tea!", id="code in reasoning"),
        pytest.param("Use `<think>` or\n```\n<think>\n```\nok", "Use `<think>` or\n```\n<think>\n```\nok", id="in code"),
        pytest.param("I <thinker> <b>think</b> a < b", "I <thinker> <b>think</b> a < b", id="other tags"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_reasoning_is_taken_out(text: str, answer: str) -> None:
    assert without_reasoning(text) == answer


@settings(max_examples=1500, deadline=None)
@given(TEXTS, PLACES)
def test_cutting_anywhere_changes_nothing(text: str, places: list[int]) -> None:
    assert read(cut(text, places)) == read((text,))


@settings(max_examples=700, deadline=None)
@given(TEXTS)
def test_one_character_at_a_time_changes_nothing(text: str) -> None:
    assert read(tuple(text)) == read((text,))


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES.filter(lambda piece: not set(piece) & set("`~\\")), max_size=25).map("".join))
def test_outside_code_no_reasoning_tag_is_left(text: str) -> None:
    assert "<think>" not in without_reasoning(text)


def test_reasoning_is_never_held_in_memory() -> None:
    reasoning = ReasoningFilter()
    tracemalloc.start()

    shown = [result for _ in range(1000) for result in reasoning.feed("<think>" + "x" * 1000)]
    held_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert shown == []
    assert held_bytes < 100_000


def test_an_answer_is_shown_while_it_comes() -> None:
    reasoning = ReasoningFilter()

    assert reasoning.feed("<think>a") == []
    assert reasoning.feed("</think> Tea") == [VisibleText("Tea")]
    assert reasoning.feed(" is") == [VisibleText(" is")]
