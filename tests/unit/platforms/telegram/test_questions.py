"""Questions for what a command lacks, through the adapter in front of the emulator."""

from collections.abc import Sequence
from dataclasses import replace

from bot.commands.parse import ParsedLine
from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, OptionKind, WhoMay
from bot.domain.message import Person
from bot.platforms.telegram.asked import Asked
from bot.platforms.telegram.asking import ASKED_IN_PRIVATE, CANCELLED, NOTHING_OPEN, OF_ANOTHER
from bot.platforms.telegram.commands import NOT_YOURS, TOO_OLD
from bot.platforms.telegram.questions import MARK, MOST_OPEN, Question, Questions
from bot.platforms.telegram.sending import Place
from tests.emulators.telegram.chats import Standing
from tests.emulators.telegram.crowd import Attachment
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import IMPATIENT, platform_for, running


async def say_options(call: CommandCall) -> Answer:
    file = f" {call.file.name}" if call.file else ""
    return Answer(f"{' '.join(call.path)}: {dict(call.options)}{file}", private=call.path[0] == "persona")


async def suggest(call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice("Iris the calm", "iris"), Choice("Basil", "basil")]


async def old_text(call: CommandCall) -> str:
    return f"The old text of {call.options['persona']}. " * (500 if call.options["persona"] == "long" else 1)


ADD = Command(("memory", "add"), "Add", say_options, (Option("text", "The fact", question="What shall I remember?"),))
EDIT = Command(("memory", "edit"), "Edit", say_options, (Option("number", "Which", OptionKind.NUMBER), Option("text", "The fact")))
USE = Command(("use",), "Use", say_options, (Option("persona", "Its name", suggest=suggest),))
CREATE = Command(
    ("persona", "create"),
    "Make one",
    say_options,
    (Option("name", "Its name"), Option("voice", "Its voice", is_long=True), Option("greeting", "Hello", required=False, is_long=True)),
    who=WhoMay.ADMINS,
    private=True,
)
CHANGE = Command(
    ("persona", "edit"),
    "Change one",
    say_options,
    (Option("persona", "Which"), Option("text", "New", required=False, is_long=True, prefill=old_text)),
)
BRING = Command(("bring",), "Bring", say_options, (Option("file", "A card", OptionKind.FILE, required=False),))
COMMANDS = (ADD, EDIT, USE, CREATE, CHANGE, BRING)


async def test_in_a_direct_chat_each_next_message_answers_one_question() -> None:
    inbox = RecordingInbox(COMMANDS)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, inbox):
            buttons = []
            for line in ("/persona_create", "Iris", "Calm.\nKind.", "/skip"):
                telegram.people.says(dm, ada, line)
                buttons.append((await telegram.next_reply(dm)).button_texts)
            telegram.people.says(dm, ada, "hello")
            heard = await inbox.next_message()

    name, voice, greeting, done = telegram.sent_to(dm)
    assert name.text.startswith(f"{MARK}/persona create: Its name\n")
    assert (name.forced_reply, buttons) == (None, [["Cancel"], ["Cancel"], ["Leave out", "Cancel"], []])
    assert ("Its voice" in voice.text, voice.keyboard, greeting.keyboard) == (True, [], [])
    assert done.text == "persona create: {'name': 'Iris', 'voice': 'Calm.\\nKind.'}"
    assert (heard.text, inbox.messages.empty()) == ("hello", True)


async def test_in_a_group_the_asker_alone_replies_and_others_talk_on() -> None:
    inbox = RecordingInbox(COMMANDS)
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = True
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        forum = telegram.scene.forum("Tea house", ada, bo)
        cats = telegram.scene.topic(forum, "Cats")
        async with running(telegram, inbox):
            telegram.people.says(forum, ada, "/memory add", topic=cats)
            question = await telegram.next_reply(forum)
            telegram.people.says(forum, ada, "just chatting", topic=cats)
            heard = await inbox.next_message()
            telegram.people.says(forum, bo, "me too", topic=cats, reply_to=question)
            refused = await telegram.next_reply(forum)
            telegram.people.says(forum, ada, "I like tea", topic=cats, reply_to=question)
            done = await telegram.next_reply(forum)

    assert (question.forced_reply, question.forces_only, question.thread_id) == ("What shall I remember?", {ada.id}, cats.id)
    assert (heard.text, refused.text, inbox.messages.empty()) == ("just chatting", OF_ANOTHER, True)
    assert (done.text, done.thread_id) == ("memory add: {'text': 'I like tea'}", cats.id)


async def test_a_wrong_answer_is_asked_for_again() -> None:
    inbox = RecordingInbox(COMMANDS)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, inbox):
            for line in ("/memory edit", "soon", "/skip", "3", "I like tea"):
                telegram.people.says(dm, ada, line)
                await telegram.next_reply(dm)

    _, wrong, needed, text, done = telegram.sent_to(dm)
    assert "“soon” is no number" in wrong.text
    assert "This cannot be left out." in needed.text
    assert "The fact" in text.text
    assert done.text == "memory edit: {'number': 3, 'text': 'I like tea'}"


async def test_a_file_is_asked_for_and_a_long_text_may_be_one() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        card, text = Attachment(b"PNG", "tom.png", "image/png"), Attachment(b"Calm. " * 1000, "voice.txt", "text/plain")
        async with running(telegram, RecordingInbox(COMMANDS)):
            telegram.people.says(dm, ada, "/bring")
            await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "here you are")
            again = await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "", attachment=card)
            brought = await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "/persona create Iris")
            await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "", attachment=text)
            await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "/skip")
            long = [await telegram.next_reply(dm), await telegram.next_reply(dm)]

    assert "I need a file for that." in again.text
    assert brought.text == "bring: {} tom.png"
    assert sum(part.text.count("Calm.") for part in long) == 1000


