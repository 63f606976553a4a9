"""The emulator, called by the real python-telegram-bot client over a socket."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllPrivateChats,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
)
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter

from tests.emulators.telegram.chats import Chat, ChatKind, Standing
from tests.emulators.telegram.clock import ManualClock
from tests.emulators.telegram.crowd import Attachment
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.errors import flood
from tests.emulators.telegram.faults import DroppedConnection, OutagePage
from tests.emulators.telegram.limits import SendingLimits
from tests.emulators.telegram.people import User

# The client announces that its waiting times will be of another type.
pytestmark = pytest.mark.filterwarnings("ignore:Deprecated since version v22.2")


def client(telegram: TelegramEmulator, token: str = "") -> Bot:
    base = telegram.api_base
    return Bot(token or telegram.token, base_url=f"{base}/bot", base_file_url=f"{base}/file/bot")


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramEmulator]:
    async with TelegramEmulator() as emulator:
        yield emulator


@pytest.fixture
async def bot(telegram: TelegramEmulator) -> AsyncIterator[Bot]:
    async with client(telegram) as started:
        yield started


@pytest.fixture
def ada(telegram: TelegramEmulator) -> User:
    return telegram.scene.person("Ada", username="ada")


@pytest.fixture
def dm(telegram: TelegramEmulator, ada: User) -> Chat:
    return telegram.scene.private(ada)


def test_the_bot_account_is_the_one_of_the_token(bot: Bot) -> None:
    assert (bot.username, bot.bot.is_bot, bot.can_read_all_group_messages) == ("baku_bot", True, False)


async def test_an_unknown_token_is_refused(telegram: TelegramEmulator) -> None:
    with pytest.raises(InvalidToken):
        async with client(telegram, "7000002:some-other-token"):
            pass


class TestPolling:
    async def test_acknowledged_updates_are_gone(self, telegram: TelegramEmulator, bot: Bot, ada: User, dm: Chat) -> None:
        for text in ("one", "two", "three"):
            telegram.people.says(dm, ada, text)

        first = await bot.get_updates(limit=2)
        rest = await bot.get_updates(offset=first[-1].update_id + 1)

        assert [update.message.text for update in (*first, *rest) if update.message] == ["one", "two", "three"]
        assert len(telegram.bot.feed.pending) == 1

    async def test_a_long_poll_returns_when_somebody_writes(self, telegram: TelegramEmulator, bot: Bot, ada: User, dm: Chat) -> None:
        poll = asyncio.create_task(bot.get_updates(timeout=30))
        await telegram.until(lambda: telegram.count("getUpdates") == 1)

        telegram.people.says(dm, ada, "late")

        assert [update.message.text for update in await poll if update.message] == ["late"]

    async def test_a_second_poll_ends_the_first(self, telegram: TelegramEmulator, bot: Bot) -> None:
        first = asyncio.create_task(bot.get_updates(timeout=30))
        await telegram.until(lambda: telegram.count("getUpdates") == 1)
        async with client(telegram) as other:
            second = asyncio.create_task(other.get_updates(timeout=30))

            with pytest.raises(Conflict, match="terminated by other getUpdates"):
                await first
            second.cancel()

    async def test_no_polling_beside_a_webhook(self, telegram: TelegramEmulator, bot: Bot) -> None:
        await bot.set_webhook("http://127.0.0.1:9/hook")

        with pytest.raises(Conflict, match="webhook is active"):
            await bot.get_updates()

    async def test_kinds_of_updates_not_asked_for_are_dropped(self, telegram: TelegramEmulator, bot: Bot, ada: User, dm: Chat) -> None:
        await bot.get_updates(allowed_updates=["edited_message"])

        telegram.people.edits(telegram.people.says(dm, ada, "teh"), "the")

        assert [update.edited_message is not None for update in await bot.get_updates()] == [True]


class TestSending:
    async def test_a_text_of_4096_units_is_sent_and_one_more_refused(self, telegram: TelegramEmulator, bot: Bot, dm: Chat) -> None:
        await bot.send_message(dm.id, "🐱" * 2048)

        with pytest.raises(BadRequest, match="Message is too long"):
            await bot.send_message(dm.id, "🐱" * 2048 + "!")
        assert len(telegram.sent) == 1

    @pytest.mark.parametrize("text", [pytest.param("   ", id="blanks"), pytest.param("\n", id="newline")])
    async def test_blank_texts_are_refused(self, bot: Bot, dm: Chat, text: str) -> None:
        with pytest.raises(BadRequest, match="essage text is empty"):
            await bot.send_message(dm.id, text)

    async def test_entities_count_utf16_units(self, telegram: TelegramEmulator, bot: Bot, dm: Chat) -> None:
        await bot.send_message(dm.id, "🐱 bold", entities=[MessageEntity("bold", 3, 4)])

        assert telegram.sent[0].spans == [("bold", "bold")]

    @pytest.mark.parametrize(
        ("entity", "problem"),
        [
            pytest.param(MessageEntity("bold", 1, 2), "(?i)begins in a middle of a UTF-16 symbol", id="splits an emoji"),
            pytest.param(MessageEntity("bold", 0, 99), "ends after the end of the text", id="too long"),
            pytest.param(MessageEntity("text_link", 0, 2, url="nowhere"), "(?i)wrong HTTP URL", id="bad link"),
        ],
    )
    async def test_entities_that_do_not_fit_are_refused(self, bot: Bot, dm: Chat, entity: MessageEntity, problem: str) -> None:
        with pytest.raises(BadRequest, match=problem):
            await bot.send_message(dm.id, "🐱 cat", entities=[entity])

    async def test_a_reply_to_nothing_is_refused_unless_allowed(self, telegram: TelegramEmulator, bot: Bot, dm: Chat) -> None:
        with pytest.raises(BadRequest, match="essage to be replied not found"):
            await bot.send_message(dm.id, "hm", reply_parameters=ReplyParameters(99))

        await bot.send_message(dm.id, "hm", reply_parameters=ReplyParameters(99, allow_sending_without_reply=True))

        assert telegram.sent[0].reply_to is None

    async def test_strangers_blockers_and_unknown_chats_cannot_be_written_to(self, telegram: TelegramEmulator, bot: Bot, dm: Chat) -> None:
        stranger = telegram.scene.private(telegram.scene.person("Bo"), started=False)
        telegram.people.blocks(dm)

        with pytest.raises(BadRequest, match="hat not found"):
            await bot.send_message(12345, "hi")
        with pytest.raises(Forbidden, match="can't initiate conversation"):
            await bot.send_message(stranger.id, "hi")
        with pytest.raises(Forbidden, match="blocked by the user"):
            await bot.send_message(dm.id, "hi")

    async def test_a_document_can_be_sent_and_fetched(self, telegram: TelegramEmulator, bot: Bot, dm: Chat) -> None:
        message = await bot.send_document(dm.id, b"a,b\n", filename="table.csv", caption="Here")

        assert message.document is not None
        assert message.document.file_name == "table.csv"
        file = await bot.get_file(message.document.file_id)
        assert bytes(await file.download_as_bytearray()) == b"a,b\n"

    async def test_drafts_are_shown_in_private_chats_only(self, telegram: TelegramEmulator, bot: Bot, dm: Chat, ada: User) -> None:
        await bot.send_message_draft(dm.id, 5, "Tea is")

        with pytest.raises(BadRequest):
            await bot.send_message_draft(telegram.scene.group("Tea", ada).id, 5, "Tea is")
        assert [draft.text for draft in telegram.world.drafts] == ["Tea is"]


class TestTrouble:
    async def test_a_flood_names_the_seconds_to_wait(self, telegram: TelegramEmulator, bot: Bot, dm: Chat) -> None:
        telegram.fail("sendMessage", flood(7), when=lambda params: "flood" in params.text("text"))
        await bot.send_message(dm.id, "calm")

        with pytest.raises(RetryAfter) as error:
            await bot.send_message(dm.id, "flood")

        assert error.value.retry_after == 7

    async def test_an_html_page_reads_as_a_network_error(self, telegram: TelegramEmulator, bot: Bot, dm: Chat) -> None:
        telegram.fail("sendMessage", OutagePage())

        with pytest.raises(NetworkError, match="Bad Gateway"):
            await bot.send_message(dm.id, "hi")

    async def test_an_outage_loses_nothing(self, telegram: TelegramEmulator, bot: Bot, dm: Chat, ada: User) -> None:
        telegram.people.says(dm, ada, "hi")
        await telegram.go_down()
        with pytest.raises(NetworkError):
            await bot.get_updates()

        await telegram.come_back()

        assert len(await bot.get_updates()) == 1

    async def test_an_answer_can_get_lost_after_the_message_was_sent(self, telegram: TelegramEmulator, bot: Bot, dm: Chat) -> None:
        telegram.fail("sendMessage", DroppedConnection(performed=True))

        with pytest.raises(NetworkError):
            await bot.send_message(dm.id, "hi")
        assert [message.text for message in telegram.sent] == ["hi"]

    async def test_too_many_messages_to_a_group_are_refused_for_a_while(self) -> None:
        clock = ManualClock()
        async with TelegramEmulator(clock=clock, limits=SendingLimits.like_telegram()) as telegram, client(telegram) as bot:
            group = telegram.scene.group("Tea", telegram.scene.person("Ada"))
            for number in range(20):
                await bot.send_message(group.id, str(number))

            with pytest.raises(RetryAfter):
                await bot.send_message(group.id, "one too many")
            clock.advance(61)
            await bot.send_message(group.id, "later")

            assert len(telegram.sent) == 21


class TestEditing:
    async def test_an_edit_keeps_the_place_and_needs_a_change(self, telegram: TelegramEmulator, bot: Bot, dm: Chat) -> None:
        message = await bot.send_message(dm.id, "Tea")
        await bot.edit_message_text("Tea!", dm.id, message.message_id)

        with pytest.raises(BadRequest, match="essage is not modified"):
            await bot.edit_message_text("Tea!", dm.id, message.message_id)
        assert [sent.text for sent in telegram.sent] == ["Tea!"]

    async def test_only_own_messages_can_be_edited(self, telegram: TelegramEmulator, bot: Bot, dm: Chat, ada: User) -> None:
        message = telegram.people.says(dm, ada, "hi")

        with pytest.raises(BadRequest, match="can't be edited"):
            await bot.edit_message_text("ho", dm.id, message.message_id)

    async def test_deleted_messages_are_gone(self, bot: Bot, dm: Chat) -> None:
        message = await bot.send_message(dm.id, "Tea")
        await bot.delete_message(dm.id, message.message_id)

        with pytest.raises(BadRequest, match="essage to delete not found"):
            await bot.delete_message(dm.id, message.message_id)

    async def test_the_press_of_a_button_can_be_answered_for_a_minute(
        self, telegram: TelegramEmulator, bot: Bot, dm: Chat, ada: User
    ) -> None:
        await bot.send_message(dm.id, "Sure?", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]]))
        presses = [telegram.people.presses(telegram.sent[0], ada, "Yes") for _ in range(2)]
        await bot.answer_callback_query(presses[0].id, "Done")
        assert isinstance(telegram.clock, ManualClock)
        telegram.clock.advance(90)

        with pytest.raises(BadRequest, match="uery is too old"):
            await bot.answer_callback_query(presses[1].id)
        assert presses[0].answer == "Done"

    async def test_a_reaction_is_kept(self, telegram: TelegramEmulator, bot: Bot, dm: Chat, ada: User) -> None:
        message = telegram.people.says(dm, ada, "done!")

        await bot.set_message_reaction(dm.id, message.message_id, ReactionTypeEmoji("🎉"))

        assert message.reactions == ["🎉"]


class TestMenu:
    async def test_menus_differ_by_scope_and_language(self, bot: Bot) -> None:
        await bot.set_my_commands([BotCommand("help", "What I can do")])
        await bot.set_my_commands([BotCommand("help", "できること")], BotCommandScopeAllPrivateChats(), "ja")

        assert [command.description for command in await bot.get_my_commands()] == ["What I can do"]
        assert [command.description for command in await bot.get_my_commands(BotCommandScopeAllPrivateChats(), "ja")] == ["できること"]
        assert await bot.get_my_commands(language_code="de") == ()

    @pytest.mark.parametrize(
        "command",
        [
            pytest.param(BotCommand("Help", "capital"), id="capital"),
            pytest.param(BotCommand("memory list", "blank"), id="blank"),
            pytest.param(BotCommand("m" * 33, "long"), id="long name"),
            pytest.param(BotCommand("help", "d" * 257), id="long description"),
        ],
    )
    async def test_wrong_commands_are_refused(self, bot: Bot, command: BotCommand) -> None:
        with pytest.raises(BadRequest):
            await bot.set_my_commands([command])


class TestGroups:
    async def test_privacy_mode_hides_what_is_not_meant_for_the_bot(self, telegram: TelegramEmulator, bot: Bot, ada: User) -> None:
        group = telegram.scene.group("Tea", ada)
        said = await bot.send_message(group.id, "Hello all")
        telegram.people.says(group, ada, "among us")
        telegram.people.says(group, ada, "@baku_bot hi")
        telegram.people.says(group, ada, "/help@baku_bot")
        telegram.people.says(group, ada, "/help@other_bot")
        telegram.people.says(group, ada, "thanks", reply_to=group.messages[said.message_id])

        updates = await bot.get_updates()

        assert [update.message.text for update in updates if update.message] == ["@baku_bot hi", "/help@baku_bot", "thanks"]

    async def test_an_administrator_bot_hears_everything(self, telegram: TelegramEmulator, bot: Bot, ada: User) -> None:
        group = telegram.scene.group("Tea", ada)
        telegram.scene.promote(group, telegram.bot.user)
        telegram.people.says(group, ada, "among us")

        assert len(await bot.get_updates()) == 1

    async def test_rights_are_live(self, telegram: TelegramEmulator, bot: Bot, ada: User) -> None:
        bo = telegram.scene.person("Bo")
        group = telegram.scene.group("Tea", ada, bo)
        before = await bot.get_chat_member(group.id, bo.id)
        telegram.scene.promote(group, bo, Standing.ADMINISTRATOR)
        after = await bot.get_chat_member(group.id, bo.id)

        assert (before.status, after.status) == ("member", "administrator")
        assert [member.user.id for member in await bot.get_chat_administrators(group.id)] == [ada.id, bo.id]

    async def test_topics_have_threads_and_general_has_none(self, telegram: TelegramEmulator, bot: Bot, ada: User) -> None:
        telegram.bot.reads_all = True
        forum = telegram.scene.forum("Forum", ada)
        cats = telegram.scene.topic(forum, "Cats")
        telegram.people.says(forum, ada, "meow", topic=cats)
        telegram.people.says(forum, ada, "hello")

        in_cats, in_general = [update.message for update in await bot.get_updates()][-2:]

        assert in_cats is not None
        assert in_general is not None
        assert (in_cats.message_thread_id, in_cats.is_topic_message) == (cats.id, True)
        assert (in_general.message_thread_id, in_general.is_topic_message) == (None, None)

    async def test_only_living_topics_can_be_written_to(self, telegram: TelegramEmulator, bot: Bot, ada: User) -> None:
        forum = telegram.scene.forum("Forum", ada)
        cats = telegram.scene.topic(forum, "Cats")
        await bot.send_message(forum.id, "meow", message_thread_id=cats.id)

        with pytest.raises(BadRequest, match="essage thread not found"):
            await bot.send_message(forum.id, "general", message_thread_id=1)
        telegram.scene.turn_topics_off(forum)
        with pytest.raises(BadRequest, match="essage thread not found"):
            await bot.send_message(forum.id, "meow", message_thread_id=cats.id)

    async def test_a_reply_in_a_plain_supergroup_carries_a_thread_that_cannot_be_sent_back(
        self, telegram: TelegramEmulator, bot: Bot, ada: User
    ) -> None:
        group = telegram.scene.group("Tea", ada)
        said = await bot.send_message(group.id, "Hello")
        telegram.people.says(group, ada, "hi", reply_to=group.messages[said.message_id])
        (update,) = await bot.get_updates()

        assert update.message is not None
        assert (update.message.message_thread_id, update.message.is_topic_message) == (said.message_id, None)
        with pytest.raises(BadRequest, match="essage thread not found"):
            await bot.send_message(group.id, "ho", message_thread_id=said.message_id)

    async def test_a_group_that_became_a_supergroup_names_its_new_id(self, telegram: TelegramEmulator, bot: Bot, ada: User) -> None:
        group = telegram.scene.group("Tea", ada, kind=ChatKind.GROUP)
        supergroup = telegram.scene.migrate(group)

        with pytest.raises(ChatMigrated) as error:
            await bot.send_message(group.id, "hi")
        updates = await bot.get_updates()

        assert error.value.new_chat_id == supergroup.id
        moves = [(update.message.migrate_to_chat_id, update.message.migrate_from_chat_id) for update in updates if update.message]
        assert moves == [(supergroup.id, None), (None, group.id)]

    async def test_hidden_people_come_with_a_sender_chat(self, telegram: TelegramEmulator, bot: Bot, ada: User) -> None:
        telegram.bot.reads_all = True
        group, channel = telegram.scene.group("Tea", ada), telegram.scene.channel("News")
        telegram.people.says_anonymously(group, "as the group")
        telegram.people.says_as_channel(group, channel, "as a channel")
        telegram.people.posts(channel, "a post")

        anonymous, as_channel, post = await bot.get_updates()

        assert anonymous.message is not None
        assert anonymous.message.sender_chat is not None
        assert anonymous.message.sender_chat.id == group.id
        assert as_channel.message is not None
        assert as_channel.message.sender_chat is not None
        assert as_channel.message.sender_chat.id == channel.id
        assert post.channel_post is not None
        assert post.channel_post.from_user is None

    async def test_albums_photos_and_captions_arrive(self, telegram: TelegramEmulator, bot: Bot, ada: User, dm: Chat) -> None:
        telegram.people.says(dm, ada, "my cat", attachment=Attachment(b"jpg"), album="a1")
        telegram.people.says(dm, ada, "", attachment=Attachment(b"pdf", "vet.pdf", "application/pdf"), album="a1")

        photo, document = [update.message for update in await bot.get_updates()]

        assert photo is not None
        assert document is not None
        assert (photo.caption, len(photo.photo), photo.media_group_id) == ("my cat", 1, "a1")
        assert document.document is not None
        assert document.document.mime_type == "application/pdf"
