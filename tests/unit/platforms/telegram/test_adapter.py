"""The adapter in front of the emulator: connecting, receiving, sending."""

import asyncio
import logging
import socket

import aiohttp
import pytest

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import Part, ReplyTarget, Span, StyleKind
from bot.errors import DeliveryDelayed, DeliveryRefused, LoginRefused, StoreError
from bot.platforms.telegram.webhook import Webhook
from tests.emulators.telegram.chats import Chat, ChatKind
from tests.emulators.telegram.crowd import Attachment
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.errors import Refusal, conflict, flood
from tests.emulators.telegram.faults import DroppedConnection, OutagePage
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import platform_for, running


def target(chat: Chat, *, topic: int | None = None, reply_to: int | None = None) -> ReplyTarget:
    kind = ConversationKind.DIRECT if chat.kind is ChatKind.PRIVATE else ConversationKind.GROUP
    key = ConversationKey("telegram", str(chat.id), str(chat.id), str(topic or ""))
    return ReplyTarget(key, kind, str(reply_to or ""))


class TestConnecting:
    async def test_a_wrong_token_is_refused_with_a_remedy_and_stays_secret(self, caplog: pytest.LogCaptureFixture) -> None:
        async with TelegramEmulator() as telegram:
            with pytest.raises(LoginRefused, match="@BotFather") as error:
                await platform_for(telegram, token="123:wrong-secret").run(RecordingInbox())

        assert "wrong-secret" not in f"{error.value!r} {error.value.__cause__!r} {caplog.text}"

    async def test_a_token_that_is_taken_back_ends_the_connection(self) -> None:
        async with TelegramEmulator() as telegram:
            telegram.fail("getUpdates", Refusal(401, "Unauthorized"))

            with pytest.raises(LoginRefused):
                await platform_for(telegram).run(RecordingInbox())

    @pytest.mark.parametrize(
        "trouble",
        [
            pytest.param(OutagePage(), id="html page"),
            pytest.param(DroppedConnection(), id="dropped"),
            pytest.param(conflict("terminated by other getUpdates request"), id="second program"),
            pytest.param(Refusal(500, "Internal Server Error"), id="server error"),
        ],
    )
    @pytest.mark.parametrize("method", ["getMe", "deleteWebhook", "getUpdates"])
    async def test_troubles_are_waited_out(self, method: str, trouble: OutagePage | DroppedConnection | Refusal) -> None:
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            telegram.fail(method, trouble, times=3)
            ada = telegram.scene.person("Ada")
            telegram.people.says(telegram.scene.private(ada), ada, "hi")

            async with running(telegram, inbox):
                assert (await inbox.next_message()).text == "hi"

    async def test_an_outage_of_telegram_is_waited_out(self) -> None:
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            dm = telegram.scene.private(ada)
            async with running(telegram, inbox):
                await telegram.go_down()
                telegram.people.says(dm, ada, "while you were away")
                await telegram.come_back()

                assert (await inbox.next_message()).text == "while you were away"

    async def test_nothing_that_is_logged_holds_the_token_or_a_text(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            telegram.people.says(telegram.scene.private(ada), ada, "my locker code is 4471")
            async with running(telegram, inbox):
                await inbox.next_message()

        assert telegram.token not in caplog.text
        assert "4471" not in caplog.text


class TestReceiving:
    async def test_an_update_is_acknowledged_only_after_it_was_stored(self) -> None:
        inbox = RecordingInbox(faults=[StoreError("the disk is full")])
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            telegram.people.says(telegram.scene.private(ada), ada, "keep this")

            async with running(telegram, inbox):
                assert (await inbox.next_message()).text == "keep this"
                await telegram.all_acknowledged()

    async def test_what_was_taken_is_acknowledged_when_the_program_ends(self) -> None:
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            async with running(telegram, inbox):
                telegram.people.says(telegram.scene.private(ada), ada, "last words")
                await inbox.next_message()

            assert not telegram.bot.feed.pending

    async def test_what_was_said_while_the_bot_was_off_is_handed_in(self) -> None:
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            for text in ("one", "two"):
                telegram.people.says(telegram.scene.private(ada), ada, text)

            async with running(telegram, inbox):
                assert [(await inbox.next_message()).text for _ in range(2)] == ["one", "two"]

    async def test_an_update_that_cannot_be_read_holds_up_no_other(self) -> None:
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            telegram.bot.feed.push("message", {"message_id": 1, "shape": "of the future"})
            telegram.people.says(telegram.scene.private(ada), ada, "hi")

            async with running(telegram, inbox):
                assert (await inbox.next_message()).text == "hi"
                await telegram.all_acknowledged()

    async def test_an_edit_is_handed_in_as_one(self) -> None:
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            message = telegram.people.says(telegram.scene.private(ada), ada, "what day is it")
            async with running(telegram, inbox):
                await inbox.next_message()
                telegram.people.edits(message, "what day is it?")

                edit = await inbox.next_edit()

        assert (edit.message_id, edit.text) == (str(message.message_id), "what day is it?")
        assert inbox.messages.empty()

    async def test_a_text_file_is_read(self) -> None:
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            file = Attachment("ねこ,cat".encode(), "words.csv", "text/csv")
            telegram.people.says(telegram.scene.private(ada), ada, "my words", attachment=file)

            async with running(telegram, inbox):
                (attachment,) = (await inbox.next_message()).attachments

        assert (attachment.name, attachment.text) == ("words.csv", "ねこ,cat")
        assert telegram.token not in attachment.url

    async def test_pressing_start_is_a_hello(self) -> None:
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            telegram.people.says(telegram.scene.private(ada), ada, "/start")

            async with running(telegram, inbox):
                assert (await inbox.next_message()).text == "Hello!"


class TestWebhook:
    @staticmethod
    def webhook() -> Webhook:
        with socket.socket() as door:
            door.bind(("127.0.0.1", 0))
            port = int(door.getsockname()[1])
        return Webhook(f"http://127.0.0.1:{port}/telegram", "s3cret", port)

    async def test_updates_are_delivered_to_the_address(self) -> None:
        inbox = RecordingInbox()
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            async with running(telegram, inbox, platform_for(telegram, webhook=self.webhook())):
                telegram.people.says(telegram.scene.private(ada), ada, "hi")

                assert (await inbox.next_message()).text == "hi"
                await telegram.all_acknowledged()
                assert telegram.count("getUpdates") == 0

    async def test_what_could_not_be_stored_is_delivered_again(self) -> None:
        inbox = RecordingInbox(faults=[StoreError("the disk is full")])
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            async with running(telegram, inbox, platform_for(telegram, webhook=self.webhook())):
                telegram.people.says(telegram.scene.private(ada), ada, "hi")
                await telegram.until(lambda: bool(telegram.bot.webhook and telegram.bot.webhook.last_error))
                telegram.advance(5)

                assert (await inbox.next_message()).text == "hi"

    @pytest.mark.parametrize("secret", ["", "wrong"])
    async def test_a_delivery_without_the_secret_is_refused(self, secret: str) -> None:
        inbox, webhook = RecordingInbox(), self.webhook()
        async with (
            TelegramEmulator() as telegram,
            running(telegram, inbox, platform_for(telegram, webhook=webhook)),
            aiohttp.ClientSession(headers={"X-Telegram-Bot-Api-Secret-Token": secret} if secret else {}) as session,
        ):
            answer = await session.post(webhook.url, json={"update_id": 1})

            assert answer.status == 403

    async def test_a_taken_port_is_said_with_a_remedy(self) -> None:
        async with TelegramEmulator() as telegram:
            taken = int(telegram.api_base.rpartition(":")[2])
            platform = platform_for(telegram, webhook=Webhook("http://127.0.0.1/telegram", "s3cret", taken))

            with pytest.raises(LoginRefused, match="TELEGRAM_WEBHOOK_PORT"):
                await platform.run(RecordingInbox())


class TestSending:
    async def test_a_part_is_sent_as_a_reply_with_its_spans(self) -> None:
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            dm = telegram.scene.private(ada)
            asked = telegram.people.says(dm, ada, "hi")

            async with running(telegram, RecordingInbox()) as platform:
                (part,) = platform.parts("🐱 **Hello** Ada")
                sent_id = await platform.send(target(dm, reply_to=asked.message_id), part, nonce="1-0")

        (sent,) = telegram.sent
        assert (sent.text, sent.spans, sent.reply_to) == ("🐱 Hello Ada", [("bold", "Hello")], asked)
        assert sent_id == str(sent.message_id)

    async def test_sending_waits_until_the_platform_is_connected(self) -> None:
        async with TelegramEmulator() as telegram:
            dm = telegram.scene.private(telegram.scene.person("Ada"))
            platform = platform_for(telegram)
            sending = asyncio.create_task(platform.send(target(dm), Part("hi"), nonce="1"))

            async with running(telegram, RecordingInbox(), platform):
                await sending

        assert [sent.text for sent in telegram.sent] == ["hi"]

    async def test_an_answer_to_a_deleted_message_is_sent_all_the_same(self) -> None:
        async with TelegramEmulator() as telegram:
            dm = telegram.scene.private(telegram.scene.person("Ada"))
            async with running(telegram, RecordingInbox()) as platform:
                await platform.send(target(dm, reply_to=99), Part("hi"), nonce="1")

        assert telegram.sent[0].reply_to is None

    @pytest.mark.parametrize(
        ("trouble", "least", "most"),
        [
            pytest.param(flood(7), 7, 8, id="flood"),
            pytest.param(OutagePage(), 0, 1, id="html page"),
            pytest.param(DroppedConnection(), 0, 1, id="dropped"),
        ],
    )
    async def test_a_passing_trouble_asks_to_wait(
        self, trouble: Refusal | OutagePage | DroppedConnection, least: float, most: float
    ) -> None:
        async with TelegramEmulator() as telegram:
            dm = telegram.scene.private(telegram.scene.person("Ada"))
            telegram.fail("sendMessage", trouble)
            async with running(telegram, RecordingInbox()) as platform:
                with pytest.raises(DeliveryDelayed) as delay:
                    await platform.send(target(dm), Part("hi"), nonce="1")

        assert least <= delay.value.retry_after <= most

    async def test_who_blocked_the_bot_gets_nothing(self) -> None:
        async with TelegramEmulator() as telegram:
            dm = telegram.scene.private(telegram.scene.person("Ada"))
            telegram.people.blocks(dm)
            async with running(telegram, RecordingInbox()) as platform:
                with pytest.raises(DeliveryRefused, match="blocked"):
                    await platform.send(target(dm), Part("hi"), nonce="1")

    async def test_an_answer_follows_a_group_that_became_a_supergroup(self) -> None:
        async with TelegramEmulator() as telegram:
            group = telegram.scene.group("Tea", telegram.scene.person("Ada"), kind=ChatKind.GROUP)
            supergroup = telegram.scene.migrate(group)
            async with running(telegram, RecordingInbox()) as platform:
                await platform.send(target(group, reply_to=3), Part("hi"), nonce="1")

        assert [(sent.chat.id, sent.text) for sent in telegram.sent] == [(supergroup.id, "hi")]

    async def test_markup_that_telegram_refuses_costs_the_markup_not_the_message(self) -> None:
        async with TelegramEmulator() as telegram:
            dm = telegram.scene.private(telegram.scene.person("Ada"))
            async with running(telegram, RecordingInbox()) as platform:
                await platform.send(target(dm), Part("hi", (Span(StyleKind.BOLD, 0, 99),)), nonce="1")

        assert [(sent.text, sent.spans) for sent in telegram.sent] == [("hi", [])]

    async def test_an_answer_in_a_deleted_topic_lands_nowhere_else(self) -> None:
        async with TelegramEmulator() as telegram:
            forum = telegram.scene.forum("Forum", telegram.scene.person("Ada"))
            async with running(telegram, RecordingInbox()) as platform:
                with pytest.raises(DeliveryRefused, match="topic is gone"):
                    await platform.send(target(forum, topic=77), Part("hi"), nonce="1")

        assert telegram.sent == []

    async def test_an_answer_in_a_closed_topic_is_refused_with_what_to_do(self) -> None:
        async with TelegramEmulator() as telegram:
            forum = telegram.scene.forum("Forum", telegram.scene.person("Ada"))
            cats = telegram.scene.topic(forum, "Cats")
            cats.closed = True
            async with running(telegram, RecordingInbox()) as platform:
                with pytest.raises(DeliveryRefused, match="Reopen it"):
                    await platform.send(target(forum, topic=cats.id), Part("hi"), nonce="1")

    async def test_an_answer_goes_to_the_group_once_its_topics_are_turned_off(self) -> None:
        async with TelegramEmulator() as telegram:
            forum = telegram.scene.forum("Forum", telegram.scene.person("Ada"))
            cats = telegram.scene.topic(forum, "Cats")
            telegram.scene.turn_topics_off(forum)
            async with running(telegram, RecordingInbox()) as platform:
                await platform.send(target(forum, topic=cats.id), Part("hi"), nonce="1")

        assert [(sent.chat, sent.in_topic) for sent in telegram.sent] == [(forum, False)]


class TestComposing:
    async def test_typing_is_shown_anew_until_the_answer_is_there(self) -> None:
        async with TelegramEmulator() as telegram:
            forum = telegram.scene.forum("Forum", telegram.scene.person("Ada"))
            cats = telegram.scene.topic(forum, "Cats")
            async with running(telegram, RecordingInbox()) as platform:
                async with platform.composing(target(forum, topic=cats.id)) as draft:
                    await draft.show("not shown in groups")
                    await telegram.until(lambda: len(telegram.world.actions) >= 3)
                shown = len(telegram.world.actions)
                await asyncio.sleep(0.1)

        assert len(telegram.world.actions) == shown
        assert {(action.action, action.thread_id) for action in telegram.world.actions} == {("typing", cats.id)}
        assert telegram.world.drafts == []

    async def test_drafts_are_shown_in_private_chats(self) -> None:
        async with TelegramEmulator() as telegram:
            dm = telegram.scene.private(telegram.scene.person("Ada"))
            async with running(telegram, RecordingInbox()) as platform, platform.composing(target(dm)) as draft:
                for text in ("", "**Tea", "**Tea** is", "**Tea** is ready"):
                    await draft.show(text)

        assert [shown.text for shown in telegram.world.drafts] == ["**Tea", "Tea is", "Tea is ready"]

    async def test_failures_to_show_it_are_no_failures(self) -> None:
        async with TelegramEmulator() as telegram:
            dm = telegram.scene.private(telegram.scene.person("Ada"))
            telegram.fail("sendChatAction", OutagePage(), times=99)
            telegram.fail("sendMessageDraft", flood(3))
            async with running(telegram, RecordingInbox()) as platform, platform.composing(target(dm)) as draft:
                await draft.show("Tea")
                await draft.show("Tea is")
                await telegram.until(lambda: telegram.count("sendChatAction") > 1)

        assert telegram.count("sendMessageDraft") == 1

    async def test_what_is_raised_inside_comes_out_as_it_is(self) -> None:
        async with TelegramEmulator() as telegram:
            dm = telegram.scene.private(telegram.scene.person("Ada"))
            async with running(telegram, RecordingInbox()) as platform:
                with pytest.raises(LookupError):
                    async with platform.composing(target(dm)):
                        raise LookupError

    async def test_nothing_is_shown_while_out_of_reach(self) -> None:
        async with TelegramEmulator() as telegram:
            dm = telegram.scene.private(telegram.scene.person("Ada"))

            async with platform_for(telegram).composing(target(dm)) as draft:
                await draft.show("Tea")

        assert telegram.world.calls == []
