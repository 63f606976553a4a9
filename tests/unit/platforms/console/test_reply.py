from hypothesis import given
from hypothesis import strategies as st

from bot.platforms.console.reply import GrowingReply


def written(drafts: list[str], final: str) -> str:
    pieces: list[str] = []
    reply = GrowingReply(pieces.append)
    for draft in drafts:
        reply.show_draft(draft)
    reply.finish(final)
    return "".join(pieces)


@given(st.text(), st.lists(st.integers(0, 200)))
def test_cutting_a_stream_anywhere_changes_nothing(text: str, cuts: list[int]) -> None:
    drafts = [text[:cut] for cut in sorted(cuts)]

    assert written(drafts, text) == written([], text)


def test_a_draft_that_was_taken_back_is_written_anew_below() -> None:
    assert written(["Hello wor", "Good"], "Good day.") == "Hello wor\nGood day.\n"


def test_a_stream_that_starts_again_with_the_same_words_goes_on_where_it_was() -> None:
    assert written(["Hello wor", "", "Hel", "Hello world"], "Hello world.") == "Hello world.\n"


def test_a_reply_shorter_than_its_draft_is_written_anew() -> None:
    assert written(["Hello <mem"], "Hello") == "Hello <mem\nHello\n"


def test_blanks_around_a_draft_wait() -> None:
    assert written(["\n Hello ", "\n Hello \n"], "Hello") == "Hello\n"
