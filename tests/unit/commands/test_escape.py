import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.commands.escape import shown

MARKUP = st.lists(
    st.sampled_from([*"*_~`|[]()<>#&@!\\-+=.1:;x ", "\n", "\t", "**", "```", "~~", "||", "&amp;", "<@1>", "http://", "a_b", "1.", "日本"])
).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada likes tea", "Ada likes tea"),
        ("a *b* _c_ `d` ||e||", r"a \*b\* \_c\_ \`d\` \|\|e\|\|"),
        ("my_long_name stays", "my_long_name stays"),
        ("# head", r"\# head"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("2.5 metres", r"2\.5 metres"),
        ("> quote", r"\> quote"),
        ("one\n\n# two", "one # two"),
        ("@everyone and <@123>", "@\u200beveryone and \\<@\u200b123\\>"),
        ("a@b", "a@\u200bb"),
        ("tea & cake &amp; &#35;", r"tea & cake \&amp; \&#35;"),
        ("[x](https://example.org)", r"\[x\](https://example.org)"),
        ("abc\u202edef\u0007", "abcdef"),
        (" \n ", ""),
    ],
)
def test_peoples_words_keep_their_look_and_lose_their_power(text: str, expected: str) -> None:
    assert shown(text) == expected


@given(MARKUP | st.text(max_size=60))
@example("1) x")
@example("---")
@example("a\\")
@example("@_")
def test_markdown_shows_the_text_itself(text: str) -> None:
    rendered = MarkdownIt("commonmark").enable(["strikethrough", "table"]).parse(shown(text))

    assert [token.type for token in rendered] in ([], ["paragraph_open", "inline", "paragraph_close"])
    pieces = (rendered[1].children or []) if rendered else []
    assert {piece.type for piece in pieces} <= {"text", "text_special"}
    assert "".join(piece.content for piece in pieces) == shown_plainly(text)


@given(MARKUP)
def test_it_may_stand_in_a_list_of_other_lines(text: str) -> None:
    listing = f"- `#1` {shown(text)} (2026-05-03)\n- `#2` next"

    items = [token for token in MarkdownIt("commonmark").parse(listing) if token.type == "list_item_open"]

    assert len(items) == 2


@given(MARKUP | st.text())
def test_nobody_is_pinged(text: str) -> None:
    assert re.search(r"@\w", shown(text)) is None


def shown_plainly(text: str) -> str:
    """Return what a reader should see: one line, nothing invisible, pings broken."""
    hidden = {*map(chr, range(0x20)), "\x7f", "\u200b", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
    visible = "".join(character for character in text if character not in hidden or character.isspace())
    return re.sub(r"@(?=\w)", "@\u200b", " ".join(visible.split()))
