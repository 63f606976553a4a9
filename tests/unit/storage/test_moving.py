"""A group that goes on under another id: everything follows, on both databases."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import JSON, Boolean, Column, Date, Integer, LargeBinary, Table, Uuid, insert, select
from sqlalchemy.types import Float, TypeEngine

from bot.domain.chat import Audience, AudienceKind, BindingTarget, ConversationKey, ConversationKind, MemoryScope, audience_of
from bot.domain.erasing import ErasurePlan, OneConversation
from bot.domain.memory import Memory
from bot.domain.message import IncomingMessage, MessageState, ReplyTarget
from bot.errors import Overtaken
from bot.memory.erasing.guard import guarded
from bot.storage.sql.metadata import METADATA
from bot.storage.sql.moving_places import Move
from bot.storage.sql.tables import Moment
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import a_memory, incoming

OLD, NEW = "-400", "-100500"
GROUP, SUPERGROUP = ConversationKey("telegram", OLD, OLD), ConversationKey("telegram", NEW, NEW)
NEIGHBOUR = ConversationKey("telegram", "-4001", "-4001")
PLACES = ("conversation", "space", "channel", "audience")


def scope_in(conversation: ConversationKey) -> MemoryScope:
    return MemoryScope("iris", audience_of(conversation, ConversationKind.GROUP, ""))


def memory(scope: MemoryScope, number: int, text: str) -> Memory:
    return replace(a_memory(text, number=number, scope=scope), id=uuid4())


def said(text: str, conversation: ConversationKey) -> IncomingMessage:
    return replace(incoming(text, message_id="5", conversation=conversation), kind=ConversationKind.GROUP)


def filled(column: Column[object], table: Table) -> object:
    """Return a value for a column; one that may name a place names the group."""
    by_name: Mapping[str, object] = {
        "conversation": str(GROUP),
        "audience_kind": AudienceKind.CONVERSATION.value,
        "audience_id": str(GROUP),
        "subject": f"iris {scope_in(GROUP).audience}" if "job" in table.c else "Bo",
        "platform": "telegram",
        "target": "",
        **dict.fromkeys(("kinds", "aliases", "counts"), "{}"),
    }
    by_type: Mapping[type[TypeEngine[Any]], object] = {
        Boolean: True, Integer: 1, Float: 1.0, Date: date(2026, 1, 1), JSON: [], LargeBinary: b"", Uuid: uuid4(), Moment: START
    }  # fmt: skip
    value = next((value for kind, value in by_type.items() if isinstance(column.type, kind)), None)
    text = OLD if any(word in column.name for word in PLACES) else "x"
    return by_name.get(column.name, text) if value is None else value


async def test_no_table_is_left_behind(store: SqlStore) -> None:
    async with store.write() as tx:
        sql = tx.places._sql  # the rows are of all tables, also of those that have no repository yet
        for table in METADATA.sorted_tables:
            await sql.run(insert(table), {column.name: filled(column, table) for column in table.c})

        await tx.places.move("telegram", OLD, NEW, START)

        for table in METADATA.sorted_tables:
            for row in await sql.rows(select(table), {}):
                kept = {name: value for name, value in row._asdict().items() if isinstance(value, str) and OLD in value}
                assert not kept or table.name in {"messages", "answer_parts"}, table.name
                assert set(kept) <= {"message_id", "quote_message_id"}


async def test_two_halves_of_a_group_become_one_and_nothing_is_lost(store: SqlStore) -> None:
    async with store.write() as tx:
        for number, text in ((1, "Ada likes tea"), (2, "Bo likes milk")):
            await tx.memories.add(memory(scope_in(GROUP), number, text))
        await tx.memories.add(memory(scope_in(SUPERGROUP), 1, "Cy likes rum"))
        await tx.memories.add(memory(scope_in(NEIGHBOUR), 1, "Di likes gin"))
        for conversation, text in ((GROUP, "old five"), (SUPERGROUP, "new five"), (NEIGHBOUR, "other five")):
            await tx.messages.record(said(text, conversation), MessageState.WAITING)
        await tx.settings.set("telegram", OLD, f"speak.mode@{OLD}", "always")
        await tx.settings.set("telegram", OLD, "dream.time", "04:00")
        await tx.settings.set("telegram", NEW, "dream.time", "05:00")
        await tx.settings.set("telegram", OLD, f"dream.diary {scope_in(GROUP).audience}", str(GROUP))
        await tx.bindings.bind(BindingTarget("telegram", OLD, OLD), "iris")
        await tx.erasures.left("telegram", OLD, START)

    for _ in range(2):
        async with store.write() as tx:
            await tx.places.move("telegram", OLD, NEW, START)

    async with store.read() as tx:
        memories = {one.number: one.text for one in await tx.memories.page(scope_in(SUPERGROUP), limit=9)}
        assert memories == {1: "Cy likes rum", 2: "Bo likes milk", 3: "Ada likes tea"}
        assert [one.text for one in await tx.memories.page(scope_in(NEIGHBOUR), limit=9)] == ["Di likes gin"]
        history = await tx.messages.history(SUPERGROUP, limit=9)
        assert [(one.message_id, one.text) for one in history] == [("-400/5", "old five"), ("5", "new five")]
        assert [one.text for one in await tx.messages.history(NEIGHBOUR, limit=9)] == ["other five"]
        assert await tx.settings.all("telegram", NEW) == {
            f"speak.mode@{NEW}": "always",
            "dream.time": "05:00",
            f"dream.diary {scope_in(SUPERGROUP).audience}": str(SUPERGROUP),
        }
        assert await tx.bindings.around(SUPERGROUP) == "iris"
        assert await tx.erasures.departures() == []
        assert set(await tx.messages.waiting_conversations()) == {SUPERGROUP, NEIGHBOUR}
    async with store.write() as tx:
        assert await tx.memories.reserve_number(scope_in(SUPERGROUP)) == 4


async def test_work_under_way_is_overtaken_and_what_waits_to_be_sent_is_sent_in_reply_to_nothing(store: SqlStore) -> None:
    async with store.write() as tx:
        target = ReplyTarget(GROUP, ConversationKind.GROUP, "5")
        line = await tx.messages.record_reply(target, "iris", "Iris", "Tea.", at=START)
        await tx.outbox.put(target, "Tea.", line.id)
    work = await guarded(store, [GROUP])

    async with store.write() as tx:
        assert await tx.places.move("telegram", OLD, NEW, START) == [SUPERGROUP]

    async with store.read() as tx:
        assert [(one.target.reply_to, one.text) for one in await tx.outbox.unsent(SUPERGROUP)] == [("", "Tea.")]
    with pytest.raises(Overtaken):
        async with work.write():
            pass


async def test_what_was_erased_before_stays_erased_and_what_is_being_erased_is_found(store: SqlStore) -> None:
    async with store.write() as tx:
        await tx.messages.record(said("hi", GROUP), MessageState.HEARD)
        await tx.erasures.begin(OneConversation(GROUP), ErasurePlan(), START)

        await tx.places.move("telegram", OLD, NEW, START)

        assert [order.target for order in await tx.erasures.unfinished()] == [OneConversation(SUPERGROUP)]
        assert await tx.erasures.erased_at([OneConversation(SUPERGROUP)]) == {OneConversation(SUPERGROUP): START}


def test_names_that_only_begin_alike_are_others() -> None:
    move = Move("telegram", OLD, NEW)
    around = Audience(AudienceKind.SPACE, f"telegram:{OLD}")

    assert (
        move.text(f"iris {around} telegram:-4001:-4001: xtelegram:-400:-400:")
        == f"iris space/telegram:{NEW} telegram:-4001:-4001: xtelegram:-400:-400:"
    )
    assert move.text(f"past:telegram:{OLD}:{OLD}:7:tea") == f"past:telegram:{NEW}:{NEW}:7:tea"
    assert move.key(NEIGHBOUR) == NEIGHBOUR
