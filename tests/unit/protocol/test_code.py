"""Markdown's code, recognised in a text that still grows."""

import pytest

from bot.protocol.code import MAX_INLINE, Fence, Stretch, read_block, read_code, starts_block


@pytest.mark.parametrize(
    ("text", "starts_line", "stretch"),
    [
        pytest.param("`a` b", False, Stretch(3), id="inline"),
        pytest.param("``a ` b`` c", False, Stretch(9), id="inline with a backtick"),
        pytest.param("` b\n\n` c", False, Stretch(1), id="no partner in the paragraph"),
        pytest.param("` b\n```\n", False, Stretch(1), id="a block ends the paragraph"),
        pytest.param("`" + "a" * MAX_INLINE + "` b", False, Stretch(1), id="partner too far"),
        pytest.param("```py\n", True, Stretch(3, Fence("`", 3)), id="block"),
        pytest.param("```a``` b", True, Stretch(7), id="inline at the start of a line"),
        pytest.param("```bc", False, Stretch(3, Fence("`", 3, within_line=True)), id="block within a line"),
        pytest.param("~~~~\n", True, Stretch(4, Fence("~", 4)), id="tilde block"),
        pytest.param("~~~ ", False, Stretch(3), id="tildes within a line"),
        pytest.param("~~a", True, Stretch(2), id="struck out"),
        pytest.param("``", True, None, id="run may go on"),
        pytest.param("`a", True, None, id="partner may come"),
        pytest.param("```py", True, None, id="inline or block"),
    ],
)
def test_what_a_backtick_or_tilde_begins(text: str, starts_line: bool, stretch: Stretch | None) -> None:
    assert read_code(text, 0, starts_line=starts_line, final=False) == stretch


@pytest.mark.parametrize(
    ("text", "fresh_line", "stretch"),
    [
        pytest.param("code\nmore", True, Stretch(5, Fence("`", 3)), id="a line"),
        pytest.param("  ```  \nmore", True, Stretch(7), id="end"),
        pytest.param("````\n", True, Stretch(4), id="longer end"),
        pytest.param("```py\n", True, Stretch(6, Fence("`", 3)), id="no end with a word"),
        pytest.param("```\n", False, Stretch(4, Fence("`", 3)), id="no end within a line"),
        pytest.param("``", True, None, id="may become the end"),
        pytest.param("~~~\n", True, Stretch(4, Fence("`", 3)), id="other mark"),
    ],
)
def test_a_block_goes_on_to_a_line_of_its_mark(text: str, fresh_line: bool, stretch: Stretch | None) -> None:
    assert read_block(text, 0, Fence("`", 3), fresh_line=fresh_line, final=False) == stretch


@pytest.mark.parametrize(("line", "starts"), [("", True), ("  > - ", True), ("12. ", True), ("a ", False), ("-", False)])
def test_a_block_may_start_behind_marks_of_lists_and_quotes(line: str, starts: bool) -> None:
    assert starts_block(line) is starts


def test_only_backticks_and_tildes_are_read() -> None:
    with pytest.raises(ValueError, match="neither a backtick nor a tilde"):
        read_code("a", 0, starts_line=True, final=True)
