from dataclasses import replace

import pytest

from bot.commands.seat import Seat, seat_of
from bot.domain.command import CommandCall
from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES
from bot.testing.factories import ADA, DIRECT, GROUP, kind_of

SEAT = Seat(("discord", "server"), ("lounge/t", "lounge", "halls", ""), "halls")


@pytest.mark.parametrize(("word", "place"), [("here", "lounge/t"), ("channel", "lounge"), ("category", "halls"), ("server", "")])
def test_a_word_stands_for_a_place_and_a_place_for_a_word(word: str, place: str) -> None:
    assert SEAT.at(word) == place
    assert SEAT.named(place) == word


def test_there_is_no_category_where_there_is_none() -> None:
    seat = replace(SEAT, category="")

    assert seat.at("category") is None
    assert (seat.named(None), seat.named("")) == ("", "server")


async def test_a_direct_chat_is_one_place_whose_settings_are_the_persons_own() -> None:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    async with store.write() as tx:
        await tx.places.note(GROUP, "halls")
        group, direct = [await seat_of(tx, CommandCall((), {}, ADA, there, kind_of(there))) for there in (GROUP, DIRECT)]
    await store.close()

    assert (direct.places, direct.space[1]) == (("",), f"person:{ADA.id}")
    assert (group.places, group.category) == ((GROUP.channel_id, "halls", ""), "halls")
