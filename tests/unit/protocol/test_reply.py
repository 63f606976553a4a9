"""An answer with reasoning and tags, as people get it."""

from hypothesis import given, settings

from bot.protocol.opening import Trouble
from bot.protocol.reasoning import Retraction
from bot.protocol.reply import ReplyPart, ReplyReader
from bot.protocol.scanner import VisibleText
from bot.protocol.xml_tags import Problem, Tag
from tests.unit.protocol.cuts import PLACES, TEXTS, cut

NAMES = frozenset({"mem_new", "mem_update", "mem_tag"})


def read(*chunks: str) -> list[ReplyPart]:
    reader = ReplyReader(NAMES)
    return [part for chunk in chunks for part in reader.feed(chunk)] + reader.close()


def visible_text(parts: list[ReplyPart]) -> str:
    """Return what people see of these results."""
    shown: list[str] = []
    for part in parts:
        if isinstance(part, Retraction):
            shown.clear()
        elif isinstance(part, VisibleText):
            shown.append(part.text)
    return "".join(shown)


def tags_of(parts: list[ReplyPart]) -> list[Tag]:
    """Return the tags among these results that still hold."""
    tags: list[Tag] = []
    for part in parts:
        if isinstance(part, Retraction):
            tags.clear()
        elif isinstance(part, Tag):
            tags.append(part)
    return tags


def test_tags_in_reasoning_are_not_tags() -> None:
    parts = read("<think><mem_new>a</mem_new></think> Noted.<mem_new>b</mem_new>")

    assert visible_text(parts) == "Noted."
    assert tags_of(parts) == [Tag("mem_new", {}, "b")]


def test_reasoning_without_an_opening_tag_takes_its_tags_back() -> None:
    parts = read("Hm. <mem_new>a</mem_new> <mem_new>c", "</think>Noted.<mem_new>b</mem_new>")

    assert Retraction() in parts
    assert visible_text(parts) == "Noted."
    assert tags_of(parts) == [Tag("mem_new", {}, "b")]


def test_a_problem_is_told_between_the_visible_texts() -> None:
    assert read("A </mem_new>B") == [VisibleText("A "), Problem("mem_new", Trouble.NOT_OPENED), VisibleText("B")]


@settings(max_examples=1500, deadline=None)
@given(TEXTS, PLACES)
def test_cutting_anywhere_changes_neither_what_people_see_nor_what_is_done(text: str, places: list[int]) -> None:
    whole, pieces = read(text), read(*cut(text, places))

    assert visible_text(pieces) == visible_text(whole)
    assert tags_of(pieces) == tags_of(whole)
    assert [part for part in pieces if isinstance(part, Problem)] == [part for part in whole if isinstance(part, Problem)]
