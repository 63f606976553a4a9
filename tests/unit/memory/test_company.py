"""Who shares a place, and whom a message is for."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.domain.casting import GUESTS, guests_text
from bot.domain.message import Byline, Person, Quote, ReplyTarget
from bot.domain.persona import Personas
from bot.domain.placement import setting_at
from bot.memory.company import Company, addressee, addressees, company_in, shared_company
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.databases import DATABASES
from bot.testing.factories import ADA, DIRECT, GROUP, a_persona, incoming, kind_of, stored

IRIS = a_persona()
ROSE = replace(a_persona("rose", name="Rose Red"), triggers=("rosie",))
TOM = a_persona("tom", name="Tom")
CAST = Personas({each.id: each for each in (IRIS, ROSE, TOM)}, "iris")
COMPANY = Company((IRIS, ROSE, TOM))
BOT = Person("1", "Baku", is_bot=True)


@pytest.fixture
async def store() -> AsyncIterator[SqlStore]:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    yield store
    await store.close()


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        pytest.param("good morning", None, id="nobody"),
        pytest.param("is rosie in?", ROSE, id="a trigger"),
        pytest.param("Tom and Rose Red say hello", TOM, id="the first of two"),
        pytest.param("what does Tom think of that, Rose Red?", ROSE, id="who is called, not who is talked about"),
        pytest.param("roses and tomatoes", None, id="parts of words"),
    ],
)
def test_a_text_is_for_who_is_called_or_named_in_it(text: str, answers: object) -> None:
    assert COMPANY.named_in(text) == answers


async def test_guests_are_those_of_the_narrowest_place_that_has_a_list(store: SqlStore) -> None:
    thread, other = replace(GROUP, thread_id="t1"), replace(GROUP, channel_id="kitchen")
    async with store.write() as tx:
        assert await shared_company(tx, CAST, GROUP, at=START) is None
        await tx.settings.set("discord", "club", GUESTS, guests_text(["rose", "gone", "iris"]))
        await tx.settings.set("discord", "club", setting_at(GUESTS, "lounge"), guests_text(["tom"]))
        await tx.settings.set("discord", "club", setting_at(GUESTS, "lounge/t1"), guests_text([]))
        found = [[each.id for each in (await company_in(tx, CAST, place, at=START)).personas] for place in (GROUP, thread, other)]
        direct = await company_in(tx, CAST, DIRECT, at=START)

        assert await shared_company(tx, CAST, thread, at=START) is None
        assert (await shared_company(tx, CAST, other, at=START) or direct).byline_of(ROSE) == Byline("rose", "Rose Red")
    assert found == [["iris", "tom"], ["iris"], ["iris", "rose"]]
    assert direct.byline_of(IRIS) is None


async def test_a_reply_is_for_the_persona_that_is_replied_to(store: SqlStore) -> None:
    async with store.write() as tx:
        line = await tx.messages.record_reply(ReplyTarget(GROUP, kind_of(GROUP)), "tom", "Tom", "Aye.", at=START)
        await tx.messages.set_platform_id(line.id, "m9")
        await tx.messages.keep_part(line.id, 1, "m10")
        quotes = {
            "by its id": (Quote("m9", BOT, "Aye."), TOM),
            "by the id of a further part": (Quote("m10", BOT, "and more"), TOM),
            "by the name that it was sent under": (Quote("old", Person("7", "rose red", is_bot=True), "Hi."), ROSE),
            "by the name above it": (Quote("old", BOT, "**Rose Red**\nHi."), ROSE),
            "to a member of that name": (Quote("old", Person("8", "Tom"), "Hi."), IRIS),
            "to somebody's webhook of that name": (Quote("old", Person("9", "Tom", is_bot=True, is_service=True), "Hi."), IRIS),
            "to nobody in particular": (Quote("old", BOT, "Hi."), IRIS),
        }
        answered = {
            case: await addressee(tx, COMPANY, replace(incoming("Rosie says so", conversation=GROUP), quote=quote, text=text))
            for case, (quote, _) in quotes.items()
            for text in ("so it is",)
        }
        named = await addressee(tx, COMPANY, replace(incoming("rosie?", conversation=GROUP), quote=quotes["to nobody in particular"][0]))
        rows = await addressees(tx, COMPANY, [stored("Tom?", row=3, conversation=GROUP), stored("hm", row=4, conversation=GROUP)])
        alone = await addressees(tx, Company((IRIS,)), [stored("Tom?", author=ADA)])

    assert answered == {case: persona for case, (_, persona) in quotes.items()}
    assert (named, rows, alone) == (ROSE, {3: "tom", 4: "iris"}, {})
