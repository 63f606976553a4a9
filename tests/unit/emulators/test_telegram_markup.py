"""Parse modes and entities, read and refused as Telegram does."""

import pytest

from tests.emulators.telegram.entities import Entity, check_entities, find_entities, settle, spans
from tests.emulators.telegram.errors import Refusal
from tests.emulators.telegram.markup_html import parse_html
from tests.emulators.telegram.markup_markdown import parse_markdown_v2


@pytest.mark.parametrize(
    ("source", "text", "marked"),
    [
        pytest.param("a <b>b</b> c", "a b c", [("bold", "b")], id="bold"),
        pytest.param("<b>one <i>two</i></b>", "one two", [("bold", "one two"), ("italic", "two")], id="nested"),
        pytest.param("1 &lt; 2 &amp; 🐱 <u>x</u>", "1 < 2 & 🐱 x", [("underline", "x")], id="escapes"),
        pytest.param('<a href="https://tea.example">tea</a>', "tea", [("text_link", "tea")], id="link"),
        pytest.param('<span class="tg-spoiler">shh</span>', "shh", [("spoiler", "shh")], id="spoiler"),
        pytest.param('<pre><code class="language-python">x = 1</code></pre>', "x = 1", [("pre", "x = 1")], id="code block"),
        pytest.param("<blockquote expandable>long</blockquote>", "long", [("expandable_blockquote", "long")], id="quote"),
    ],
)
def test_html_becomes_entities(source: str, text: str, marked: list[tuple[str, str]]) -> None:
    parsed, entities = parse_html(source)

    assert parsed == text
    assert spans(parsed, entities) == marked


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        pytest.param("<b>open", 'Can\'t find end tag corresponding to start tag "b"', id="unclosed"),
        pytest.param("a <foo>", 'Unsupported start tag "foo" at byte offset 2', id="unknown tag"),
        pytest.param("é <3 you", "Unclosed start tag at byte offset 3", id="a heart"),
        pytest.param("é <3 > you", 'Unsupported start tag "3" at byte offset 3', id="a heart and an arrow"),
        pytest.param("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"', id="crossed"),
        pytest.param("x</b>", "Unexpected end tag at byte offset 1", id="end only"),
        pytest.param("<span>x</span>", 'Tag "span" must have class "tg-spoiler"', id="plain span"),
    ],
)
def test_wrong_html_is_refused(source: str, problem: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_html(source)

    assert refusal.value.description.startswith(f"Bad Request: can't parse entities: {problem}")


@pytest.mark.parametrize(
    ("source", "text", "marked"),
    [
        pytest.param("*bold* _it_ __un__", "bold it un", ["bold", "italic", "underline"], id="stars and lines"),
        pytest.param("~st~ ||sp||", "st sp", ["strikethrough", "spoiler"], id="waves and bars"),
        pytest.param("`a*b` \\*", "a*b *", ["code"], id="code and escape"),
        pytest.param("```python\nx = 1```", "x = 1", ["pre"], id="code block"),
        pytest.param("[tea](https://tea.example)", "tea", ["text_link"], id="link"),
        pytest.param(">quoted\n>more\nnot", "quoted\nmore\nnot", ["blockquote"], id="quote"),
    ],
)
def test_markdown_becomes_entities(source: str, text: str, marked: list[str]) -> None:
    parsed, entities = parse_markdown_v2(source)

    assert parsed == text
    assert [entity.type for entity in entities] == marked


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        pytest.param("Version 1.0", "Character '.' is reserved and must be escaped with the preceding '\\'", id="dot"),
        pytest.param("🏟 *open", "Can't find end of Bold entity at byte offset 5", id="unclosed"),
        pytest.param("```x", "Can't find end of Pre entity at byte offset 0", id="unclosed code"),
        pytest.param("[a](b", "Can't find end of a URL at byte offset 4", id="unclosed link"),
    ],
)
def test_wrong_markdown_is_refused(source: str, problem: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_markdown_v2(source)

    assert refusal.value.description == f"Bad Request: can't parse entities: {problem}"


def test_telegram_finds_mentions_commands_links_and_hashtags_itself() -> None:
    text = "🐱 @baku_bot /help@baku_bot see https://tea.example/x. #tea a@b.example 1/2"

    found = spans(text, find_entities(text))

    assert found == [
        ("mention", "@baku_bot"),
        ("bot_command", "/help@baku_bot"),
        ("url", "https://tea.example/x"),
        ("hashtag", "#tea"),
        ("email", "a@b.example"),
    ]


def test_kept_texts_are_trimmed_with_their_entities() -> None:
    text, entities = settle("  tea  ", [Entity("bold", 0, 7)])

    assert (text, spans(text, entities)) == ("tea", [("bold", "tea")])


def test_nothing_is_marked_inside_code() -> None:
    _, entities = settle("a code b", [Entity("code", 2, 4), Entity("bold", 3, 2)])

    assert [entity.type for entity in entities] == ["code"]


def test_crossing_entities_are_split() -> None:
    text, entities = settle("abcdef", [Entity("bold", 0, 4), Entity("italic", 2, 4)])

    assert spans(text, entities) == [("bold", "abcd"), ("italic", "cd"), ("italic", "ef")]


def test_unknown_kinds_of_entities_are_refused() -> None:
    with pytest.raises(Refusal, match="unsupported type"):
        check_entities("x", [Entity("rainbow", 0, 1)])
