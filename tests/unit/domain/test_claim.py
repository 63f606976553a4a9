import pytest

from bot.domain.claim import (
    PREDICATES,
    has_one_value,
    is_asked,
    is_denied,
    is_supposed,
    opposed_to,
    phrase,
    predicate_of,
    works_both_ways,
)


@pytest.mark.parametrize(
    ("word", "predicate"),
    [
        ("lives_in", "lives_in"),
        ("Lives in", "lives_in"),
        ("moved to", "lives_in"),
        ("is from", "comes_from"),
        ("wife_of", "married_to"),
        ("is the neighbor of", "neighbour_of"),
        ("favorite_food", "favourite_food"),
        ("has_seen", "has_seen"),
        ("", None),
        ("x", None),
        ("a_very_long_winded_way_to_say_it", None),
        ("likes; DROP", None),
        ("<b>likes</b>", None),
        ("好き", None),
    ],
)
def test_a_word_stands_for_a_predicate_or_for_none(word: str, predicate: str | None) -> None:
    assert predicate_of(word) == predicate


def test_every_predicate_stands_for_itself_and_has_words() -> None:
    assert {predicate_of(predicate) for predicate in PREDICATES} == PREDICATES
    assert all("_" not in phrase(predicate, holds=holds) for predicate in PREDICATES for holds in (True, False))


def test_of_some_things_there_is_one_at_a_time() -> None:
    assert has_one_value("lives_in")
    assert has_one_value("favourite_colour")
    assert not has_one_value("likes")


def test_what_works_both_ways_and_what_cannot_hold_together() -> None:
    assert works_both_ways("married_to")
    assert not works_both_ways("boss_of")
    assert "hates" in opposed_to("likes")
    assert opposed_to("lives_in") == ()
    assert all(predicate in opposed_to(other) for predicate in PREDICATES for other in opposed_to(predicate))


def test_words_of_a_predicate_tell_the_present_from_the_past() -> None:
    assert (phrase("lives_in"), phrase("lives_in", holds=False)) == ("lives in", "lived in")
    assert phrase("favourite_food") == "has as favourite food"
    assert phrase("has_seen", holds=False) == "has seen (before)"


@pytest.mark.parametrize("text", ["Does she?", "where is Bob", "Is it true", "東京に住んでいますか", "Wo wohnst du", "¿Dónde vives?"])
def test_a_sentence_asks(text: str) -> None:
    assert is_asked(text)


@pytest.mark.parametrize(
    "text", ["if I live", "I wish", "in the movie Bob dies", "jk", "Wenn ich wohne", "もし東京なら", "I could", "almost there"]
)
def test_a_sentence_supposes(text: str) -> None:
    assert is_supposed(text)


@pytest.mark.parametrize(
    "text", ["I don't", "I am not", "never", "Ich wohne nicht", "je n'habite pas", "no vivo", "住んでいません", "我不住"]
)
def test_a_sentence_denies(text: str) -> None:
    assert is_denied(text)


@pytest.mark.parametrize(
    "text", ["Alice lives in Paris.", "Ich wohne in Berlin.", "私は東京に住んでいます。", "Wisconsin is big", "I know Iffy"]
)
def test_a_sentence_states(text: str) -> None:
    assert not is_asked(text)
    assert not is_supposed(text)
    assert not is_denied(text)
