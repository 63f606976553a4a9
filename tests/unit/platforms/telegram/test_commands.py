"""Typed commands, menus, rights and private answers through the adapter, in front of the emulator."""

import pytest

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.command import Answer, Command, CommandCall, WhoMay
from bot.platforms.telegram.giving import SENT_IN_PRIVATE
from tests.emulators.telegram.bots import MenuCommand
from tests.emulators.telegram.chats import Standing
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.faults import OutagePage
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import running
from tests.unit.platforms.telegram.some_commands import FORGET, HELP, LIST, NUMBER, SET, ask_first, ask_in_private, say_options


async def test_a_typed_command_is_answered_in_its_topic_as_a_reply() -> None:
    inbox = RecordingInbox([HELP, LIST])
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada", language="ja")
        forum = telegram.scene.forum("Forum", ada)
        cats = telegram.scene.topic(forum, "Cats")

        async with running(telegram, inbox):
            asked = telegram.people.says(forum, ada, "/memory_list@baku_bot 20", topic=cats)
            answer = await telegram.next_reply(forum)

    assert (answer.text, answer.thread_id, answer.reply_to) == ("memory list: {'after': 20}", cats.id, asked)
    (call,) = inbox.calls
    assert call.conversation == ConversationKey("telegram", str(forum.id), str(forum.id), str(cats.id))
    assert (call.asker.id, call.kind, call.language) == (str(ada.id), ConversationKind.GROUP, "ja")
    assert inbox.messages.empty()


async def test_a_mistake_is_answered_with_what_to_do() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)

        async with running(telegram, RecordingInbox([HELP, FORGET])):
            telegram.people.says(dm, ada, "/dance")
            unknown = await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "/memory forget soon")
            wrong = await telegram.next_reply(dm)

    assert "/help" in unknown.text
    assert "/memory_forget <number>" in wrong.text
    assert ("bot_command", "/memory_forget") in wrong.spans


async def test_commands_of_other_bots_and_from_bots_are_left_alone() -> None:
    inbox = RecordingInbox([HELP])
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = telegram.bot.hears_bots = True
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea", ada)

        async with running(telegram, inbox):
            telegram.people.says(group, ada, "/help@other_bot")
            telegram.people.says(group, telegram.scene.other_bot("Weather", "weather_bot"), "/help")
            telegram.people.says(group, ada, "/roll 2d6")
            heard = await inbox.next_message()

    assert (heard.text, heard.addressed_to_bot) == ("/roll 2d6", False)
    assert (inbox.calls, telegram.sent) == ([], [])


async def test_an_edited_command_is_neither_run_again_nor_remembered() -> None:
    inbox = RecordingInbox([HELP])
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, inbox):
            message = telegram.people.says(dm, ada, "/help")
            await telegram.next_reply(dm)
            telegram.people.edits(message, "/help me")
            await telegram.all_acknowledged()

    assert (len(inbox.calls), inbox.edits.empty()) == (1, True)


class TestMenu:
    async def test_everybody_sees_their_commands_and_admins_see_all(self) -> None:
        async with TelegramEmulator() as telegram, running(telegram, RecordingInbox([HELP, LIST, SET])):
            telegram.fail("setMyCommands", OutagePage())
            menus = telegram.bot.menus
            await telegram.until(lambda: len(menus) == 3)

        for_all = [MenuCommand("help", "What I can do"), MenuCommand("memory_list", "List my memories")]
        for_admins = [*for_all, MenuCommand("persona_set", "Choose a persona")]
        assert menus == {
            ("default", ""): for_all,
            ("all_private_chats", ""): for_admins,
            ("all_chat_administrators", ""): for_admins,
        }

    async def test_a_menu_that_is_there_already_is_not_sent_again(self) -> None:
        async with TelegramEmulator() as telegram:
            async with running(telegram, RecordingInbox([HELP])):
                await telegram.until(lambda: len(telegram.bot.menus) == 3)
            async with running(telegram, RecordingInbox([HELP])):
                await telegram.until(lambda: telegram.count("getMyCommands") == 6)

        assert telegram.count("setMyCommands") == 3

    async def test_a_name_that_telegram_refuses_costs_only_its_own_line(self) -> None:
        odd = Command(("ダンス",), "Dance", say_options)
        dashed = Command(("Tea-Time",), "", say_options)
        async with TelegramEmulator() as telegram, running(telegram, RecordingInbox([odd, dashed])):
            await telegram.until(lambda: len(telegram.bot.menus) == 3)

            assert telegram.bot.menus["default", ""] == [MenuCommand("tea_time", "Tea-Time")]


