from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import MessageState, Role, StoredMessage
from bot.prompt.history import (
    CUT,
    HISTORY_LIMIT,
    LEAST_CUT,
    LINE_TOKENS,
    begins_anew,
    last_fitting,
    last_messages,
    shortened,
    since_silence,
    trimmed,
)
from bot.testing.clock import START
from bot.testing.factories import stored
from bot.testing.tokens import WordTokens

TOKENS = WordTokens()


def starts_of(turns: int, *, words: int, budget: int) -> Sequence[int]:
    """Play turns of a message and a reply each, and return the row with which each prompt's history began."""
    said: list[StoredMessage] = []
    starts = []
    for turn in range(turns):
        kept = trimmed(said[-HISTORY_LIMIT - 1 :], budget, TOKENS)
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
    assert [message.id for message in kept] == [message.id for message in history[len(history) - len(kept) :]]


def test_last_message_is_kept_cut_where_even_it_does_not_fit() -> None:
    (kept,) = trimmed([stored("word " * 900, row=row) for row in range(1, 5)], 2 * (LEAST_CUT + LINE_TOKENS), TOKENS)

    assert kept.id == 4
    assert kept.text.endswith(CUT)


def test_policy_of_fewer_messages_is_kept_to_in_big_steps() -> None:
    history = [stored("one", row=row) for row in range(1, 12)]

    kept = [len(trimmed(history[-count:], 1000, TOKENS, most=10)) for count in (9, 10, 11)]

    assert kept == [9, 10, 5]


def test_buffer_never_falls_below_one_message() -> None:
    messages = [stored("word " * 50, row=row) for row in (1, 2)]

    assert list(last_fitting(messages, 10, TOKENS)) == messages[-1:]
    assert list(last_fitting([], 10, TOKENS)) == []
    assert list(last_messages(messages, 0)) == []


def test_history_begins_anew_after_the_last_long_silence() -> None:
    hours = [0, 1, 30, 31]
    history = [replace(stored("word", row=row), sent_at=START + timedelta(hours=hour)) for row, hour in enumerate(hours, 1)]

    def kept(until: float, silence: float) -> list[int]:
        return [message.id for message in since_silence(history, until=START + timedelta(hours=until), hours=silence)]

    assert kept(32, 24) == [3, 4]
    assert kept(32, 0) == [1, 2, 3, 4]
    assert kept(32, 40) == [1, 2, 3, 4]
    assert kept(31 + 25, 24) == []


def test_one_message_over_the_budget_is_cut_with_a_mark() -> None:
    (cut,) = shortened([stored("word " * 5000)], 500, TOKENS)

    assert cut.text.endswith(CUT)
    assert TOKENS.count(cut.text) <= 500


def test_messages_that_fit_are_left_as_they_are() -> None:
    messages = [stored("hello"), stored("there", row=2)]

    assert list(shortened(messages, 500, TOKENS)) == messages


def test_history_begins_anew_when_it_was_trimmed_or_dropped() -> None:
    history = [stored("one", row=row) for row in range(1, 6)]
    replied = [*history, replace(stored("Yes.", row=6, role=Role.ASSISTANT), history_start=1)]

    assert not begins_anew(history, history[2:])
    assert not begins_anew(replied, replied)
    assert begins_anew(replied, replied[2:])
    assert begins_anew(replied, [])
