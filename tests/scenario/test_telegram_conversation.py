"""Whole conversations on Telegram: real client, real sockets, real store."""

import asyncio

from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.errors import flood
from tests.emulators.telegram.faults import OutagePage
from tests.scenario.telegram_stage import telegram_bot


async def test_a_private_message_is_answered_in_the_chat() -> None:
    model = ScriptedModel("Hello **Ada**!", "You said hi.")
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)

        async with telegram_bot(telegram, model):
            first = telegram.people.says(dm, ada, "hi")
            answer = await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "what did I say?")
            await telegram.next_reply(dm)

    assert (answer.text, answer.spans, answer.reply_to) == ("Hello Ada!", [("bold", "Ada")], first)
    assert "hi" in model.prompts[1].text


async def test_mentions_and_replies_are_answered_and_talk_of_others_is_only_heard() -> None:
    model = ScriptedModel("Tea is ready.", "You are welcome.")
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = True
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        group = telegram.scene.group("Tea house", ada, bo)

        async with telegram_bot(telegram, model):
            telegram.people.says(group, bo, "I put the kettle on")
            asked = telegram.people.says(group, ada, "@baku_bot is there tea?")
            answer = await telegram.next_reply(group)
            thanked = telegram.people.says(group, bo, "thank you", reply_to=answer)
            welcome = await telegram.next_reply(group)

    assert (answer.text, answer.reply_to) == ("Tea is ready.", asked)
    assert (welcome.text, welcome.reply_to) == ("You are welcome.", thanked)
    assert len(model.prompts) == 2
    assert "I put the kettle on" in model.prompts[0].text


async def test_typing_shows_while_the_model_thinks_and_the_answer_grows_in_private() -> None:
    done = asyncio.Event()
    model = ScriptedModel("Tea is ready, my friend.", waits_for=done)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)

        async with telegram_bot(telegram, model):
            telegram.people.says(dm, ada, "tea?")
            await telegram.until(lambda: len(telegram.world.actions) > 1)
            done.set()
            await telegram.next_reply(dm)

    drafts = [draft.text for draft in telegram.world.drafts]
    assert drafts
    assert all("Tea is ready, my friend.".startswith(draft) for draft in drafts)


async def test_a_flood_and_an_outage_delay_an_answer_but_neither_lose_nor_double_it() -> None:
    model = ScriptedModel("Tea is ready.")
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        telegram.fail("sendMessage", OutagePage())
        telegram.fail("sendMessage", flood(0))

        async with telegram_bot(telegram, model):
            telegram.people.says(dm, ada, "tea?")
            await telegram.next_reply(dm)
            await telegram.all_acknowledged()

    assert [sent.text for sent in telegram.sent] == ["Tea is ready."]
    assert telegram.count("sendMessage") == 3


async def test_what_was_said_while_the_bot_was_off_is_answered_once(database_url: str) -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        async with telegram_bot(telegram, ScriptedModel("One."), database=database_url) as app:
            telegram.people.says(dm, ada, "first")
            await telegram.next_reply(dm)
            await app.queue.idle()
        message = telegram.people.says(dm, ada, "second")
        telegram.people.repeats(message)

        async with telegram_bot(telegram, ScriptedModel("Two.", "Three."), database=database_url):
            await telegram.next_reply(dm)
            telegram.people.says(dm, ada, "third")
            await telegram.next_reply(dm)

    assert [sent.text for sent in telegram.sent] == ["One.", "Two.", "Three."]


async def test_people_see_what_is_remembered_and_make_it_forgotten() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)

        async with telegram_bot(telegram, ScriptedModel()):
            for line in ("/memory add I drink oolong", "/memory list", "/memory forget 1"):
                telegram.people.says(dm, ada, line)
                await telegram.next_reply(dm)
            _, before, question = telegram.sent_to(dm)
            telegram.people.presses(question, ada, question.button_texts[0])
            await telegram.until(lambda: question.edit_date is not None)
            telegram.people.says(dm, ada, "/memory_list")
            after = await telegram.next_reply(dm)

    assert "I drink oolong" in before.text
    assert "oolong" not in after.text


async def test_a_chat_admin_chooses_the_persona_and_a_member_cannot() -> None:
    personas = [a_persona("iris", name="Iris"), a_persona("basil", name="Basil")]
    async with TelegramEmulator() as telegram:
        owner, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        group = telegram.scene.group("Tea house", owner, bo)

        async with telegram_bot(telegram, ScriptedModel("Basil speaking."), personas=personas):
            telegram.people.says(group, bo, "/persona use basil")
            await telegram.next_reply(group)
            telegram.people.says(group, owner, "/persona use basil")
            chosen = await telegram.next_reply(group)
            telegram.people.says(group, bo, "@baku_bot who are you?")
            await telegram.next_reply(group)

    assert "Basil" in chosen.text


async def test_two_groups_get_their_answers_in_parallel() -> None:
    slow = asyncio.Event()
    model = ScriptedModel("One.", "Two.", waits_for=slow)
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        groups = [telegram.scene.group(title, ada) for title in ("Tea", "Coffee")]

        async with telegram_bot(telegram, model):
            for group in groups:
                telegram.people.says(group, ada, "@baku_bot hello")
            await telegram.until(lambda: len(model.prompts) == 2)
            slow.set()
            for group in groups:
                await telegram.next_reply(group)

    assert sorted(sent.text for sent in telegram.sent) == ["One.", "Two."]
