"""Markdown as text with spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import Part, StyleKind
from bot.domain.text import utf16_length
from bot.platforms.telegram.convert import to_entities
from bot.platforms.telegram.render import render
from bot.platforms.telegram.split import split
from tests.emulators.telegram.entities import Entity
from tests.emulators.telegram.methods.content import settled_text


def marked(part: Part) -> list[tuple[StyleKind, str]]:
    encoded = part.text.encode("utf-16-le")
    return [(span.kind, encoded[2 * span.offset : 2 * (span.offset + span.length)].decode("utf-16-le")) for span in part.spans]


@pytest.mark.parametrize(
    ("markdown", "text", "spans"),
    [
        pytest.param("a **b** c", "a b c", [("bold", "b")], id="bold"),
        pytest.param("🐱 **cat** 🐱 *x*", "🐱 cat 🐱 x", [("bold", "cat"), ("italic", "x")], id="emoji before spans"),
        pytest.param("**a *b* c**", "a b c", [("bold", "a b c"), ("italic", "b")], id="nested"),
        pytest.param("**a `b` c**", "a b c", [("bold", "a "), ("code", "b"), ("bold", " c")], id="no bold in code"),
        pytest.param("~~a~~ ||b||", "a b", [("strike", "a"), ("spoiler", "b")], id="strike and spoiler"),
        pytest.param("# Title\ntext", "Title\n\ntext", [("bold", "Title")], id="heading"),
        pytest.param("> a\n> b\n\nc", "a\nb\n\nc", [("quote", "a\nb")], id="quote"),
        pytest.param("```py\nx = 1\n```", "x = 1", [("code_block", "x = 1")], id="code block"),
        pytest.param("```\nopen", "open", [("code_block", "open")], id="code block without end"),
        pytest.param("[tea](https://tea.example/a)", "tea", [("link", "tea")], id="link"),
        pytest.param("<https://tea.example>", "https://tea.example", [], id="address alone"),
        pytest.param("[me](tg://user?id=1)", "me", [], id="no links that notify"),
        pytest.param("[x](http://localhost)", "x", [], id="no links that Telegram refuses"),
        pytest.param("- a\n- b\n  1. c\n  2. d", "• a\n• b\n   1. c\n   2. d", [], id="lists"),
        pytest.param("3. c\n4. d", "3. c\n4. d", [], id="list that starts at three"),
        pytest.param("a\nb\n\nc", "a\nb\n\nc", [], id="lines stay lines"),
        pytest.param("a\n\n---\n\nb", "a\n\n⎯⎯⎯⎯⎯⎯⎯⎯\n\nb", [], id="rule"),
        pytest.param("<b>a</b> 1 < 2 &amp; 3<br>c", "a 1 < 2 & 3\nc", [("bold", "a")], id="html"),
        pytest.param("<u>a *b*</u> <i>c", "a b c", [("underline", "a b"), ("italic", "b")], id="html around and unclosed"),
        pytest.param("*a <b>b* c</b>", "a b c", [("italic", "a b")], id="html across markup"),
        pytest.param("<x> <div class='y'>z</div> `<b>`", "<x> z <b>", [("code", "<b>")], id="html that means nothing"),
        pytest.param("- [ ] a\n- [x] **b**\n- [c] d", "☐ a\n☑ b\n• [c] d", [("bold", "b")], id="tasks"),
        pytest.param("hi <:tea:123> <a:wave:4>", "hi :tea: :wave:", [], id="emoji of Discord"),
        pytest.param("![cat](https://tea.example/cat.png)", "cat", [("link", "cat")], id="picture"),
        pytest.param("**open `code", "**open `code", [], id="unclosed"),
        pytest.param("2*3*4 and snake_case_name", "2*3*4 and snake_case_name", [], id="not every star is markup"),
        pytest.param("**「これ」**と**それ**です", "「これ」とそれです", [("bold", "「これ」"), ("bold", "それ")], id="Japanese"),
        pytest.param("    four blanks", "four blanks", [], id="indented"),
        pytest.param(" \n ", "", [], id="blank"),
    ],
)
def test_markdown_reads_well(markdown: str, text: str, spans: list[tuple[str, str]]) -> None:
    part = render(markdown)

    assert part.text == text
    assert marked(part) == spans


def test_links_and_code_blocks_carry_their_details() -> None:
    part = render("[tea](https://tea.example)\n```python\nx\n```")

    assert [span.detail for span in part.spans] == ["https://tea.example", "python"]


def test_nobody_is_notified_by_a_name_in_an_answer() -> None:
    part = render("Hi @bob, mail a@b.example or say `@bob`")

    assert part.text == "Hi @\N{WORD JOINER}bob, mail a@b.example or say @bob"


def test_small_tables_are_drawn_and_align_wide_letters() -> None:
    part = render("| Name | Age |\n|---|---|\n| Mochi | 3 |\n| 猫 | 12 |")

    assert part.text == "Name  │ Age\n──────┼────\nMochi │ 3\n猫    │ 12"
    assert [span.kind for span in part.spans] == [StyleKind.CODE_BLOCK]


def test_wide_tables_become_lines() -> None:
    part = render(f"| Name | Story |\n|---|---|\n| **Mochi** | {'likes tea ' * 5}|")

    assert part.text == f"Mochi\nStory: {'likes tea ' * 5}".strip()
    assert marked(part) == [(StyleKind.BOLD, "Mochi")]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        pytest.param(r"\(x^2 + \frac{a_1}{\sqrt{b}}\)", "x² + a₁/√b", id="inline"),
        pytest.param(r"So $E=mc^2$ costs $5 and $10.", "So E=mc² costs $5 and $10.", id="dollars"),
        pytest.param("a\n\n\\[\n\\sum_{i=1}^{n} x_i \\le \\infty\n\\]\n\nb", "a\n\n∑ᵢ₌₁ⁿ xᵢ ≤ ∞\n\nb", id="block"),
        pytest.param(r"$$\text{speed} = \frac{d + 1}{t}$$", "speed = (d + 1)/t", id="words"),
        pytest.param(r"$x^{\alpha}_T$ \(open", "x^α_T (open", id="what has no sign stays"),
    ],
)
def test_formulas_become_readable(markdown: str, text: str) -> None:
    assert render(markdown).text == text


PIECES = st.sampled_from(
    ["a", "🐱", " ", "\n", "\n\n", "**", "*", "_", "~~", "||", "`", "```", "> ", "- ", "- [ ] ", "1. ", "# ", "| ", "|---|", "[", "](https://t.example)",
     "<b>", "</b>", "<u>", "</u>", "<i>", "</i>", "<br>", "$x^2$", "\\(", "\\)", "<:e:1>", "@bob", "「", "。", "\\", "https://tea.example/a"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join), st.integers(20, 4096))
def test_telegram_takes_whatever_a_model_writes(markdown: str, limit: int) -> None:
    for part in split(render(markdown), limit=limit):
        entities = [Entity(one.type, one.offset, one.length, one.url or "") for one in to_entities(part)]

        assert all(span.length > 0 and 0 <= span.offset <= utf16_length(part.text) - span.length for span in part.spans)
        assert all(words for _, words in marked(part))
        assert not any(
            one.offset < other.offset < one.offset + one.length < other.offset + other.length for one in part.spans for other in part.spans
        )
        assert settled_text(part.text, entities)[0]
        assert utf16_length(part.text) <= limit
