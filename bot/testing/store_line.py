"""What every store's Line must do; part of `bot.testing.store_contract`."""

from bot.domain.load import Backlog, InLine, Left
from bot.domain.message import MessageState, ReplyTarget, StoredMessage
from bot.ports.store import Store
from bot.testing.clock import START
from bot.testing.factories import DIRECT, GROUP, incoming
from bot.testing.store_messages import TARGET, TOPIC, heard, replied


def in_line(message: StoredMessage) -> InLine:
    """Return what the line tells of a message."""
    return InLine(message.id, ReplyTarget(message.conversation, message.kind, message.message_id))


class LineContract:
    """One test a sentence of the port's docstrings."""

    async def test_what_waits_is_counted_over_all_conversations_and_up_to_a_limit(self, store: Store) -> None:
        async with store.read() as tx:
            assert await tx.line.backlog(most=10) == Backlog(waiting=0, oldest=None, newest_row=0, unsent=0)
        async with store.write() as tx:
            await heard(tx, "1", "2")
            *_, last = await heard(tx, "3", conversation=TOPIC)
            await tx.messages.record(incoming("history", message_id="4"), MessageState.HEARD)
            await tx.outbox.put(TARGET, "Hello.", (await replied(tx)).id)

        async with store.read() as tx:
            assert await tx.line.backlog(most=10) == Backlog(waiting=3, oldest=START, newest_row=last.id, unsent=1)
            assert (await tx.line.backlog(most=2)).waiting == 2

    async def test_what_is_left_to_do_in_a_conversation_comes_together(self, store: Store) -> None:
        async with store.write() as tx:
            waiting = await heard(tx, "1", "2")
            elsewhere = await heard(tx, "3", conversation=TOPIC)
            entry = await tx.outbox.put(TARGET, "Hello.", (await replied(tx)).id)
            await tx.outbox.set_draft(TOPIC, "draft")
            await tx.people.pass_by(GROUP, [elsewhere[0].id], START)

        async with store.read() as tx:
            assert await tx.line.left(DIRECT) == Left(await tx.outbox.unsent(DIRECT), list(waiting), frozenset(), "")
            assert [each.id for each in (await tx.line.left(DIRECT)).unsent] == [entry.id]
            assert await tx.line.left(TOPIC) == Left((), list(elsewhere), frozenset(), "draft")
            assert await tx.line.left(GROUP) == Left((), [], frozenset({elsewhere[0].id}), "")

    async def test_what_no_turn_has_begun_with_comes_in_its_order_if_it_was_addressed(self, store: Store) -> None:
        async with store.write() as tx:
            begun, first, second = await heard(tx, "1", "2", "3")
            await tx.messages.count_attempt([begun.id])
            await tx.messages.record(incoming("hm", message_id="4", conversation=GROUP, addressed=False), MessageState.WAITING)
            (elsewhere,) = await heard(tx, "5", conversation=TOPIC)

        async with store.read() as tx:
            assert await tx.line.untouched(after=0, upto=elsewhere.id, limit=9) == [in_line(each) for each in (first, second, elsewhere)]
            assert await tx.line.untouched(after=first.id, upto=elsewhere.id - 1, limit=9) == [in_line(second)]
            assert await tx.line.untouched(after=0, upto=elsewhere.id, limit=1) == [in_line(first)]

    async def test_the_conversations_that_wait_longest_come_alone_where_few_are_asked_for(self, store: Store) -> None:
        async with store.write() as tx:
            await heard(tx, "1", conversation=TOPIC)
            await heard(tx, "2", conversation=DIRECT)
            await tx.outbox.put(TARGET, "Hello.", (await replied(tx)).id)

        async with store.read() as tx:
            assert await tx.messages.waiting_conversations(limit=1) == [TOPIC]
            assert await tx.outbox.unsent_conversations(limit=1) == [DIRECT]
