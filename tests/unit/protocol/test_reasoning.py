"""Reasoning in a model's answer."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.protocol.reasoning import ReasoningFilter, ReasoningResult, Retraction
from bot.protocol.scanner import VisibleText
from tests.unit.protocol.cuts import PIECES, PLACES, TEXTS, cut

ANALYSIS = "<|channel|>analysis<|message|>She likes tea.<|end|>"


def visible(results: list[ReasoningResult]) -> list[str]:
    """Return the visible text between retractions."""
    stretches = [""]
    for result in results:
        if isinstance(result, Retraction):
            stretches.append("")
        elif isinstance(result, VisibleText):
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
        pytest.param("<thought>Hm</thought>Tea!", "Tea!", id="thought"),
        pytest.param("[THINK]Hm[/THINK]Tea!", "Tea!", id="mistral"),
        pytest.param("Hm[/THINK]Tea!", "Tea!", id="mistral opened in the prompt"),
        pytest.param("◁think▷Hm◁/think▷Tea!", "Tea!", id="kimi"),
        pytest.param("<seed:think>Hm <seed:cot_budget_reflect>7</seed:cot_budget_reflect></seed:think>Tea!", "Tea!", id="seed"),
        pytest.param("<|begin_of_thought|>Hm<|end_of_thought|>\n<|begin_of_solution|>Tea!<|end_of_solution|>", "Tea!", id="openthinker"),
        pytest.param("<|START_THINKING|>Hm<|END_THINKING|><|START_RESPONSE|>Tea!<|END_RESPONSE|>", "Tea!", id="command-a"),
        pytest.param("<|channel>thought\nHm<channel|>Tea!", "Tea!", id="gemma 4"),
        pytest.param("[THINK]and then", "", id="mistral not closed"),
        pytest.param("Tea! [THI", "Tea!", id="mistral cut"),
        pytest.param(f"{ANALYSIS}<|start|>assistant<|channel|>final<|message|>Tea!<|return|>", "Tea!", id="harmony"),
        pytest.param(f"{ANALYSIS}<|channel|>final <|constrain|>json<|message|>{{}}", "{}", id="harmony json"),
        pytest.param("<|channel|>analysis<|message|>Hm", "", id="harmony without an end"),
        pytest.param("Hm<|end|><|start|>assistant<|channel|>final<|message|>Tea!", "Tea!", id="harmony opened in the prompt"),
        pytest.param("<|channel|>commentary<|message|>Let me see.<|end|>" + ANALYSIS, "Let me see.", id="harmony said before a call"),
        pytest.param("analysisThe user greets.assistantfinalTea!", "Tea!", id="harmony without its marks"),
        pytest.param("analysis of tea", "analysis of tea", id="a word"),
        pytest.param('<think>{"a": 1}</think>{"b": 2}', '{"b": 2}', id="before json"),
        pytest.param("Use the <think> tag for it.", "Use the <think> tag for it.", id="spoken of"),
        pytest.param('Write "<think>" and go on.', 'Write "<think>" and go on.', id="quoted"),
        pytest.param("Put it between <think> and </think>, then answer.", "Put it between <think> and </think>, then answer.", id="pair"),
        pytest.param("I write <think> first.", "I write <think> first.", id="spoken of in a sentence"),
        pytest.param("<think>tags?</think>The <think> tag opens, </think> closes.", "The <think> tag opens, </think> closes.", id="both"),
        pytest.param("You want the <think> tag.\n</think>\nTea!", "Tea!", id="spoken of in reasoning that the prompt opened"),
        pytest.param("Well <think> she likes tea, so</think> tea!", "Well tea!", id="not spoken of, for it is closed"),
        pytest.param("Use [THINK] in `[THINK]` or `◁think▷`", "Use", id="mistral's is never spoken of but in code"),
        pytest.param("`◁think▷` and `[THINK]` and [a](b) [x]", "`◁think▷` and `[THINK]` and [a](b) [x]", id="marks in code"),
        pytest.param("A <|end|> B <|im_end|>", "A <|end|> B <|im_end|>", id="marks of no channel"),
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
def test_outside_code_no_reasoning_tag_is_left_that_begins_a_line(text: str) -> None:
    assert "\n<think>" not in "\n" + without_reasoning(text.replace("<think>", "\n<think>"))


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
