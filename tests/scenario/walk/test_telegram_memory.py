"""What members of a Telegram group do with the bot: looking after what it knows of them."""

import io
import json
import zipfile

import pytest

from bot.platforms.telegram.asking import ASKED_IN_PRIVATE
from bot.platforms.telegram.commands import NOT_YOURS, TOO_OLD
from bot.platforms.telegram.giving import SENT_IN_PRIVATE
from tests.scenario.walk.telegram_walk import House, Walk, screen

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("telegram memory")]


async def remembered(house: House, *facts: str) -> None:
    for fact in facts:
        await house.asks(house.bo, f"/memory add {fact}")


async def test_a_command_tapped_in_the_menu_asks_for_the_fact_to_remember(telegram: Walk) -> None:
    house = telegram.house()

    question = await house.asks(house.bo, "/memory_add")
    done = await house.asks(house.bo, "I like oolong")
    listed = await house.asks(house.bo, "/memory_list")

    assert question.text == "✏️ /memory add: What shall I remember? One sentence\nWrite it here now. /cancel stops."
    assert ("I like oolong" in done.text, "#1 ▰▰▰▰▱ I like oolong" in listed.text) == (True, True)
    assert "/memory_add" not in [prompt.messages[-1].text for prompt in telegram.model.prompts]


async def test_a_long_list_is_read_page_by_page(telegram: Walk) -> None:
    house = telegram.house()
    await remembered(house, *(f"I own {number} cups and {number} saucers" for number in range(1, 23)))

    page = await house.asks(house.bo, "/memory list")
    first, buttons = page.text, page.button_texts
    await house.presses(house.bo, page, "›")
    second = page.text
    await house.presses(house.bo, page, "« 1")

    assert (buttons, "#21" in first, "#21" in second, page.text) == (["›"], False, True, first)


async def test_forgetting_asks_first_and_cancel_keeps_the_memory(telegram: Walk) -> None:
    house = telegram.house()
    await remembered(house, "I like tea", "I own a parrot")

    choice = await house.asks(house.bo, "/memory forget")
    offered = choice.button_texts
    await house.presses(house.bo, choice, "#2 I own a parrot")
    question = await house.answer(house.bo_dm)
    await house.presses(house.bo, question, "Cancel")
    again = await house.asks(house.bo, "/memory forget 2")
    await house.presses(house.bo, again, "Forget it")
    listed = await house.asks(house.bo, "/memory list")

    assert offered == ["#2 I own a parrot", "#1 I like tea", "Cancel"]
    assert (question.versions[0].text.startswith("Forget #2 for good?"), question.text) == (True, "Cancelled. Nothing was changed.")
    assert again.text.startswith("Forgotten: #2 is deleted.")
    assert ("tea" in listed.text, "parrot" in listed.text) == (True, False)


async def test_correcting_a_memory_shows_the_old_words_to_copy(telegram: Walk) -> None:
    house = telegram.house()
    await remembered(house, "I like tea")

    copy = await house.asks(house.bo, "/memory edit 1")
    question = await house.answer(house.bo_dm)
    done = await house.asks(house.bo, "I like green tea")

    assert (copy.spans, "Above is what it says now" in question.text) == ([("pre", "I like tea")], True)
    assert done.text == "Changed. #1 is now: I like green tea"


async def test_why_tells_what_was_in_mind_at_the_answer_that_is_replied_to(telegram: Walk) -> None:
    house = telegram.house()
    await remembered(house, "I like tea")
    answer = await house.asks(house.bo, "what do I like?")

    why = await house.asks(house.bo, "/why", reply_to=answer)

    assert "#1 I like tea" in why.text


async def test_a_message_is_remembered_by_a_reply_to_it(telegram: Walk) -> None:
    house = telegram.house()
    said = house.says(house.bo, "I own a parrot")
    await house.answer(house.bo_dm)

    kept = await house.asks(house.bo, "/remember", reply_to=said)

    assert "I own a parrot" in kept.text


async def test_what_is_for_one_person_goes_to_their_direct_chat_and_the_group_sees_a_hint(telegram: Walk) -> None:
    house = telegram.house()
    asked = house.says(house.bo, "/memory list", house.group)
    hint, answer = await house.answer(house.group), await house.answer(house.bo_dm)

    assert (hint.text, hint.reply_to, answer.text.splitlines()[0]) == (SENT_IN_PRIVATE, asked, "Tea house")


async def test_a_question_from_a_group_is_asked_in_the_direct_chat_and_answered_for_the_group(telegram: Walk) -> None:
    house = telegram.house()
    hint = await house.asks(house.bo, "/memory_add", house.group)
    question = await house.answer(house.bo_dm)
    await house.asks(house.bo, "I bring the cups")
    house.says(house.bo, "/memory list", house.group)
    there = await house.answer(house.bo_dm)
    here = await house.asks(house.bo, "/memory list")

    assert (hint.text, "Tea house" in question.text) == (ASKED_IN_PRIVATE, True)
    assert ("I bring the cups" in there.text, "I bring the cups" in here.text) == (True, False)


async def test_who_has_not_started_the_bot_is_told_how_to_see_the_answer(telegram: Walk) -> None:
    house = telegram.house()
    cy = telegram.telegram.scene.person("Cy")
    house.group.admit(cy)

    hint = await house.asks(cy, "/privacy", house.group)

    assert "Open https://t.me/baku_bot, press Start" in hint.text


