import time

import pytest

from bot.domain.entity import MOST_KEYS, keys_in, name_key


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("PARIS", id="case"),
        pytest.param("ｐａｒｉｓ", id="width"),
        pytest.param("Paris's", id="possessive"),
        pytest.param("Paris’", id="possessive of a name in s"),
        pytest.param("“Paris”,", id="signs around it"),
        pytest.param("Mr. Paris", id="title"),
        pytest.param("Dr Paris", id="title without its dot"),
        pytest.param("Frau Dr. Paris", id="two titles"),
        pytest.param("the Paris", id="article"),
        pytest.param("Paris-san", id="honorific after a dash"),
        pytest.param("Paris chan", id="honorific after a blank"),
        pytest.param("Parisさん", id="honorific"),
        pytest.param("  Paris\n", id="blanks"),
    ],
)
def test_all_ways_to_write_a_name_have_one_key(written: str) -> None:
    assert name_key(written) == "paris"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        pytest.param("田中さん", "田中", id="san"),
        pytest.param("花子ちゃん", "花子", id="chan"),
        pytest.param("佐藤先生", "佐藤", id="sensei"),
        pytest.param("王様", "王様", id="a word that ends like an honorific"),
        pytest.param("さん", "さん", id="an honorific alone"),
        pytest.param("김민수씨", "김민수", id="Korean"),
        pytest.param("Dr.", "dr", id="a title alone"),
        pytest.param("The", "the", id="an article alone"),
        pytest.param("New  York", "new york", id="blanks inside"),
        pytest.param("O'Brien", "o'brien", id="apostrophe inside"),
        pytest.param(".NET", ".net", id="dot before"),
        pytest.param("C++", "c++", id="signs"),
        pytest.param("Annan", "annan", id="begins like an article"),
        pytest.param("...", "...", id="signs alone"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_what_belongs_to_a_name_stays(name: str, key: str) -> None:
    assert name_key(name) == key


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("what about paris's weather?", {"paris"}, id="possessive in small letters"),
        pytest.param("Is New York City, or LA, far?", {"new york", "new york city", "la"}, id="some words"),
        pytest.param("a Tokyo-based band", {"tokyo"}, id="part of a word"),
        pytest.param("did dr. Smith-Jones call", {"smith-jones", "smith", "jones"}, id="title and double name"),
        pytest.param("うちのもちは元気だよ", {"もち"}, id="hiragana"),
        pytest.param("昨日田中さんとパリへ行った", {"田中", "パリ"}, id="Japanese"),
        pytest.param("我明天去北京看小明", {"北京", "小明"}, id="Chinese"),
        pytest.param("파리의 날씨", {"파리"}, id="Korean with a particle"),
    ],
)
def test_a_text_has_the_keys_of_the_names_in_it(text: str, names: set[str]) -> None:
    assert names <= keys_in(text)


def test_a_comma_or_a_full_stop_parts_names() -> None:
    assert "alice bob" not in keys_in("Alice, Bob. Carl")
    assert "bob carl" not in keys_in("Alice, Bob. Carl")


@pytest.mark.parametrize("text", ["", "  ", "?!", "—", "\n"])
def test_a_text_without_words_has_no_keys(text: str) -> None:
    assert keys_in(text) == frozenset()


@pytest.mark.parametrize("piece", ["word{} ", "東{}京", "a-b{}-c ", "ab{}、", "x{}", "('"])
def test_a_text_of_any_length_has_few_keys_quickly(piece: str) -> None:
    text = "".join(piece.format(number) for number in range(20_000))
    began = time.process_time()

    assert len(keys_in(text)) <= MOST_KEYS

    assert time.process_time() - began < 1
