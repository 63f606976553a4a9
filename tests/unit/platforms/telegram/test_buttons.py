"""Buttons that confirm and that go on, through the adapter, in front of the emulator."""

import pytest
from telegram import InlineKeyboardMarkup

from bot.domain.chat import ConversationKey
from bot.domain.command import Answer, Command, CommandCall, Confirmation, Option, OptionKind
from bot.domain.command import Button as GoOn
from bot.platforms.telegram.asking import CANCELLED
from bot.platforms.telegram.buttons import Pressed, keyboard, read_button
from bot.platforms.telegram.commands import NOT_YOURS, TOO_OLD
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.messages import Button
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import running
from tests.unit.platforms.telegram.some_commands import FORGET


async def test_the_asker_confirms_and_the_answer_takes_the_place_of_the_question() -> None:
    inbox = RecordingInbox([FORGET])
    async with TelegramEmulator() as telegram:
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        group = telegram.scene.group("Tea", ada, bo)
        async with running(telegram, inbox):
            telegram.people.says(group, ada, "/memory forget 3")
            question = await telegram.next_reply(group)
            buttons = question.button_texts
            by_bo = telegram.people.presses(question, bo, "Forget it")
            await telegram.until(lambda: by_bo.answer is not None)
            telegram.people.presses(question, ada, "Forget it")
            await telegram.until(lambda: question.edit_date is not None)

    assert (buttons, by_bo.answer, by_bo.alert) == (["Forget it", "Cancel"], NOT_YOURS, True)
    assert (question.text, question.spans, question.keyboard) == ("Forgotten.", [("bold", "Forgotten.")], [])
    assert [(call.confirmed, call.options) for call in inbox.calls] == [(False, {"number": 3}), (True, {"number": 3})]


async def test_a_press_that_no_button_of_the_message_makes_runs_nothing() -> None:
    inbox = RecordingInbox([FORGET])
    async with TelegramEmulator() as telegram:
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        dm, group = telegram.scene.private(ada), telegram.scene.group("Not Ada's", bo)
        elsewhere = ConversationKey("telegram", str(group.id), str(group.id))
        sure = Answer("Sure?", confirmation=Confirmation("Yes", "memory forget 1"))
        forged = data_of(keyboard(sure, asker_id=ada.id, asked_in=elsewhere))[0]
        async with running(telegram, inbox):
            telegram.people.says(dm, ada, "/memory forget 3")
            question = await telegram.next_reply(dm)
            question.keyboard[0][0] = Button("Forget it", forged)
            press = telegram.people.presses(question, ada, "Forget it", shown=[])
            await telegram.until(lambda: press.answer is not None)

    assert (press.answer, press.alert) == (TOO_OLD, True)
    assert [call.confirmed for call in inbox.calls] == [False]


async def test_a_second_tap_on_a_button_is_none() -> None:
    inbox = RecordingInbox([FORGET])
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, inbox):
            telegram.people.says(dm, ada, "/memory forget 3")
            question = await telegram.next_reply(dm)
            presses = [telegram.people.presses(question, ada, "Forget it") for _ in range(3)]
            await telegram.until(lambda: all(press.answer is not None for press in presses))
            await telegram.until(lambda: question.edit_date is not None)

    assert [call.confirmed for call in inbox.calls] == [False, True]
    assert len(question.versions) == 1


async def test_cancelling_runs_nothing() -> None:
    inbox = RecordingInbox([FORGET])
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, inbox):
            telegram.people.says(dm, ada, "/memory forget 3")
            question = await telegram.next_reply(dm)
            telegram.people.presses(question, ada, "Cancel")
            await telegram.until(lambda: question.edit_date is not None)

    assert (question.text, question.keyboard, len(inbox.calls)) == (CANCELLED, [], 1)


async def test_a_press_after_a_long_time_is_carried_out_all_the_same() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        telegram.people.says(dm, ada, "/memory forget 3")
        async with running(telegram, RecordingInbox([FORGET])):
            question = await telegram.next_reply(dm)
        telegram.people.presses(question, ada, "Forget it")
        telegram.advance(3600)
        async with running(telegram, RecordingInbox([FORGET])):
            await telegram.until(lambda: question.edit_date is not None)

    assert question.text == "Forgotten."


async def test_a_button_that_goes_on_shows_the_next_page_in_place_as_often_as_it_is_pressed() -> None:
    async def page(call: CommandCall) -> Answer:
        number = int(call.options.get("after", 0))
        return Answer(f"Page {number}", buttons=(GoOn("Next", f"list {number + 1}"),))

    option = Option("after", "Where to begin", OptionKind.NUMBER, required=False)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, RecordingInbox([Command(("list",), "List", page, (option,))])):
            telegram.people.says(dm, ada, "/list")
            shown = await telegram.next_reply(dm)
            telegram.people.presses(shown, ada, "Next")
            await telegram.until(lambda: shown.text == "Page 1")
            telegram.people.presses(shown, ada, "Next")
            await telegram.until(lambda: shown.text == "Page 2")

    assert shown.button_texts == ["Next"]
    assert telegram.sent == [shown]


async def test_a_question_that_was_decided_can_be_decided_again_after_going_on() -> None:
    async def page(call: CommandCall) -> Answer:
        if call.confirmed:
            return Answer("Done.", buttons=(GoOn("Back", "list"),))
        return Answer("Sure?", confirmation=Confirmation("Yes", "list"))

    inbox = RecordingInbox([Command(("list",), "List", page)])
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, inbox):
            telegram.people.says(dm, ada, "/list")
            shown = await telegram.next_reply(dm)
            telegram.people.presses(shown, ada, "Yes")
            await telegram.until(lambda: shown.text == "Done.")
            telegram.people.presses(shown, ada, "Back")
            await telegram.until(lambda: shown.text == "Sure?")
            telegram.people.presses(shown, ada, "Yes")
            await telegram.until(lambda: shown.text == "Done.")

    assert [call.confirmed for call in inbox.calls] == [False, True, False, True]


def test_the_longest_line_fits_a_button_wherever_it_was_asked() -> None:
    asked_in = ConversationKey("telegram", "-1009999999999", "-1009999999999", "9999999999")
    answer = Answer("Sure?", confirmation=Confirmation("Yes", "x" * 40), buttons=(GoOn("Next", "y" * 40),))

    data = data_of(keyboard(answer, asker_id=9_999_999_999, asked_in=asked_in))
    data += data_of(keyboard(answer, asker_id=9_999_999_999))

    assert max(len(one.encode()) for one in data) <= 64
    assert read_button(data[0]) == Pressed("y" * 40, confirms=False, asked_in=asked_in)
    assert read_button(data[1]) == Pressed("x" * 40, asked_in=asked_in)


@pytest.mark.parametrize("data", ["", "y", "z1|help", "y!|help", "e5|help", "e|help"])
def test_what_is_no_button_of_ours_is_none(data: str) -> None:
    assert read_button(data) is None


def data_of(markup: InlineKeyboardMarkup | None) -> list[str]:
    return [str(button.callback_data) for row in (markup.inline_keyboard if markup else ()) for button in row]
