"""Which conversation an operator means."""

from pathlib import Path

import pytest

from tests.unit.cli.conftest import Baku
from tests.unit.cli.test_past import CLUB, HERE, talk


@pytest.mark.parametrize("typed", ["", "console:main:main:", "console:main:main"])
def test_the_only_one_needs_no_name_and_a_name_no_last_colon(baku: Baku, folder: Path, typed: str) -> None:
    talk(folder, count=2)

    shown = baku("memory", "chunks", *([typed] if typed else []))

    assert shown.out == f"There are no chunks of {HERE} yet; they come with a language model, a few messages after what they tell of.\n"


def test_of_several_one_must_be_named(baku: Baku, folder: Path) -> None:
    talk(folder, count=2)
    talk(folder, count=2, conversation=CLUB)

    refused = baku("memory", "chunks")

    assert (refused.code, refused.err) == (
        1,
        f"error: There are 2 conversations; say which one:\nerror:   {HERE}\nerror:   {CLUB}\n",
    )


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        pytest.param("console:mian:main:", "There is no conversation 'console:mian:main:'. Did you mean console:main:main:?", id="near"),
        pytest.param(
            "lounge", "There is no conversation 'lounge'; it is written as platform:space:channel:thread. There are:", id="no key"
        ),
        pytest.param("\udcff", "There is no conversation '?'; it is written as", id="not to be written down"),
    ],
)
def test_one_that_is_not_there_is_refused_with_what_there_is(baku: Baku, folder: Path, typed: str, said: str) -> None:
    talk(folder, count=2)

    refused = baku("memory", "chunks", typed)

    assert refused.code == 1
    assert said in refused.err


def test_where_there_is_none_a_name_is_refused(baku: Baku) -> None:
    refused = baku("memory", "chunks", "console:main:main:")

    assert refused.err == "error: There is no conversation 'console:main:main:'. Nobody has said anything yet.\n"


def test_conversations_of_a_plugins_platform_are_found_by_their_name(baku: Baku, folder: Path) -> None:
    irc = CLUB.__class__("irc", "net", "room")
    talk(folder, count=2, conversation=irc)

    assert "There are no chunks of irc:net:room: yet" in baku("memory", "chunks", "irc:net:room:").out
