import asyncio
from dataclasses import replace

import pytest

from bot.conversation.deliver import WITHDRAWN_AGAIN, Delivery
from bot.domain.chat import ConversationKey
from bot.domain.message import MessageState, OutboxEntry, ReplyTarget
from bot.errors import DeliveryDelayed, DeliveryRefused
from bot.storage.store import SqlStore
from bot.testing.bot import Bot, make_bot
from bot.testing.clock import FrozenClock
from bot.testing.factories import ADA, DIRECT, GROUP, incoming, kind_of
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel


async def history(bot: Bot) -> list[str]:
    async with bot.store.read() as tx:
        return [message.text for message in await tx.messages.history(DIRECT, limit=50)]


async def left_in(bot: Bot, chat: ConversationKey) -> OutboxEntry:
    """Leave a reply in the outbox."""
    target = ReplyTarget(chat, kind_of(chat))
    async with bot.store.write() as tx:
        row = await tx.messages.record_reply(target, "iris", "Iris", "Left behind.", at=bot.clock.now())
        return await tx.outbox.put(target, "Left behind.", row.id)


async def test_long_answer_goes_out_in_order_and_only_its_first_part_is_a_reply() -> None:
    text = "".join(f"{number:04} " for number in range(900))

    async with make_bot(ScriptedModel(text)) as bot:
        message_id = await bot.say("count")

        assert "".join(bot.replies) == text.strip()
        assert [sent.target.reply_to for sent in bot.platform.sent] == [message_id, "", ""]
        assert len({sent.nonce for sent in bot.platform.sent}) == 3


async def test_delayed_part_is_sent_after_the_pause_the_platform_asked_for() -> None:
    async with make_bot(ScriptedModel("Hello.")) as bot:
        bot.platform.faults = [DeliveryDelayed("slow down", retry_after=7.0), DeliveryDelayed("slow down", retry_after=9000.0)]

        await bot.say("hi")

        assert bot.replies == ["Hello."]
        assert bot.clock.slept == [7.0, 300.0]


async def test_a_chat_that_is_to_wait_keeps_no_other_from_trying_a_platform_that_was_away() -> None:
    away, wait = DeliveryDelayed("away", retry_after=5.0, everywhere=True), DeliveryDelayed("slow down", retry_after=60.0)
    chats = [replace(GROUP, channel_id=str(number)) for number in range(4)]

    async with make_bot(ScriptedModel()) as bot:
        delivery = Delivery(bot.store, {"discord": bot.platform}, bot.clock)
        entries = [await left_in(bot, chat) for chat in chats]
        bot.platform.faults = [away, away, wait]
        for entry, later in zip(entries[:3], (0.0, 6.0, 0.0), strict=True):
            with pytest.raises(DeliveryDelayed):
                await delivery.send([entry])
            bot.clock.move(seconds=later)
        await delivery.send([entries[3]])

        assert bot.replies == ["Left behind."]


class Unreached(RecordingPlatform):
    """A platform that waits for a connection before it takes anything away, as those on a network do."""

    async def withdraw(self, target: ReplyTarget, draft_id: str) -> None:
        """Wait for good."""
        await asyncio.Event().wait()


async def test_a_draft_that_cannot_be_taken_away_gives_its_place_to_answers(store: SqlStore) -> None:
    delivery = Delivery(store, {"discord": Unreached()}, FrozenClock(), patience=0.01)

    with pytest.raises(DeliveryDelayed) as delay:
        await delivery.withdraw(ReplyTarget(DIRECT, kind_of(DIRECT)), "draft-1")

    assert delay.value.retry_after == WITHDRAWN_AGAIN


async def test_what_another_process_has_sent_meanwhile_is_not_sent_again() -> None:
    async with make_bot(ScriptedModel()) as bot:
        target = ReplyTarget(DIRECT, kind_of(DIRECT))
        async with bot.store.write() as tx:
            row = await tx.messages.record_reply(target, "iris", "Iris", "x" * 5000, at=bot.clock.now())
            await tx.outbox.put(target, "x" * 5000, row.id)
        async with bot.store.read() as tx:
            unsent = await tx.outbox.unsent(DIRECT)
        bot.platform.slow_sends = asyncio.Event()
        bot.platform.faults = [DeliveryDelayed("slow down", retry_after=3.0)]
        sending = asyncio.create_task(Delivery(bot.store, {"discord": bot.platform}, bot.clock).send(unsent))
        await bot.platform.sending.wait()
        async with bot.store.write() as tx:
            await tx.outbox.mark_part_sent(unsent[0].id, 1)
        bot.platform.slow_sends.set()
        await sending

        assert bot.replies == []


