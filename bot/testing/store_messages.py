"""What every store's Messages and Outbox must do; part of `bot.testing.store_contract`."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.chat import TELEGRAM, ConversationKey, ConversationKind
from bot.domain.memory import RecallNote
from bot.domain.message import MessageState, Person, Quote, ReplyTarget, Role, StoredMessage
from bot.domain.past import CorpusKind, PastNote
from bot.ports.store import Store, Transaction
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_scope, incoming

TARGET = ReplyTarget(DIRECT, ConversationKind.DIRECT, reply_to="m1")
TOPIC = ConversationKey(TELEGRAM, "-100", "-100", "7")


async def heard(tx: Transaction, *message_ids: str, conversation: ConversationKey = DIRECT, author: Person = ADA) -> list[StoredMessage]:
    """Record messages that wait for an answer."""
    messages = [incoming(f"text of {one}", message_id=one, conversation=conversation, author=author) for one in message_ids]
    recorded = [await tx.messages.record(message, MessageState.WAITING) for message in messages]
    return [message for message in recorded if message is not None]


async def replied(tx: Transaction, text: str = "Hello.", *, target: ReplyTarget = TARGET) -> StoredMessage:
    """Record a persona's line."""
    return await tx.messages.record_reply(target, "iris", "Iris", text, at=START)


class MessagesContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_recorded_message_comes_back_as_it_came(self, store: Store) -> None:
        quote = Quote("m0", Person("bot", "Bot", is_bot=True), "「何？」")
        message = replace(incoming("猫\n<b>", author=Person("7", "Ünal", is_service=True), conversation=TOPIC), quote=quote, is_public=True)

        async with store.write() as tx:
            recorded = await tx.messages.record(message, MessageState.HEARD)

        assert recorded is not None
        async with store.read() as tx:
            assert await tx.messages.get(a_scope(TOPIC, message.author).audience, recorded.id) == recorded
            assert await tx.messages.get(a_scope().audience, recorded.id) is None
        assert (recorded.conversation, recorded.kind, recorded.message_id) == (TOPIC, message.kind, "m1")
        assert (recorded.role, recorded.author, recorded.text) == (Role.USER, message.author, message.text)
        assert (recorded.sent_at, recorded.state, recorded.addressed_to_bot) == (START, MessageState.HEARD, True)
        assert (recorded.quote, recorded.attempts, recorded.persona_id, recorded.is_public) == (quote, 0, "", True)

    async def test_times_are_kept_to_the_microsecond_and_in_utc(self, store: Store) -> None:
        at = START + timedelta(microseconds=1)

        async with store.write() as tx:
            message = await tx.messages.record(incoming("hi", sent_at=at), MessageState.HEARD)

        assert message is not None
        assert (message.sent_at, message.sent_at.utcoffset()) == (at, timedelta(0))

    async def test_a_repeat_is_not_recorded(self, store: Store) -> None:
        async with store.write() as tx:
            assert await tx.messages.record(incoming("hi"), MessageState.WAITING) is not None
            assert await tx.messages.record(incoming("hi again"), MessageState.WAITING) is None
        async with store.write() as tx:
            assert await tx.messages.record(incoming("hi"), MessageState.HEARD) is None
            assert await tx.messages.record(incoming("hi", conversation=GROUP), MessageState.HEARD) is not None

        async with store.read() as tx:
            assert [message.text for message in await tx.messages.waiting(DIRECT)] == ["hi"]

    async def test_what_no_database_takes_is_left_out_of_texts(self, store: Store) -> None:
        async with store.write() as tx:
            message = await tx.messages.record(incoming("a\0b\ud83dc"), MessageState.HEARD)

        assert message is not None
        assert message.text == "ab?c"

    async def test_a_reply_is_a_line_of_the_persona(self, store: Store) -> None:
        async with store.write() as tx:
            reply = await replied(tx)
            other = await replied(tx)

        assert other.id > reply.id
        assert (reply.conversation, reply.kind, reply.message_id) == (DIRECT, ConversationKind.DIRECT, "")
        assert (reply.role, reply.author, reply.persona_id) == (Role.ASSISTANT, Person("iris", "Iris", is_bot=True), "iris")
        assert (reply.text, reply.sent_at, reply.state) == ("Hello.", START, MessageState.DONE)

    async def test_an_unknown_row_is_no_message(self, store: Store) -> None:
        async with store.read() as tx:
            assert await tx.messages.get(a_scope().audience, 1) is None

    async def test_history_is_the_last_lines_oldest_first_without_failed_ones(self, store: Store) -> None:
        async with store.write() as tx:
            one, two, three = await heard(tx, "1", "2", "3")
            await heard(tx, "1", conversation=GROUP)
            reply = await replied(tx)
            await tx.messages.set_state([two.id], MessageState.FAILED)

        async with store.read() as tx:
            assert await tx.messages.history(DIRECT, before=2**62, limit=9) == [one, three, reply]
            assert await tx.messages.history(DIRECT, before=2**62, limit=2) == [three, reply]
            assert await tx.messages.history(DIRECT, before=reply.id, limit=1) == [three]
            assert await tx.messages.history(TOPIC, before=2**62, limit=9) == []

    async def test_history_can_begin_after_a_line(self, store: Store) -> None:
        async with store.write() as tx:
            one, two, three = await heard(tx, "1", "2", "3")

            assert await tx.messages.history(DIRECT, after=one.id, limit=9) == [two, three]
            assert await tx.messages.history(DIRECT, after=one.id, before=three.id, limit=9) == [two]
            assert await tx.messages.history(DIRECT, after=three.id, limit=9) == []

    async def test_a_page_is_the_first_lines_after_one_without_failed_ones(self, store: Store) -> None:
        async with store.write() as tx:
            one, two, three, four = await heard(tx, "1", "2", "3", "4")
            await heard(tx, "1", conversation=GROUP)
            await tx.messages.set_state([two.id], MessageState.FAILED)

        async with store.read() as tx:
            assert await tx.messages.page(DIRECT, limit=2) == [one, three]
            assert await tx.messages.page(DIRECT, after=one.id, limit=9) == [three, four]
            assert await tx.messages.page(DIRECT, after=four.id, limit=9) == []

    async def test_several_are_those_of_the_rows_that_were_said_there(self, store: Store) -> None:
        async with store.write() as tx:
            one, two, three = await heard(tx, "1", "2", "3")
            (elsewhere,) = await heard(tx, "1", conversation=GROUP)
            await tx.messages.set_state([two.id], MessageState.FAILED)
            rows = [three.id, one.id, one.id, two.id, elsewhere.id, 2**40]

            assert await tx.messages.several(DIRECT, rows) == [one, three]
            assert await tx.messages.several(DIRECT, [*rows, *range(10**6, 10**6 + 2500)]) == [one, three]
            assert await tx.messages.several(DIRECT, []) == []

    async def test_last_heard_is_the_last_line_of_a_person_in_each_conversation(self, store: Store) -> None:
        async with store.write() as tx:
            await heard(tx, "1", "2")
            await heard(tx, "3", author=Person("robot", "Robot", is_bot=True))
            await replied(tx)
            await heard(tx, "4", "5", conversation=GROUP)
            await heard(tx, "6", conversation=TOPIC)
            await heard(tx, "7", conversation=ConversationKey("discord_", "x", "x"))

        async with store.read() as tx:
            assert [message.message_id for message in await tx.messages.last_heard("discord", limit=9)] == ["5", "2"]
            assert [message.message_id for message in await tx.messages.last_heard("discord", limit=1)] == ["5"]
            assert [message.message_id for message in await tx.messages.last_heard("discor_", limit=9)] == []

    async def test_waiting_messages_are_those_of_the_conversation_oldest_first(self, store: Store) -> None:
        async with store.write() as tx:
            one, two, three = await heard(tx, "1", "2", "3")
            await heard(tx, "1", conversation=GROUP)
            await tx.messages.set_state([two.id], MessageState.DONE)

        async with store.read() as tx:
            assert await tx.messages.waiting(DIRECT) == [one, three]

    async def test_what_is_answered_waits_no_more_and_only_what_waits_is_answered(self, store: Store) -> None:
        async with store.write() as tx:
            one, two = await heard(tx, "1", "2")
            assert await tx.messages.settle([one.id])
            assert not await tx.messages.settle([one.id, two.id])
            assert await tx.messages.settle([])

        async with store.read() as tx:
            assert await tx.messages.waiting(DIRECT) == []
            assert {each.state for each in await tx.messages.history(DIRECT, limit=9)} == {MessageState.DONE}

    async def test_the_longest_waiting_conversation_is_first(self, store: Store) -> None:
        async with store.write() as tx:
            (done,) = await heard(tx, "1", conversation=TOPIC)
            await heard(tx, "1", conversation=GROUP)
            await heard(tx, "1", conversation=DIRECT)
            await heard(tx, "2", conversation=GROUP)
            await tx.messages.set_state([done.id], MessageState.DONE)

        async with store.read() as tx:
            assert await tx.messages.waiting_conversations() == [GROUP, DIRECT]

    async def test_what_is_reopened_waits_as_if_nobody_had_tried(self, store: Store) -> None:
        async with store.write() as tx:
            one, two = await heard(tx, "1", "2")
            await tx.messages.count_attempt([one.id, two.id])
            await tx.messages.set_state([one.id, two.id], MessageState.DONE)
            await tx.messages.reopen([two.id])

        async with store.read() as tx:
            assert [(line.id, line.attempts) for line in await tx.messages.waiting(DIRECT)] == [(two.id, 0)]

    async def test_states_and_attempts_are_those_of_the_rows_named(self, store: Store) -> None:
        async with store.write() as tx:
            one, two, three = await heard(tx, "1", "2", "3")
            await tx.messages.count_attempt([one.id, two.id])
            await tx.messages.count_attempt([one.id])
            await tx.messages.set_state([two.id, three.id], MessageState.DONE)
            await tx.messages.set_state([], MessageState.FAILED)

        async with store.read() as tx:
            lines = await tx.messages.history(DIRECT, before=2**62, limit=9)
        assert [line.attempts for line in lines] == [2, 1, 0]
        assert [line.state for line in lines] == [MessageState.WAITING, MessageState.DONE, MessageState.DONE]

    async def test_a_sent_reply_is_known_by_its_id(self, store: Store) -> None:
        async with store.write() as tx:
            reply = await replied(tx)
            await tx.messages.set_platform_id(reply.id, "m9")

            assert await tx.messages.record(incoming("Hello.", message_id="m9"), MessageState.HEARD) is None
            assert await tx.messages.several(DIRECT, [reply.id]) == [replace(reply, message_id="m9")]

    async def test_an_id_that_is_known_already_is_not_given_twice(self, store: Store) -> None:
        async with store.write() as tx:
            reply = await replied(tx)
            await heard(tx, "m9")

            await tx.messages.set_platform_id(reply.id, "m9")

        async with store.read() as tx:
            assert await tx.messages.several(DIRECT, [reply.id]) == [reply]

    async def test_a_reply_keeps_where_its_history_began(self, store: Store) -> None:
        async with store.write() as tx:
            (message,) = await heard(tx, "1")
            reply = await tx.messages.record_reply(TARGET, "iris", "Iris", "Hello.", at=START, history_start=2**40)

        async with store.read() as tx:
            lines = await tx.messages.history(DIRECT, before=2**62, limit=9)
        assert lines == [message, reply]
        assert [line.history_start for line in lines] == [0, 2**40]

    async def test_the_notes_of_the_last_reply_that_has_some_come_in_number_order(self, store: Store) -> None:
        notes = [RecallNote(7, "shares 「words」", used=True), RecallNote(2, "stood there")]
        async with store.write() as tx:
            first, second, third = await replied(tx), await replied(tx), await replied(tx)
            await tx.messages.note_recalled(first.id, [RecallNote(1, "old")])
            await tx.messages.note_recalled(second.id, notes)
            await tx.messages.note_recalled(third.id, [])
            await tx.messages.note_recalled(2**40, [RecallNote(3, "of no message")])

        async with store.read() as tx:
            assert await tx.messages.recalled(DIRECT) == notes[::-1]
            assert await tx.messages.recalled(GROUP) == []

    async def test_notes_are_kept_of_the_last_fifty_replies_and_go_with_what_was_said_before(self, store: Store) -> None:
        async with store.write() as tx:
            (elsewhere,) = await heard(tx, "1", conversation=GROUP, author=BO)
            replies = [await replied(tx) for _ in range(30)]
            (message,) = await heard(tx, "1")
            replies += [await replied(tx) for _ in range(22)]
            for reply in replies:
                await tx.messages.note_recalled(reply.id, [RecallNote(reply.id, "why")])

        async with store.write() as tx:
            kept = [reply.id for reply in replies if await tx.messages.recalled(DIRECT, reply.id)]
            assert kept == [reply.id for reply in replies[2:]]
            assert await tx.messages.recalled(GROUP, replies[-1].id) == []
            await tx.erasures.take_messages(GROUP, [elsewhere], at=START)
            await tx.erasures.take_messages(DIRECT, [message], at=START)
            assert [reply.id for reply in replies if await tx.messages.recalled(DIRECT, reply.id)] == kept[:28]

    async def test_every_message_that_shows_a_long_reply_is_that_reply(self, store: Store) -> None:
        async with store.write() as tx:
            reply, other = await replied(tx), await replied(tx)
            await tx.messages.set_platform_id(reply.id, "p0")
            for number, part in ((2, "p2"), (1, "p1"), (3, "p2")):
                await tx.messages.keep_part(reply.id, number, part)
            await tx.messages.keep_part(2**40, 1, "of none")

            assert await tx.messages.parts_of([reply.id, other.id]) == {reply.id: ["p1", "p2"]}
            for part in ("p0", "p1", "p2"):
                assert [line.id for line in await tx.erasures.said(DIRECT, message_ids=[part], limit=2)] == [reply.id]
            assert not await tx.erasures.said(GROUP, message_ids=["p1"], limit=2)
            lines = await tx.erasures.said(DIRECT, message_ids=["p2"], limit=2)
            await tx.erasures.take_messages(DIRECT, lines, at=START)

            assert not await tx.messages.parts_of([reply.id])
            assert await tx.erasures.erased_messages(DIRECT, ["p0", "p1", "p2", "p3"]) == {"p0", "p1", "p2"}

    async def test_late_notes_of_an_earlier_reply_change_nothing(self, store: Store) -> None:
        async with store.write() as tx:
            first, second = await replied(tx), await replied(tx)
            await tx.messages.note_recalled(second.id, [RecallNote(2, "new")])
            await tx.messages.note_recalled(first.id, [RecallNote(1, "old")])

            assert await tx.messages.recalled(DIRECT) == [RecallNote(2, "new")]

    async def test_what_of_the_past_stood_in_the_last_prompt_comes_in_the_order_it_was_kept(self, store: Store) -> None:
        past = [PastNote(CorpusKind.TURNS, 2**40, "shares 「words」"), PastNote(CorpusKind.STRUCTURED, 1, "means the same")]
        async with store.write() as tx:
            first, second, third = await replied(tx), await replied(tx), await replied(tx)
            await tx.messages.note_recalled(first.id, [RecallNote(1, "old")], [PastNote(CorpusKind.TURNS, 1, "old")])
            await tx.messages.note_recalled(second.id, [], past)
            await tx.messages.note_recalled(third.id, [], [])
            await tx.messages.note_recalled(first.id, [RecallNote(1, "late")], [PastNote(CorpusKind.TURNS, 1, "late")])

        async with store.read() as tx:
            assert await tx.messages.recalled_past(DIRECT) == past
            assert await tx.messages.recalled(DIRECT) == [], "they are those of the same reply"
            assert await tx.messages.recalled_past(GROUP) == []

    async def test_a_reply_that_recalled_memories_alone_recalled_nothing_of_the_past(self, store: Store) -> None:
        async with store.write() as tx:
            first, second = await replied(tx), await replied(tx)
            await tx.messages.note_recalled(first.id, [], [PastNote(CorpusKind.TURNS, 1, "old")])
            await tx.messages.note_recalled(second.id, [RecallNote(1, "new")])

            assert await tx.messages.recalled_past(DIRECT) == []
            assert await tx.messages.recalled(DIRECT) == [RecallNote(1, "new")]

    async def test_a_changed_text_replaces_the_old_one(self, store: Store) -> None:
        async with store.write() as tx:
            await heard(tx, "1", "2")
            await heard(tx, "1", conversation=GROUP, author=BO)

            assert await tx.messages.change_text(DIRECT, "1", "new")
            assert not await tx.messages.change_text(DIRECT, "3", "new")
            assert not await tx.messages.change_text(DIRECT, "", "new")

        async with store.read() as tx:
            assert [line.text for line in await tx.messages.waiting(DIRECT)] == ["new", "text of 2"]
            assert [line.text for line in await tx.messages.waiting(GROUP)] == ["text of 1"]


