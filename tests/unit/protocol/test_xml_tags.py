"""Tags in a model's answer."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.protocol.opening import Trouble
from bot.protocol.scanner import VisibleText
from bot.protocol.xml_tags import MAX_ELEMENT, Problem, Tag, TagParser, TagResult
from tests.unit.protocol.cuts import PIECES, PLACES, TEXTS, cut

NAMES = frozenset({"mem_new", "mem_update"})
WITHOUT_BODY = frozenset({"mem_tag"})


def parse(*chunks: str) -> tuple[str, list[Tag | Problem]]:
    """Return what is visible and what else was found, in order."""
    results = merged(chunks)
    visible = "".join(result.text for result in results if isinstance(result, VisibleText))
    return visible, [result for result in results if not isinstance(result, VisibleText)]


def merged(chunks: tuple[str, ...]) -> list[TagResult]:
    """Return all results, neighbouring pieces of visible text joined."""
    parser = TagParser(NAMES, without_body=WITHOUT_BODY)
    results: list[TagResult] = []
    for result in [found for chunk in chunks for found in parser.feed(chunk)] + parser.close():
        if results and isinstance(result, VisibleText) and isinstance(last := results[-1], VisibleText):
            results[-1] = VisibleText(last.text + result.text)
        else:
            results.append(result)
    return results


def new(body: str, **attributes: str) -> Tag:
    return Tag("mem_new", attributes, body)


def trouble(kind: Trouble, name: str = "mem_new") -> Problem:
    return Problem(name, kind)


@pytest.mark.parametrize(
    ("text", "visible", "found"),
    [
        pytest.param('<mem_new importance="0.95">Likes tea</mem_new> Hi!', "Hi!", [new("Likes tea", importance="0.95")], id="with body"),
        pytest.param("Hi <mem_new a='1' b = \"2\"/> there", "Hi there", [new("", a="1", b="2")], id="self-closing"),
        pytest.param("<MEM_New Importance='1'>A</mem_NEW >", "", [new("A", importance="1")], id="any case"),
        pytest.param("<mem_new>a &lt; b &amp;amp; &quot;c&quot;</mem_new>", "", [new('a < b &amp; "c"')], id="escapes"),
        pytest.param("<mem_new why='x > y'>猫が好き 🐱</mem_new>はい", "はい", [new("猫が好き 🐱", why="x > y")], id="japanese"),
        pytest.param("<mem_new>likes <b>tea</b>\n\nand `a</b`</mem_new>!", "!", [new("likes <b>tea</b>\n\nand `a</b`")], id="raw body"),
        pytest.param("<mem_tag id='1'> <mem_tag id='2'></mem_tag>Yes", "Yes", [Tag("mem_tag", {"id": x}, "") for x in "12"], id="bodiless"),
        pytest.param("<mem_new></mem_new>Hi", "Hi", [new("")], id="empty body"),
        pytest.param("<mem_new\n  a='1'\n>x</mem_new>", "", [new("x", a="1")], id="over lines"),
    ],
)
def test_complete_tags_are_found_and_never_shown(text: str, visible: str, found: list[Tag]) -> None:
    assert parse(text) == (visible, found)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("if a < b and c <3 then x<m ok < ", id="less-than in prose"),
        pytest.param("I <b>do</b> <br/> </i> <mem_newest> <mem_new-x> <-", id="unknown tags"),
        pytest.param("```xml\n<mem_new>Likes tea</mem_new>\n```\nSo.", id="fence"),
        pytest.param("~~~\n```\n<mem_new>a</mem_new>\n~~~", id="tilde fence"),
        pytest.param("````\n```\n<mem_new>a</mem_new>\n````\n", id="fence in fence"),
        pytest.param("1. So:\n   ```\n   <mem_new>a</mem_new>\n   ```\n> ```\n> <mem_tag/>\n> ```", id="fences in lists and quotes"),
        pytest.param("```\n<mem_new>never closed", id="open fence"),
        pytest.param("Write `<mem_new>a</mem_new>` or ``x ` <mem_tag/>``.", id="inline code"),
        pytest.param("So ```<mem_new>a</mem_new>``` or\n```<mem_tag/>``` so", id="long inline code"),
        pytest.param("See: ```py\nx\n\n<mem_new>a</mem_new>``` so", id="fence within a line"),
        pytest.param("` over\nlines <mem_tag/> `", id="inline code over lines"),
        pytest.param("~~struck~~ \\ ~ end\\", id="tildes and backslashes"),
    ],
)
def test_code_prose_and_other_markup_are_shown_unchanged(text: str) -> None:
    assert parse(text) == (text, [])


@pytest.mark.parametrize(
    ("text", "visible", "found"),
    [
        pytest.param("Hi!\n<mem_new>Likes tea\nBye!", "Hi!\nBye!", [trouble(Trouble.NOT_CLOSED)], id="not closed"),
        pytest.param("<mem_new>A <mem_new>B</mem_new> C", "C", [trouble(Trouble.NOT_CLOSED), new("B")], id="opened twice"),
        pytest.param(
            "<mem_new>A</mem_update> B", "B", [trouble(Trouble.NOT_CLOSED), trouble(Trouble.NOT_OPENED, "mem_update")], id="crossed"
        ),
        pytest.param("Hi </mem_new>you", "Hi you", [trouble(Trouble.NOT_OPENED)], id="never opened"),
        pytest.param("A <mem_new importance=0.9>Tea</mem_new> B", "A B", [trouble(Trouble.BAD_ATTRIBUTES)], id="unquoted"),
        pytest.param("A <mem_tag id=7c8855bf/> B", "A B", [trouble(Trouble.BAD_ATTRIBUTES, "mem_tag")], id="unquoted, self-closing"),
        pytest.param('A <mem_new i="0.9>Tea</mem_new> B', "A B", [trouble(Trouble.BAD_ATTRIBUTES)], id="quote not closed"),
        pytest.param("A <mem_new i='1' I='2'>Tea</mem_new> B", "A B", [trouble(Trouble.BAD_ATTRIBUTES)], id="attribute twice"),
        pytest.param("A <mem_new <b>B</b>", "A <b>B</b>", [trouble(Trouble.CUT_OFF)], id="no end before the next"),
        pytest.param("A <mem_new x\n\nB", "A \n\nB", [trouble(Trouble.CUT_OFF)], id="no end in the paragraph"),
        pytest.param("A <mem_new x='", "A ", [trouble(Trouble.CUT_OFF)], id="cut in an attribute"),
        pytest.param("A <mem_n", "A ", [trouble(Trouble.CUT_OFF, "mem_n")], id="cut in the name"),
        pytest.param("A <mem_new>B</mem_ne", "A ", [trouble(Trouble.NOT_CLOSED)], id="cut in the end"),
    ],
)
def test_malformed_tags_are_dropped_and_the_rest_stays(text: str, visible: str, found: list[Tag | Problem]) -> None:
    assert parse(text) == (visible, found)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The ` key <mem_new>a</mem_new>", id="alone"),
        pytest.param("\\`<mem_new>a</mem_new>\\`", id="escaped"),
        pytest.param("a ` b\n\nc ` <mem_new>a</mem_new>", id="in another paragraph"),
        pytest.param("```\ncode\n``` \n<mem_new>a</mem_new>", id="after a fence"),
        pytest.param("`a` and ``<mem_new>a</mem_new>`", id="of another length"),
    ],
)
def test_a_backtick_that_opens_no_code_does_not_hide_a_tag(text: str) -> None:
    assert parse(text)[1] == [new("a")]


def test_a_line_that_held_nothing_but_tags_leaves_no_empty_line() -> None:
    assert parse("Hi!\n  <mem_new>a</mem_new> <mem_tag/>\nBye!")[0] == "Hi!\n  Bye!"


def test_not_more_than_the_limit_is_held_back() -> None:
    parser = TagParser(NAMES)

    shown = parser.feed("A <mem_new>" + "x" * (MAX_ELEMENT + 100))

    assert shown[0] == VisibleText("A ")
    assert shown[1] == trouble(Trouble.NOT_CLOSED)
    assert sum(len(result.text) for result in shown if isinstance(result, VisibleText)) == len("A ") + 100 + len("<mem_new>")


def test_text_without_markup_is_shown_at_once() -> None:
    parser = TagParser(NAMES)

    assert parser.feed("Hello, ") == [VisibleText("Hello, ")]
    assert parser.feed("you <3 ") == [VisibleText("you "), VisibleText("<"), VisibleText("3 ")]


@settings(max_examples=2500, deadline=None)
@given(TEXTS, PLACES)
@example("```\n" + " " * 300 + "```\n<mem_tag/>", [250])
@example("<mem_new>" + "x" * 4078 + "</mem_new>y", [4090])
@example("<mem_new>a <mem_newer> b</mem_new>", [18])
@example("`" + "x" * 998 + "`<mem_tag/>", [700])
def test_cutting_anywhere_changes_nothing(text: str, places: list[int]) -> None:
    assert merged(cut(text, places)) == merged((text,))


@settings(max_examples=1000, deadline=None)
@given(TEXTS)
def test_one_character_at_a_time_changes_nothing(text: str) -> None:
    assert merged(tuple(text)) == merged((text,))


@settings(max_examples=1000, deadline=None)
@given(st.lists(PIECES.filter(lambda piece: not set(piece) & set("`~\\")), max_size=25).map("".join))
def test_outside_code_no_known_tag_is_ever_visible(text: str) -> None:
    visible, _ = parse(*text)

    assert not re.search(rf"<(/?)({'|'.join(NAMES | WITHOUT_BODY)})(?![\w-])", visible, re.IGNORECASE | re.ASCII)


@settings(max_examples=500, deadline=None)
@given(st.text(alphabet=st.characters(exclude_characters="<"), max_size=200))
def test_text_without_less_than_signs_is_shown_as_it_is(text: str) -> None:
    assert parse(text) == (text, [])