class TestRights:
    @pytest.mark.parametrize(
        ("standing", "is_admin"),
        [
            pytest.param(Standing.MEMBER, False, id="member"),
            pytest.param(Standing.ADMINISTRATOR, True, id="administrator"),
            pytest.param(Standing.CREATOR, True, id="owner"),
        ],
    )
    async def test_who_may_manage_the_chat_is_asked_at_that_moment(self, standing: Standing, is_admin: bool) -> None:
        inbox = RecordingInbox([SET])
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            group = telegram.scene.group("Tea", telegram.scene.person("Bo"), ada)
            async with running(telegram, inbox):
                telegram.scene.promote(group, ada, standing)
                telegram.people.says(group, ada, "/persona set iris")
                await telegram.next_reply(group)

        assert [call.asker_is_admin for call in inbox.calls] == [is_admin]

    async def test_an_anonymous_admin_has_no_rights_by_that_id(self) -> None:
        inbox = RecordingInbox([SET])
        async with TelegramEmulator() as telegram:
            group = telegram.scene.group("Tea", telegram.scene.person("Ada"))
            async with running(telegram, inbox):
                telegram.people.says_anonymously(group, "/persona set iris")
                await telegram.next_reply(group)

        assert [(call.asker.id, call.asker.is_service, call.asker_is_admin) for call in inbox.calls] == [(str(group.id), True, False)]

    async def test_without_an_answer_about_rights_there_are_none(self) -> None:
        inbox = RecordingInbox([SET])
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            group = telegram.scene.group("Tea", ada)
            group.hides_members = True
            async with running(telegram, inbox):
                telegram.people.says(group, ada, "/persona set iris")
                await telegram.next_reply(group)

        assert [call.asker_is_admin for call in inbox.calls] == [False]

    @pytest.mark.parametrize("private", [False, True], ids=["in the group", "in private"])
    async def test_a_button_is_pressed_with_the_right_of_that_moment(self, private: bool) -> None:
        run = ask_in_private if private else ask_first
        inbox = RecordingInbox([Command(("memory", "forget"), "Forget one", run, (NUMBER,), who=WhoMay.ADMINS, private=private)])
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            dm, group = telegram.scene.private(ada), telegram.scene.group("Tea", telegram.scene.person("Bo"), ada)
            telegram.scene.promote(group, ada, Standing.ADMINISTRATOR)
            async with running(telegram, inbox):
                telegram.people.says(group, ada, "/memory forget 3")
                question = await telegram.next_reply(dm if private else group)
                telegram.scene.promote(group, ada, Standing.MEMBER)
                telegram.people.presses(question, ada, "Forget it")
                await telegram.until(lambda: question.edit_date is not None)

        assert [(call.confirmed, call.asker_is_admin) for call in inbox.calls] == [(False, True), (True, False)]

    async def test_a_press_without_an_answer_about_rights_runs_nothing_and_can_be_repeated(self) -> None:
        inbox = RecordingInbox([Command(("memory", "forget"), "Forget one", ask_first, (NUMBER,), who=WhoMay.ADMINS)])
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            group = telegram.scene.group("Tea", ada)
            async with running(telegram, inbox):
                telegram.people.says(group, ada, "/memory forget 3")
                question = await telegram.next_reply(group)
                telegram.fail("getChatMember", OutagePage(), times=5)
                telegram.people.presses(question, ada, "Forget it")
                await telegram.until(lambda: telegram.count("getChatMember") == 6)
                await telegram.all_acknowledged()
                before = [call.confirmed for call in inbox.calls]
                telegram.people.presses(question, ada, "Forget it")
                await telegram.until(lambda: question.edit_date is not None)

        assert before == [False]
        assert [call.confirmed for call in inbox.calls] == [False, True]


class TestPrivateAnswers:
    FORGET_IN_PRIVATE = Command(("memory", "forget"), "Forget one", ask_in_private, (NUMBER,), private=True)

    async def test_a_private_answer_leaves_the_group_and_keeps_its_conversation(self) -> None:
        inbox = RecordingInbox([self.FORGET_IN_PRIVATE])
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            dm, forum = telegram.scene.private(ada), telegram.scene.forum("Tea *house*", ada)
            topic = telegram.scene.topic(forum, "Cats")
            async with running(telegram, inbox):
                telegram.people.says(forum, ada, "/memory forget 3", topic=topic)
                question, hint = await telegram.next_reply(dm), await telegram.next_reply(forum)
                asked = question.text
                telegram.people.presses(question, ada, "Forget it")
                await telegram.until(lambda: question.edit_date is not None)

        assert (asked, hint.text, hint.thread_id) == ("Tea *house*\n\nForget memory forget 3?", SENT_IN_PRIVATE, topic.id)
        assert question.text == "Tea *house*\n\nForgotten."
        assert {(call.conversation.channel_id, call.conversation.thread_id) for call in inbox.calls} == {(str(forum.id), str(topic.id))}

    async def test_who_never_started_the_bot_is_told_how_to(self) -> None:
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            group = telegram.scene.group("Tea", ada)
            telegram.scene.private(ada, started=False)
            async with running(telegram, RecordingInbox([self.FORGET_IN_PRIVATE])):
                telegram.people.says(group, ada, "/memory forget 3")
                hint = await telegram.next_reply(group)

        assert "https://t.me/baku_bot" in hint.text
        assert "forget 3" not in hint.text

    async def test_nobody_in_particular_is_answered_in_place(self) -> None:
        async with TelegramEmulator() as telegram:
            group = telegram.scene.group("Tea", telegram.scene.person("Ada"))
            async with running(telegram, RecordingInbox([self.FORGET_IN_PRIVATE])):
                telegram.people.says_anonymously(group, "/memory forget 3")
                answer = await telegram.next_reply(group)

        assert answer.text == "Forget memory forget 3?"


async def test_a_slow_command_shows_typing() -> None:
    async with TelegramEmulator() as telegram:

        async def wait(_call: CommandCall) -> Answer:
            await telegram.until(lambda: bool(telegram.world.actions))
            return Answer("Done.")

        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, RecordingInbox([Command(("dream",), "Dream", wait, slow=True)])):
            telegram.people.says(dm, ada, "/dream")
            answer = await telegram.next_reply(dm)

    assert answer.text == "Done."
