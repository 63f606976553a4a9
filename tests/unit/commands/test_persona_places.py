"""Which place a word stands for."""

import pytest

from bot.commands.persona_cast import Refused
from bot.commands.persona_places import greets, place_meant, place_word
from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.command import CommandCall
from bot.ports.store import Store
from bot.testing.factories import ADA

THREAD = ConversationKey("discord", "1", "2", "3")


def a_call(place: str = "", *, kind: ConversationKind = ConversationKind.GROUP, greet: str = "", category: str = "") -> CommandCall:
    options = {name: value for name, value in (("place", place), ("greet", greet)) if value}
    return CommandCall(("persona", "use"), options, ADA, THREAD, kind, category_id=category)


@pytest.mark.parametrize(
    ("place", "meant"),
    [
        pytest.param("", "2/3", id="left out"),
        pytest.param("HERE", "2/3", id="here"),
        pytest.param("channel", "2", id="channel"),
        pytest.param("category", "9", id="category"),
        pytest.param("server", "", id="server"),
    ],
)
async def test_a_word_stands_for_a_place_around(store: Store, place: str, meant: str) -> None:
    async with store.read() as tx:
        assert await place_meant(tx, a_call(place, category="9")) == meant


async def test_a_direct_chat_is_one_place_whatever_is_said(store: Store) -> None:
    async with store.read() as tx:
        for place in ("dm", "server"):
            assert await place_meant(tx, a_call(place, kind=ConversationKind.DIRECT)) == "2/3"


async def test_a_category_that_is_not_there_is_refused(store: Store) -> None:
    async with store.read() as tx:
        with pytest.raises(Refused, match="in no category"):
            await place_meant(tx, a_call("category"))


def test_a_word_for_no_place_is_refused() -> None:
    with pytest.raises(Refused, match="is no place"):
        place_word(a_call("dm"))


def test_a_persona_greets_unless_somebody_says_no() -> None:
    assert greets(a_call())
    assert not greets(a_call(greet="No"))
