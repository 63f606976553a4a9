from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import MessageState, Role, StoredMessage
from bot.prompt.history import CUT, HISTORY_LIMIT, LINE_TOKENS, shortened, trimmed
from bot.testing.factories import stored
from bot.testing.tokens import WordTokens

TOKENS = WordTokens()


def starts_of(turns: int, *, words: int, budget: int) -> Sequence[int]:
    """Play turns of a message and a reply each, and return the row with which each prompt's history began."""
    said: list[StoredMessage] = []
    starts = []
    for turn in range(turns):
        kept = trimmed(said[-HISTORY_LIMIT:], budget, TOKENS)
        starts.append(kept[0].id if kept else 0)
        reply = stored("word " * words, row=2 * turn + 2, role=Role.ASSISTANT, state=MessageState.DONE)
        said += [stored("word " * words, row=2 * turn + 1), replace(reply, history_start=starts[-1])]
    return starts


def test_short_history_is_kept_whole() -> None:
    history = [stored("one two", row=row) for row in range(1, 6)]

    assert list(trimmed(history, 1000, TOKENS)) == history


def test_history_that_outgrows_its_budget_is_trimmed_in_big_steps() -> None:
    starts = starts_of(300, words=20, budget=2000)

    assert starts == sorted(starts)
    assert len(set(starts)) < 300 / 8


def test_history_of_more_messages_than_are_read_is_trimmed_in_big_steps_too() -> None:
    assert len(set(starts_of(300, words=1, budget=1_000_000))) < 300 / 20


@given(st.lists(st.integers(0, 60), max_size=60), st.integers(0, 1500), st.integers(0, 80))
def test_history_never_exceeds_its_budget_and_is_always_the_end(sizes: list[int], budget: int, start: int) -> None:
    history = [replace(stored("word " * size, row=row), history_start=start) for row, size in enumerate(sizes, 1)]

    kept = trimmed(history, budget, TOKENS)

    assert sum(LINE_TOKENS + TOKENS.count(message.text) for message in kept) <= max(budget, 0)
    assert list(kept) == history[len(history) - len(kept) :]


def test_one_message_over_the_budget_is_cut_with_a_mark() -> None:
    (cut,) = shortened([stored("word " * 5000)], 500, TOKENS)

    assert cut.text.endswith(CUT)
    assert TOKENS.count(cut.text) <= 500


def test_messages_that_fit_are_left_as_they_are() -> None:
    messages = [stored("hello"), stored("there", row=2)]

    assert list(shortened(messages, 500, TOKENS)) == messages