async def test_few_choices_are_buttons_for_the_asker() -> None:
    async with TelegramEmulator() as telegram:
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        group = telegram.scene.group("Tea house", ada, bo)
        async with running(telegram, RecordingInbox(COMMANDS)):
            telegram.people.says(group, ada, "/use")
            question = await telegram.next_reply(group)
            strange = telegram.people.presses(question, bo, "Basil")
            await telegram.until(lambda: strange.answer is not None)
            press = telegram.people.presses(question, ada, "Iris the calm")
            done = await telegram.next_reply(group)
            await telegram.until(lambda: press.answer is not None)

    assert question.versions[0].text.endswith("Press one, or reply to this message. /cancel stops.")
    assert (strange.answer, press.answer) == (NOT_YOURS, "")
    assert (done.text, question.text, question.keyboard) == ("use: {'persona': 'iris'}", f"{MARK}/use: Its name\nIris the calm", [])


async def test_what_there_is_now_is_shown_to_be_copied() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, RecordingInbox(COMMANDS)):
            telegram.people.says(dm, ada, "/persona edit iris")
            copy, question = await telegram.next_reply(dm), await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "/persona edit long")
            file = await telegram.next_reply(dm)

    assert copy.spans == [("pre", "The old text of iris.")]
    assert "Above is what it says now" in question.text
    assert "text.md" in str(file.media["document"])


async def test_a_question_ends_by_cancel_by_another_command_and_by_time() -> None:
    inbox = RecordingInbox(COMMANDS)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with running(telegram, inbox, platform_for(telegram)):
            for line in ("/cancel", "/memory add", "/cancel", "/memory add", "/bring", "/cancel"):
                telegram.people.says(dm, ada, line)
                await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "hello")
            await inbox.next_message()
        nothing, question, cancelled, *_ = telegram.sent_to(dm)
        async with running(telegram, inbox, platform_for(telegram, tuning=replace(IMPATIENT, answer_seconds=0.0))):
            telegram.people.says(dm, ada, "/memory add")
            expired = await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "I like tea")
            await inbox.next_message()
            telegram.people.says(dm, ada, "I like tea", reply_to=expired)
            gone = await telegram.next_reply(dm)

    assert (nothing.text, cancelled.text, question.keyboard) == (NOTHING_OPEN, CANCELLED, [])
    assert gone.text == "That question is no longer open, and your answer was not taken. Give /memory_add again."
    assert inbox.messages.empty()


async def test_after_a_restart_an_answer_and_a_press_are_told_to_begin_anew() -> None:
    inbox = RecordingInbox(COMMANDS)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada)
        async with running(telegram, inbox):
            telegram.people.says(group, ada, "/memory add")
            question = await telegram.next_reply(group)
            telegram.people.says(group, ada, "/use")
            choice = await telegram.next_reply(group)
        async with running(telegram, inbox):
            telegram.people.says(group, ada, "I like tea", reply_to=question)
            gone = await telegram.next_reply(group)
            press = telegram.people.presses(choice, ada, "Basil")
            await telegram.until(lambda: press.answer is not None)

    assert "no longer open" in gone.text
    assert (press.answer, inbox.messages.empty()) == (TOO_OLD, True)


async def test_what_is_for_the_asker_alone_is_asked_in_private_and_rights_are_looked_at_anew() -> None:
    inbox = RecordingInbox(COMMANDS)
    async with TelegramEmulator() as telegram:
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        group, dm = telegram.scene.group("Tea house", bo, ada), telegram.scene.private(ada)
        telegram.scene.promote(group, ada, Standing.ADMINISTRATOR)
        async with running(telegram, inbox):
            telegram.people.says(group, ada, "/persona create Iris")
            hint, question = await telegram.next_reply(group), await telegram.next_reply(dm)
            telegram.people.says(group, ada, "/cancel")
            cancelled = await telegram.next_reply(group)
            telegram.people.says(group, ada, "/persona create Iris")
            await telegram.next_reply(group)
            await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "Calm.")
            await telegram.next_reply(dm)
            telegram.scene.promote(group, ada, Standing.MEMBER)
            telegram.people.says(dm, ada, "/skip")
            await telegram.next_reply(dm)
            telegram.people.says(group, ada, "/persona create Iris")
            await telegram.next_reply(group)

    begun, refused = inbox.calls
    assert (hint.text, "Tea house" in question.text, cancelled.text) == (ASKED_IN_PRIVATE, True, CANCELLED)
    assert (begun.conversation.channel_id, begun.options["voice"], begun.asker_is_admin) == (str(group.id), "Calm.", False)
    assert (refused.options, refused.asker_is_admin) == ({"name": "Iris"}, False)


async def test_who_has_never_started_the_bot_is_told_to_before_anything_is_asked() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada)
        telegram.scene.private(ada, started=False)
        async with running(telegram, RecordingInbox(COMMANDS)):
            telegram.people.says(group, ada, "/persona create")
            hint = await telegram.next_reply(group)

    assert "press Start" in hint.text


def test_with_one_question_too_many_the_oldest_is_closed() -> None:
    questions, asked = Questions(), Asked(Person("1", "Ada"), ConversationKey("telegram", "1", "1"), ConversationKind.DIRECT, "en")
    for number in range(MOST_OPEN + 1):
        questions.put(Question(asked, ParsedLine(USE, {}), USE.options, Place(number)))

    assert (len(questions.open), min(questions.open)[0]) == (MOST_OPEN, 1)
