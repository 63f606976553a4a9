"""Real failures on Telegram: through the real adapter, store and pipeline, in front of the emulator."""

from bot.domain.text import utf16_length
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.errors import flood
from tests.scenario.telegram_stage import telegram_bot


async def test_b68_bold_text_across_the_border_of_two_messages_is_bold_in_both() -> None:
    answer = "tea " * 1016 + "**bold words that stand across the border of two messages**" + " tea" * 20
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)

        async with telegram_bot(telegram, ScriptedModel(answer, "The next one.")):
            telegram.people.says(dm, ada, "tell me all about tea")
            first, second = await telegram.next_reply(dm), await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "and then?")
            following = await telegram.next_reply(dm)

    assert len(answer) > 4200
    assert max(utf16_length(part.text) for part in (first, second)) <= 4096
    assert f"{first.text} {second.text}" == answer.replace("**", "")
    assert [kind for kind, _ in first.spans + second.spans] == ["bold", "bold"]
    assert " ".join(words for _, words in first.spans + second.spans) == "bold words that stand across the border of two messages"
    assert following.text == "The next one."


async def test_b73_a_flood_on_the_last_edit_is_waited_out_and_nothing_is_sent_twice() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        last_edit = telegram.fail("editMessageText", flood(0), times=2)

        async with telegram_bot(telegram, ScriptedModel("It grows.")):
            telegram.people.says(dm, ada, "a streamed answer")
            await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "/memory add I drink oolong")
            await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "/memory forget 1")
            question = await telegram.next_reply(dm)
            telegram.people.presses(question, ada, question.button_texts[0])
            await telegram.until(lambda: question.edit_date is not None)

    assert last_edit.times == 0
    assert len(question.versions) == 1
    assert len(telegram.sent) == 3


async def test_b79_each_topic_gets_its_own_answer_and_knows_nothing_of_the_other() -> None:
    model = ScriptedModel("Meow.", "Woof.", "In general.")
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        forum = telegram.scene.forum("Pets", ada)
        cats, dogs = telegram.scene.topic(forum, "Cats"), telegram.scene.topic(forum, "Dogs")

        async with telegram_bot(telegram, model):
            telegram.people.says(forum, ada, "@baku_bot my cat is Mochi", topic=cats)
            in_cats = await telegram.next_reply(forum)
            telegram.people.says(forum, ada, "@baku_bot my dog is Rex", topic=dogs)
            in_dogs = await telegram.next_reply(forum)
            telegram.people.says(forum, ada, "@baku_bot hello all")
            in_general = await telegram.next_reply(forum)

    assert [(one.text, one.thread_id) for one in (in_cats, in_dogs, in_general)] == [
        ("Meow.", cats.id),
        ("Woof.", dogs.id),
        ("In general.", None),
    ]
    assert "Mochi" not in model.prompts[1].text
    assert not any(name in model.prompts[2].text for name in ("Mochi", "Rex"))


async def test_b82_an_edited_question_is_neither_answered_again_nor_a_crash_and_its_text_is_updated() -> None:
    model = ScriptedModel("Monday.", "You asked about the day of the week.")
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)

        async with telegram_bot(telegram, model):
            question = telegram.people.says(dm, ada, "what day is it")
            await telegram.next_reply(dm)
            telegram.people.edits(question, "what day of the week is it")
            await telegram.all_acknowledged()
            telegram.people.says(dm, ada, "what did I ask?")
            await telegram.next_reply(dm)

    assert len(telegram.sent) == 2
    assert "what day of the week is it" in model.prompts[1].text
    assert "what day is it" not in model.prompts[1].text
