from dataclasses import replace

import pytest

from bot.domain.lore import Lorebook, LoreEntry, LorePosition, SecondaryLogic
from bot.prompt.lore import called, standing
from bot.prompt.lore_decorators import Decorated, decorated
from bot.prompt.macros import Macros
from bot.testing.tokens import WordTokens

MACROS = Macros("iris", "Iris", "Ada")
MILL = LoreEntry("The mill burned.", keys=("mill",))
RIVER = LoreEntry("A mill stood by the river.", keys=("river",))
RAIN = LoreEntry("It rains on {{char}}.", constant=True)


def fired(book: Lorebook, *said: str, most: int = 1000) -> tuple[str, ...]:
    return called(book, said, WordTokens(), constant=MACROS, macros=MACROS, most=most).texts


@pytest.mark.parametrize(
    ("entry", "said", "fires"),
    [
        (MILL, "The Mill!", True),
        (MILL, "the millstone", True),
        (replace(MILL, whole_words=True), "the millstone", False),
        (replace(MILL, whole_words=True), "millstone of the mill", True),
        (replace(MILL, keys=("水車",), whole_words=True), "古い水車だ", True),
        (replace(MILL, case_sensitive=True), "The Mill", False),
        (replace(MILL, enabled=False), "mill", False),
        (replace(MILL, keys=()), "mill", False),
        (replace(MILL, keys=("{{user}}",)), "ada came", True),
        (replace(MILL, keys=(r"mi[lt]{2}\b",), regex=True), "my mitt", True),
        (replace(MILL, keys=("(m+)+l",), regex=True), "mmml", False),
        (replace(MILL, content="  \n"), "mill", False),
        (replace(MILL, content="@@dont_activate\nText"), "mill", False),
        (replace(MILL, content="@@exclude_keys water, wind\nText"), "windmill", False),
        (replace(MILL, content="@@additional_keys water,wind\nText"), "mill", False),
        (replace(MILL, content="@@additional_keys water,wind\nText"), "windmill", True),
    ],
)
def test_an_entry_fires_when_its_keys_come_up(entry: LoreEntry, said: str, fires: bool) -> None:
    assert bool(fired(Lorebook((entry,)), said)) is fires


@pytest.mark.parametrize(
    ("logic", "said"),
    [
        (SecondaryLogic.NONE, ["mill", "mill a", "mill a b"]),
        (SecondaryLogic.ANY, ["mill a", "mill a b"]),
        (SecondaryLogic.ALL, ["mill a b"]),
        (SecondaryLogic.NOT_ANY, ["mill"]),
        (SecondaryLogic.NOT_ALL, ["mill", "mill a"]),
    ],
)
def test_secondary_keys_count_as_their_logic_says(logic: SecondaryLogic, said: list[str]) -> None:
    entry = replace(MILL, secondary_keys=("a", "b"), logic=logic, whole_words=True)

    assert [text for text in ("mill", "mill a", "mill a b") if fired(Lorebook((entry,)), text)] == said


def test_only_the_last_messages_are_searched() -> None:
    said = ("mill", "1", "2", "3")

    assert fired(Lorebook((MILL,)), *said)
    assert not fired(Lorebook((MILL,)), *said, "4")
    assert not fired(Lorebook((MILL,), scan_depth=2), *said)
    assert fired(Lorebook((replace(MILL, scan_depth=9),), scan_depth=2), *said, "4")
    assert fired(Lorebook((replace(MILL, content="@@scan_depth 9\nx"),), scan_depth=2), *said, "4")


def test_what_entries_say_fires_others_only_where_the_book_wants_it() -> None:
    entries = (MILL, RIVER)

    assert fired(Lorebook(entries), "river") == (RIVER.content,)
    assert fired(Lorebook(entries, recursive=True), "river") == (MILL.content, RIVER.content)
    assert fired(Lorebook((replace(MILL, ignores_lore=True), RIVER), recursive=True), "river") == (RIVER.content,)
    assert fired(Lorebook((MILL, replace(RIVER, ends_recursion=True)), recursive=True), "river") == (RIVER.content,)
    assert fired(Lorebook((MILL, replace(RAIN, content="Rain.{{hidden_key:mill}}")), recursive=True), "hi") == (MILL.content,)


def test_recursion_ends() -> None:
    chain = tuple(LoreEntry(f"then k{number + 1};", keys=(f"k{number};",)) for number in range(10))

    assert len(fired(Lorebook(chain, recursive=True), "k0;")) == 4


def test_the_budget_leaves_out_the_least_important_and_goes_on() -> None:
    entries = tuple(
        LoreEntry("word " * size, keys=("x",), priority=priority, name=str(size)) for size, priority in ((3, 1), (9, 5), (4, 3))
    )

    lore = called(Lorebook(entries, token_budget=8), ["x"], WordTokens(), constant=MACROS, macros=MACROS, most=1000)

    assert [len(text.split()) for text in lore.texts] == [3, 4]
    assert lore.left_out == 1
    assert fired(Lorebook(entries, token_budget=8), "x", most=3) == ("word word word",)


def test_what_always_stands_takes_its_room_first() -> None:
    book = Lorebook((RAIN, MILL), token_budget=6)

    assert standing(book, WordTokens(), MACROS, most=1000).texts == ("It rains on Iris.",)
    assert fired(book, "mill") == ()


def test_entries_stand_in_their_order_and_place() -> None:
    late, early = replace(RAIN, content="late", order=9), replace(RAIN, content="early", order=1)

    lore = standing(Lorebook((late, early, replace(RAIN, content="first", position=LorePosition.BEFORE))), WordTokens(), MACROS, most=99)

    assert (lore.before, lore.after) == (("first",), ("early", "late"))


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ("Plain @@depth", Decorated("Plain @@depth")),
        ("@@depth 4\n@@role user\n\nText\n@@x", Decorated("Text\n@@x")),
        ("@@activate\n@@dont_activate\nText", Decorated("Text", always=True)),
        ("@@their_own 3\n@@@scan_depth 7\n@@@activate\nText", Decorated("Text", scan_depth=7)),
        ("@@scan_depth many\n@@@scan_depth 5\nText", Decorated("Text", scan_depth=5)),
        ("@@scan_depth 2\n@@@activate\nText", Decorated("Text", scan_depth=2)),
    ],
)
def test_decorators_are_read_from_the_first_lines(content: str, read: Decorated) -> None:
    assert decorated(content) == read
