"""Cutting long answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import Part, Span, StyleKind
from bot.domain.text import utf16_length
from bot.platforms.telegram.split import MOST_SPANS, split

Styled = list[tuple[str, frozenset[StyleKind]]]


def styled_letters(part: Part) -> Styled:
    """Return each character that is no blank with the styles on it."""
    letters, unit = [], 0
    for character in part.text:
        styles = frozenset(span.kind for span in part.spans if span.offset <= unit < span.offset + span.length)
        letters.append((character, styles))
        unit += utf16_length(character)
    return [letter for letter in letters if not letter[0].isspace()]


@st.composite
def parts(draw: st.DrawFn) -> Part:
    words = draw(st.lists(st.text(alphabet="abc🐱。.\n ", min_size=1, max_size=12), max_size=20))
    text, spans = "", []
    for word in words:
        if word.strip() and draw(st.booleans()):
            spans.append(Span(draw(st.sampled_from(StyleKind)), utf16_length(text), utf16_length(word)))
        text += word
    return Part(text, tuple(spans))


@given(parts(), st.integers(min_value=2, max_value=40))
def test_nothing_is_lost_and_every_part_fits(part: Part, limit: int) -> None:
    pieces = split(part, limit=limit)

    assert all(piece.text.strip() and utf16_length(piece.text) <= limit for piece in pieces)
    assert [letter for piece in pieces for letter in styled_letters(piece)] == styled_letters(part)


@given(parts(), st.integers(min_value=2, max_value=40))
def test_spans_stay_inside_their_part(part: Part, limit: int) -> None:
    for piece in split(part, limit=limit):
        assert all(span.length > 0 and 0 <= span.offset <= utf16_length(piece.text) - span.length for span in piece.spans)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        pytest.param("one two\n\nthree four", ["one two", "three four"], id="between paragraphs"),
        pytest.param("one two\nthree four", ["one two", "three four"], id="between lines"),
        pytest.param("One two. Three four", ["One two.", "Three four"], id="between sentences"),
        pytest.param("あいうえお。かきくけこさしす", ["あいうえお。", "かきくけこさしす"], id="between Japanese sentences"),
        pytest.param("onetwothree fourfive", ["onetwothree", "fourfive"], id="between words"),
        pytest.param("onetwothreefour", ["onetwothreef", "our"], id="in a long word"),
        pytest.param("🐱🐱🐱🐱🐱🐱🐱", ["🐱🐱🐱🐱🐱🐱", "🐱"], id="between emoji"),
        pytest.param("aaaaaaaa👩‍👩‍👧", ["aaaaaaaa", "👩‍👩‍👧"], id="not inside a joined emoji"),
        pytest.param("  \n ", [], id="blank"),
    ],
)
def test_cuts_stand_where_a_reader_expects_them(text: str, pieces: list[str]) -> None:
    assert [piece.text for piece in split(Part(text), limit=12)] == pieces


def test_code_is_cut_between_lines_and_keeps_its_indentation() -> None:
    code = "def f():\n    return 1\ndef g():\n    return 2"
    part = Part(code, (Span(StyleKind.CODE_BLOCK, 0, len(code), "python"),))

    first, second = split(part, limit=30)

    assert (first.text, second.text) == ("def f():\n    return 1", "def g():\n    return 2")
    assert [span.detail for span in (*first.spans, *second.spans)] == ["python", "python"]


def test_no_part_has_more_spans_than_telegram_shows() -> None:
    text = "b " * 250
    spans = tuple(Span(StyleKind.BOLD, 2 * index, 1) for index in range(250))

    pieces = split(Part(text, spans))

    assert max(len(piece.spans) for piece in pieces) <= MOST_SPANS
    assert sum(len(piece.spans) for piece in pieces) == 250
