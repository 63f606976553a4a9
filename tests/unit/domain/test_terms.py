import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.terms import grammar_share, term_counts, terms, weight


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("cat", "CATS", id="case and plural"),
        pytest.param("running", "runs", id="endings"),
        pytest.param("cities", "city", id="plural in -ies"),
        pytest.param("boxes", "box", id="plural in -es"),
        pytest.param("moved", "move", id="past"),
        pytest.param("coding", "codes", id="silent e"),
        pytest.param("tried", "trying", id="y"),
        pytest.param("Grandmother's", "grandmother", id="possessive"),
        pytest.param("isn’t called", "called", id="contraction"),
        pytest.param("ＡＢＣ１", "abc1", id="width"),
        pytest.param("ﾈｺ", "ネコ", id="half-width kana"),
        pytest.param("straße", "STRASSE", id="case folding"),
        pytest.param("cafe\u0301", "café", id="composed"),
        pytest.param("हिन्दी", "हिन्दी।", id="vowel signs"),
    ],
)
def test_two_spellings_have_the_same_terms(one: str, other: str) -> None:
    assert terms(one) == terms(other) != frozenset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("C# and C++, not C.", {"c#", "c++", "c"}, id="signs"),
        pytest.param(".NET or ASP.NET", {".net", "net", "asp"}, id="dot"),
        pytest.param("#channel 3.14", {"channel", "3", "14"}, id="signs that are none"),
        pytest.param("猫が好き", {"猫", "猫が", "が好", "好", "好き"}, id="Japanese"),
        pytest.param("京都", {"京", "京都", "都"}, id="Han"),
        pytest.param("すしです", {"すし", "しで"}, id="hiragana"),
        pytest.param("ネコ", {"ネコ"}, id="katakana"),
        pytest.param("고양이", {"고", "고양", "양", "양이"}, id="Korean"),
        pytest.param("ผัด", {"ผั", "ัด"}, id="Thai"),
        pytest.param("猫cat犬", {"猫", "cat", "犬"}, id="mixed"),
        pytest.param("king red bus glass", {"king", "red", "bus", "glas"}, id="no endings"),
    ],
)
def test_a_text_has_these_terms(text: str, expected: set[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    "text", ["", "   ", "?!…", "what are you?", "What do you know about me?", "I don't", "はい、です", "的", "_", "..."]
)
def test_a_text_that_says_nothing_of_its_own_has_none(text: str) -> None:
    assert terms(text) <= {"はい", "いで"}


@given(st.text(), st.text())
def test_a_text_keeps_its_terms_when_others_follow(one: str, other: str) -> None:
    assert terms(one) | terms(other) == terms(f"{one}\n{other}")


@given(st.text())
def test_terms_are_short_enough_for_an_index_and_never_empty(text: str) -> None:
    assert all(0 < len(term) <= 66 for term in terms(text * 20))


def test_rare_terms_weigh_more_and_grammar_less() -> None:
    assert weight("cat", having=1, total=100) > weight("cat", having=50, total=100) > weight("cat", having=100, total=100) > 0
    assert weight("cat", having=0, total=0) > 0
    assert weight("猫", having=5, total=100) > weight("をし", having=1, total=100) > 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("A cat, two cats and a dog", {"cat": 2, "two": 1, "dog": 1}, id="words"),
        pytest.param("猫と猫", {"猫": 2, "猫と": 1, "と猫": 1}, id="pairs"),
        pytest.param("what are you?", {}, id="nothing of its own"),
    ],
)
def test_terms_are_counted(text: str, expected: dict[str, int]) -> None:
    assert term_counts(text) == expected


@given(st.text())
def test_what_is_counted_are_the_terms(text: str) -> None:
    assert frozenset(term_counts(text)) == terms(text)


def test_what_looks_like_grammar_keeps_a_part_of_its_weight() -> None:
    assert 0 < grammar_share("がす") < grammar_share("猫") == grammar_share("cat") == 1