async def test_refused_reply_is_dropped_and_was_never_said() -> None:
    async with make_bot(ScriptedModel("Hello.", "Hello again.")) as bot:
        bot.platform.faults = [DeliveryRefused("this chat is gone")]
        await bot.say("hi")
        await bot.say("hi again")

        assert bot.replies == ["Hello again."]
        assert await history(bot) == ["hi", "hi again", "Hello again."]


async def test_reply_that_a_crash_left_behind_is_sent_at_the_next_start(database_url: str) -> None:
    async with make_bot(ScriptedModel("Hello."), database=database_url) as bot:
        await bot.say("hi")
        sent = bot.platform.sent[0]
        async with bot.store.write() as tx:
            row = await tx.messages.record_reply(sent.target, "iris", "Iris", "Left behind.", at=bot.clock.now())
            await tx.outbox.put(sent.target, "Left behind.", row.id)

    async with make_bot(ScriptedModel(), database=database_url) as restarted:
        await restarted.quiet()

        assert restarted.replies == ["Left behind."]


async def test_sent_reply_is_known_by_the_id_the_platform_gave_it() -> None:
    async with make_bot(ScriptedModel("Hello.")) as bot:
        await bot.say("hi")

        async with bot.store.read() as tx:
            reply = (await tx.messages.history(DIRECT, limit=1))[0]
        assert reply.message_id == "sent-1"
        assert reply.state is MessageState.DONE


async def test_stop_in_the_middle_of_sending_still_marks_what_was_sent(database_url: str) -> None:
    async with make_bot(ScriptedModel("Hello."), database=database_url) as bot:
        bot.platform.slow_sends = asyncio.Event()
        await bot.app.inbox.receive(incoming("hi"))
        await bot.platform.sending.wait()
        asyncio.get_running_loop().call_later(0.05, bot.platform.slow_sends.set)
    sent = bot.replies

    async with make_bot(ScriptedModel(), database=database_url) as restarted:
        await restarted.quiet()

        assert sent == ["Hello."]
        assert restarted.replies == []


async def test_a_very_long_answer_goes_as_a_file_where_admins_want_that_and_its_draft_goes() -> None:
    text = "tea and more tea. " * 500

    async with make_bot(ScriptedModel(text)) as bot:
        bot.platform.posts_drafts = True
        async with bot.store.write() as tx:
            await tx.settings.set(DIRECT.platform, f"person:{ADA.id}", "speak.long_as_file", "on")
        message_id = await bot.say("all of it")

        (sent,) = bot.platform.sent
        (file,) = bot.platform.sent_files
        assert (sent.target.reply_to, len(sent.text) < 700, bot.platform.withdrawn) == (message_id, True, ["draft-1"])
        assert file.content.decode().strip() == text.strip()
        assert await history(bot) == ["all of it", text.strip()]


async def test_an_answer_that_is_refused_as_a_file_comes_in_parts_after_all() -> None:
    text = "tea and more tea. " * 500

    async with make_bot(ScriptedModel(text)) as bot:
        bot.platform.faults.append(DeliveryRefused("no files here"))
        async with bot.store.write() as tx:
            await tx.settings.set(DIRECT.platform, f"person:{ADA.id}", "speak.long_as_file", "on")
        await bot.say("all of it")

        assert bot.platform.sent_files == []
        assert "".join(sent.text for sent in bot.platform.sent).strip() == text.strip()
        assert await history(bot) == ["all of it", text.strip()]


async def test_answers_are_not_shown_growing_where_admins_do_not_want_that() -> None:
    async with make_bot(ScriptedModel("A calm answer.")) as bot:
        bot.platform.posts_drafts = True
        async with bot.store.write() as tx:
            await tx.settings.set(DIRECT.platform, f"person:{ADA.id}", "speak.streams", "off")
        await bot.say("hi")

        assert [(sent.text, sent.draft_id) for sent in bot.platform.sent] == [("A calm answer.", "")]