async def test_a_stranger_cannot_press_what_somebody_else_was_asked(telegram: Walk) -> None:
    house = telegram.house()
    question = await house.asks(house.ada, "/new", house.group)
    choice = await house.asks(house.ada, "/persona use", house.group)

    alerts = [await house.presses(house.bo, message, message.button_texts[0]) for message in (question, choice) if message.keyboard]

    assert set(alerts) == {NOT_YOURS}
    assert choice.text.startswith("✏️ /persona use: Which persona?")


async def test_a_button_of_a_question_that_is_over_says_so(telegram: Walk) -> None:
    house = telegram.house()
    first = await house.asks(house.ada, "/persona use", house.group)
    await house.asks(house.ada, "/persona use", house.group)

    assert await house.presses(house.ada, first, "Cancel") == TOO_OLD


async def test_privacy_is_one_command_and_the_export_is_a_file(telegram: Walk) -> None:
    house = telegram.house()
    await remembered(house, "I like tea")

    page = await house.asks(house.bo, "/privacy")
    await house.asks(house.bo, "/privacy export")
    file = await house.answer(house.bo_dm)

    assert {"/privacy_export", "/privacy_erase", "/memory_list"} <= {text for kind, text in page.spans if kind == "bot_command"}
    with zipfile.ZipFile(io.BytesIO(house.file_of(file))) as archive:
        assert "I like tea" in json.dumps(json.loads(archive.read("export.json")))


async def test_who_opts_out_is_answered_and_not_remembered_until_they_opt_in(telegram: Walk) -> None:
    house = telegram.house()
    page = await house.asks(house.bo, "/privacy")
    await house.presses(house.bo, page, "Stop remembering me")
    await house.asks(house.bo, "the password is swordfish")
    await house.asks(house.bo, "what did I say?")
    back = await house.asks(house.bo, "/privacy optin")

    assert page.text.startswith("From now on I keep nothing of what you say")
    assert "swordfish" not in telegram.model.prompt_with("what did I say").text
    assert "/privacy_optout" in back.text


async def test_forget_me_erases_all_once_it_is_confirmed(telegram: Walk) -> None:
    house = telegram.house()
    await remembered(house, "I like tea")
    await house.asks(house.bo, "hi, it is me")

    question = await house.asks(house.bo, "/forget me")
    await house.presses(house.bo, question, "Erase it all")
    listed = await house.asks(house.bo, "/memory list")

    assert "Gone:" in question.text
    assert "remembers nothing about you" in listed.text


async def test_new_begins_afresh_and_memories_stay(telegram: Walk) -> None:
    house = telegram.house()
    await remembered(house, "I like tea")
    await house.asks(house.bo, "the weather is grey")

    await house.asks(house.bo, "/new")
    await house.asks(house.bo, "shall we begin?")

    prompt = telegram.model.prompt_with("shall we begin").text
    assert ("grey" in prompt, "I like tea" in prompt) == (False, True)


async def test_an_answer_is_given_anew_gone_on_with_and_taken_back(telegram: Walk) -> None:
    house = telegram.house()
    answers = iter(["One.", "Two."])
    telegram.model.answers["pick a number"] = lambda _request: next(answers, "Three.")
    answer = await house.asks(house.bo, "pick a number")

    await house.asks(house.bo, "/regenerate")
    await telegram.telegram.until(lambda: answer.text == "Two.")
    await house.asks(house.bo, "/continue")
    await house.answer(house.bo_dm)
    question = await house.asks(house.bo, "/undo")
    await house.presses(house.bo, question, "Take it back")
    await house.asks(house.bo, "hello again")

    assert (question.text.startswith("Take the last exchange back?"), answer.deleted) == (False, True)
    assert "pick a number" not in telegram.model.prompt_with("hello again").text


async def test_usage_and_summary_answer_where_nothing_has_happened_yet(telegram: Walk) -> None:
    house = telegram.house()

    usage, summary = await house.asks(house.bo, "/usage"), await house.asks(house.bo, "/summary show")

    assert ("Tokens used here" in usage.text, summary.text != "") == (True, True)


async def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(telegram: Walk) -> None:
    house = telegram.house()

    typo, unknown = await house.asks(house.bo, "/memory lst"), await house.asks(house.bo, "/dance")

    assert typo.text == "There is no command “/memory lst”. Did you mean /memory_list?"
    assert ("bot_command", "/help") in unknown.spans


async def test_help_is_turned_with_buttons_and_its_commands_can_be_tapped(telegram: Walk) -> None:
    house = telegram.house()

    page = await house.asks(house.bo, "/help")
    await house.presses(house.bo, page, "Privacy")

    assert "/privacy_optout" in screen(page)
    assert ("bot_command", "/privacy_optout") in page.spans


async def test_somebody_who_reads_japanese_is_answered_and_asked_in_japanese(telegram: Walk) -> None:
    house = telegram.house(language="ja")

    question = await house.asks(house.bo, "/memory add")
    buttons = question.button_texts
    cancelled = await house.asks(house.bo, "/cancel")
    typed = await house.asks(house.bo, "/記憶 一覧")

    assert ("何を覚えましょうか？" in question.text, buttons) == (True, ["キャンセル"])
    assert cancelled.text != "Cancelled. Nothing was changed."
    assert "Iris" in typed.text
