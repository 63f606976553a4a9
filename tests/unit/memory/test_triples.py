import pytest
from structlog.testing import capture_logs

from bot.domain.claim import SPEAKER, Claim
from bot.domain.message import Person
from bot.memory.triples import MOST_TRIPLES, grounded, parsed_triples, triples_prompt
from bot.testing.factories import stored

ALICE = Claim("Alice", "lives_in", "Paris", "")


def kept(answer: str, text: str) -> list[str]:
    """Return what is kept of a model's answer to a message of Ada's."""
    relations = grounded(parsed_triples(answer), stored(text))
    return [f"{relation.subject} {relation.predicate} {relation.object}" for relation in relations]


def test_the_prompt_asks_for_lines_that_can_be_read() -> None:
    assert "subject | predicate | object" in triples_prompt()
    assert "lives_in" in triples_prompt()


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        pytest.param("Alice | lives_in | Paris", [ALICE], id="plain"),
        pytest.param("Here you are:\n- Alice | moved to | Paris |\n2. NONE", [ALICE], id="list, synonym, chatter"),
        pytest.param('"Alice" | `lives_in` | Paris | past', [Claim("Alice", "lives_in", "Paris", "", holds=False)], id="past"),
        pytest.param("SPEAKER | favorite food | pizza", [Claim(SPEAKER, "favourite_food", "pizza", "")], id="speaker"),
        pytest.param("NONE", [], id="none"),
        pytest.param("Alice | lives_in", [], id="two parts"),
        pytest.param("Alice | DROP TABLE; -- | Paris", [], id="no predicate"),
        pytest.param(f"{'A' * 99} | likes | tea", [], id="long name"),
        pytest.param("I | likes | me", [], id="itself"),
    ],
)
def test_lines_of_the_form_are_read_and_others_left_out(answer: str, claims: list[Claim]) -> None:
    assert parsed_triples(answer) == claims


def test_no_more_lines_are_read_than_a_message_can_hold() -> None:
    assert len(parsed_triples("\n".join(f"A{n} | likes | tea{n}" for n in range(99)))) == MOST_TRIPLES


@pytest.mark.parametrize(
    ("answer", "text", "expected"),
    [
        pytest.param("Alice | lives_in | Paris", "Hm. alice has settled in paris.", ["Alice lives_in Paris"], id="in one sentence"),
        pytest.param("SPEAKER | owns | Mochi", "My cat Mochi sleeps", ["Ada owns Mochi"], id="speaker"),
        pytest.param("Ada | owns | Mochi", "My cat Mochi sleeps", ["Ada owns Mochi"], id="speaker by name"),
        pytest.param("SPEAKER | dislikes | olives", "I do not like olives", ["Ada dislikes olives"], id="denied liking"),
        pytest.param("田中 | likes | 寿司", "田中さんは寿司が好きです。", ["田中 likes 寿司"], id="Japanese"),
        pytest.param("Alice | lives_in | Rome", "Alice lives in Paris.", [], id="made up"),
        pytest.param("Alice | lives_in | Paris", "Alice is here. Paris is rainy.", [], id="two sentences"),
        pytest.param("Al | likes | tea", "Alice likes tea", [], id="part of a word"),
        pytest.param("SPEAKER | lives_in | Paris", "Alice lives in Paris.", [], id="not the speaker"),
        pytest.param("Alice | lives_in | Paris", "Does Alice live in Paris?", [], id="asked"),
        pytest.param("Alice | lives_in | Paris", "I wish Alice lived in Paris", [], id="wished"),
        pytest.param("Alice | lives_in | Paris", "Alice does not live in Paris", [], id="denied"),
        pytest.param("Alice | lives_in | Paris", "> Alice lives in Paris\nno way", [], id="quoted"),
    ],
)
def test_only_what_a_sentence_states_is_kept(answer: str, text: str, expected: list[str]) -> None:
    assert kept(answer, text) == expected


def test_what_was_is_kept_as_ended() -> None:
    (relation,) = grounded([Claim(SPEAKER, "lives_in", "Paris", "", holds=False)], stored("I have never gone back to Paris", row=7))

    assert (relation.valid_to, relation.ended_by_row, relation.evidence) == (relation.valid_from, 7, "I have never gone back to Paris")


def test_what_is_dropped_is_counted_by_reason_and_its_words_are_not_logged() -> None:
    with capture_logs() as logs:
        grounded([ALICE, Claim("Bo", "likes", "tea", "")], stored("Does Alice live in Paris?"))

    assert [{key: value for key, value in log.items() if key != "log_level"} for log in logs] == [
        {"event": "triples_dropped", "kept": 0, "not_stated": 1, "not_in_the_message": 1}
    ]


def test_a_bot_and_nobody_in_particular_state_nothing() -> None:
    assert grounded([ALICE], stored("Alice lives in Paris", author=Person("b", "Bot", is_bot=True))) == ()
    assert grounded([Claim(SPEAKER, "likes", "tea", "")], stored("I like tea", author=Person("c", "News", is_service=True))) == []
