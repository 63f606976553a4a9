from hypothesis import given
from hypothesis import strategies as st

from bot.prompt.history import CUT, HISTORY_LIMIT, last_that_fit, shortened
from bot.testing.factories import stored
from bot.testing.tokens import WordTokens

TOKENS = WordTokens()


def test_short_history_is_kept_whole() -> None:
    history = [stored("one two", row=row) for row in range(1, 6)]

    assert last_that_fit(history, 1000, TOKENS) == history


def test_history_starts_at_the_same_message_for_many_turns() -> None:
    lines = [stored("word " * 20, row=row) for row in range(1, 400)]

    starts = [last_that_fit(lines[max(0, end - HISTORY_LIMIT) : end], 2000, TOKENS)[0].id for end in range(100, 300)]

    assert len(set(starts)) < len(starts) / 5
    assert starts == sorted(starts)


@given(st.lists(st.integers(0, 60), max_size=60), st.integers(0, 1500))
def test_history_never_exceeds_its_budget(sizes: list[int], budget: int) -> None:
    history = [stored("word " * size, row=row) for row, size in enumerate(sizes, 1)]

    kept = last_that_fit(history, budget, TOKENS)

    assert sum(16 + TOKENS.count(message.text) for message in kept) <= max(budget, 0)
    assert list(kept) == history[len(history) - len(kept) :]


def test_one_message_over_the_budget_is_cut_with_a_mark() -> None:
    (cut,) = shortened([stored("word " * 5000)], 500, TOKENS)

    assert cut.text.endswith(CUT)
    assert TOKENS.count(cut.text) <= 500


def test_messages_that_fit_are_left_as_they_are() -> None:
    messages = [stored("hello"), stored("there", row=2)]

    assert list(shortened(messages, 500, TOKENS)) == messages