class OutboxContract:
    """One test a sentence of the port's docstrings."""

    async def test_unsent_replies_come_oldest_first_until_they_are_removed(self, store: Store) -> None:
        async with store.write() as tx:
            row = (await replied(tx)).id
            entries = [await tx.outbox.put(TARGET, text, row) for text in ("one", "two", "three")]
            await tx.outbox.put(ReplyTarget(GROUP, ConversationKind.GROUP), "elsewhere", row)
            await tx.outbox.remove(entries[1].id)

        async with store.read() as tx:
            assert await tx.outbox.unsent(DIRECT) == [entries[0], entries[2]]
        assert (entries[0].target, entries[0].text, entries[0].parts_sent, entries[0].message_row) == (TARGET, "one", 0, row)

    async def test_the_conversation_with_the_oldest_reply_is_first(self, store: Store) -> None:
        async with store.write() as tx:
            row = (await replied(tx)).id
            for conversation in (GROUP, DIRECT, GROUP, TOPIC):
                await tx.outbox.put(ReplyTarget(conversation, ConversationKind.GROUP), "hi", row)

        async with store.read() as tx:
            assert await tx.outbox.unsent_conversations() == [GROUP, DIRECT, TOPIC]

    async def test_sent_parts_are_remembered(self, store: Store) -> None:
        async with store.write() as tx:
            entry = await tx.outbox.put(TARGET, "a long text", (await replied(tx)).id)
            await tx.outbox.mark_part_sent(entry.id, 2)

        async with store.read() as tx:
            assert await tx.outbox.unsent(DIRECT) == [replace(entry, parts_sent=2)]

    async def test_the_id_of_a_removed_reply_is_not_used_again(self, store: Store) -> None:
        async with store.write() as tx:
            first = await tx.outbox.put(TARGET, "one", (await replied(tx)).id)
            await tx.outbox.remove(first.id)
        async with store.write() as tx:
            second = await tx.outbox.put(TARGET, "two", (await replied(tx)).id)

        assert second.id > first.id

    @pytest.mark.parametrize("text", ["", "x" * 20_000])
    async def test_a_reply_may_have_any_length(self, store: Store, text: str) -> None:
        async with store.write() as tx:
            await tx.outbox.put(TARGET, text, (await replied(tx)).id)

        async with store.read() as tx:
            assert [entry.text for entry in await tx.outbox.unsent(DIRECT)] == [text]
