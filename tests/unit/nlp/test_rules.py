import time

import pytest

from bot.domain.entity import EntityKind
from bot.nlp.rules import capitalised_names, known_names


def known(text: str) -> list[tuple[str, EntityKind]]:
    return [(found.name, found.kind) for found in known_names(text)]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        pytest.param("My cat's name is Mochi", "Mochi", EntityKind.PERSON, id="name is"),
        pytest.param("my dogs name is rex and he's cute", "rex", EntityKind.PERSON, id="lower case"),
        pytest.param("Our company is called Acme Works.", "Acme Works", EntityKind.OTHER, id="no being"),
        pytest.param("You can call me Bo.", "Bo", EntityKind.PERSON, id="call me"),
        pytest.param("My name is Ziggy", "Ziggy", EntityKind.PERSON, id="my name"),
        pytest.param("Ana Lopez likes tea", "Ana Lopez", EntityKind.PERSON, id="first name and surname"),
        pytest.param("昨日田中さんと会った", "田中", EntityKind.PERSON, id="san after a day"),
        pytest.param("ハナコちゃん", "ハナコ", EntityKind.PERSON, id="chan"),
        pytest.param("佐藤先生", "佐藤", EntityKind.PERSON, id="sensei"),
        pytest.param("うちの猫の名前はもちです", "もち", EntityKind.OTHER, id="Japanese name in hiragana"),
        pytest.param("「モチ」という猫", "モチ", EntityKind.OTHER, id="Japanese called"),
    ],
)
def test_a_sure_name_is_known(text: str, name: str, kind: EntityKind) -> None:
    assert known(text) == [(name, kind)]


@pytest.mark.parametrize(
    "text",
    [
        "He was called back.",
        "I called yesterday.",
        "What is it called?",
        "赤ちゃん",
        "運転手さん",
        "お母さん",
        "小学校の先生",
        "花屋さん",
        "皆さん",
        "君の名は",
    ],
)
def test_what_only_looks_like_a_name_is_left_out(text: str) -> None:
    assert known(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved to Munich for Siemens", ["Munich", "Siemens"]),
        ("The Eiffel Tower is big", ["Eiffel Tower"]),
        ("we saw the Eiffel Tower", ["Eiffel Tower"]),
        ("Paris is rainy", []),
        ("I Love It So Much", []),
        ("see you on Monday in May", []),
        ("I use Python and Rust", ["Python", "Rust"]),
    ],
)
def test_a_capital_inside_a_sentence_makes_a_name(text: str, expected: list[str]) -> None:
    assert [found.name for found in capitalised_names(text)] == expected


@pytest.mark.parametrize(
    "unit",
    ["a", ".", "A ", "called ", "cat called ", "名前は", "漢", "ア", "Alice Bob ", "A'", "my name is "],
    ids=lambda unit: unit.strip(),
)
def test_no_text_of_the_longest_length_takes_long(unit: str) -> None:
    text = (unit * 20_000)[:20_000]
    before = time.process_time()

    list(known_names(text))
    list(capitalised_names(text))

    assert time.process_time() - before < 1.0
