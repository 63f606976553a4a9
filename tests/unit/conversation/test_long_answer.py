import pytest

from bot.conversation.long_answer import BEGINNING, beginning, file_of, is_very_long
from bot.testing.platform import PART_LENGTH, RecordingPlatform


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a" * 400 + "\n\n" + "b" * 400, "a" * 400 + "\n\n…", id="paragraph"),
        pytest.param("a" * 400 + ". " + "b" * 400, "a" * 400 + ".\n\n…", id="sentence"),
        pytest.param("あ" * 400 + "。" + "い" * 400, "あ" * 400 + "。\n\n…", id="Japanese sentence"),
        pytest.param("Look:\n```py\n" + "x = 1\n" * 200 + "```", "Look:\n\n…", id="before code"),
        pytest.param("a" * 900, "a" * BEGINNING + "…", id="one word"),
    ],
)
def test_a_beginning_ends_where_something_ends(text: str, expected: str) -> None:
    assert beginning(text) == expected


def test_code_alone_is_closed() -> None:
    assert beginning("```py\n" + "x = 1\n" * 200 + "```").endswith("x = 1\n```\n…")


def test_what_takes_more_than_three_messages_is_very_long() -> None:
    platform = RecordingPlatform()

    assert [is_very_long(platform, "a" * PART_LENGTH * parts) for parts in (3, 4)] == [False, True]


def test_the_file_holds_all_of_it() -> None:
    assert file_of("# Tea").content == b"# Tea\n"
