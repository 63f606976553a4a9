"""What the admins of a Telegram group do with the bot: choosing who speaks, how, when and to whom."""

import json

import pytest

from bot.platforms.telegram.asking import ASKED_IN_PRIVATE
from bot.platforms.telegram.giving import SENT_IN_PRIVATE
from tests.emulators.telegram.chats import ChatKind, Standing
from tests.emulators.telegram.crowd import Attachment
from tests.emulators.telegram.messages import Message
from tests.scenario.walk.telegram_walk import House, Walk, screen

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("telegram admins")]

MIRA = Attachment(
    json.dumps({"name": "Mira", "description": "Mira paints.", "first_mes": "Hello, colours!"}).encode(), "mira.json", "application/json"
)


async def admin(house: House, line: str) -> Message:
    """Let the owner type a command in the group and return what comes of it in their direct chat."""
    house.says(house.ada, line, house.group)
    answer = await house.answer(house.ada_dm)
    assert (await house.answer(house.group)).text in {SENT_IN_PRIVATE, ASKED_IN_PRIVATE}
    return answer


async def test_an_admin_makes_a_persona_step_by_step_and_lets_it_speak(telegram: Walk) -> None:
    house = telegram.house()

    hint = await house.asks(house.ada, "/persona_create", house.group)
    name = await house.answer(house.ada_dm)
    voice = await house.asks(house.ada, "Old Tom")
    greeting = await house.asks(house.ada, "You are a sailor.\nYou never hurry.")
    await house.presses(house.ada, greeting, "Leave out")
    summary = await house.answer(house.ada_dm)
    created = await house.asks(house.ada, "A sailor")
    await house.asks(house.ada, "/persona use old-tom", house.group)
    await house.asks(house.bo, "@baku_bot ahoy", house.group)

    assert hint.text == ASKED_IN_PRIVATE
    assert [one.text.splitlines()[0].partition(": ")[2] for one in (name, voice, greeting, summary)] == [
        "What shall the persona be called?",
        "Who is it, and how does it talk?",
        "What does it say first?",
        "What shall lists say of it, in one line?",
    ]
    assert "Old Tom is there now." in created.text
    assert "You are a sailor.\nYou never hurry." in telegram.model.prompt_with("ahoy").text


async def test_members_see_who_can_speak_and_cannot_choose(telegram: Walk) -> None:
    house = telegram.house()

    listed = await house.asks(house.bo, "/persona list", house.group)
    shown = await house.asks(house.bo, "/persona show basil", house.group)
    house.says(house.bo, "/persona use", house.group)
    refused = await house.answer(house.bo_dm)

    assert ("Basil (basil) — Never has time." in listed.text, "What?" in shown.text) == (True, True)
    assert "Only admins may use /persona_use here" in refused.text


async def test_an_admin_chooses_who_speaks_by_a_button_in_the_group(telegram: Walk) -> None:
    house = telegram.house()

    choice = await house.asks(house.ada, "/persona use", house.group)
    buttons = choice.button_texts
    await house.presses(house.ada, choice, "Basil – Never has time.")
    chosen = await house.answer(house.group)
    await house.asks(house.bo, "@baku_bot who is it?", house.group)

    assert buttons == ["Basil – Never has time.", "Iris – A calm host.", "Cancel"]
    assert ("Basil speaks here from now on" in chosen.text, choice.keyboard) == (True, [])
    assert "You are quick." in telegram.model.prompt_with("who is it").text


async def test_a_topic_has_a_persona_of_its_own(telegram: Walk) -> None:
    house = telegram.house(forum=True)
    cats, dogs = (telegram.telegram.scene.topic(house.group, name) for name in ("Cats", "Dogs"))

    await house.asks(house.ada, "/persona use basil", house.group, topic=cats)
    await house.asks(house.bo, "@baku_bot cats?", house.group, topic=cats)
    await house.asks(house.bo, "@baku_bot dogs?", house.group, topic=dogs)

    assert "You are quick." in telegram.model.prompt_with("cats?").text
    assert "You are calm." in telegram.model.prompt_with("dogs?").text


async def test_an_admin_changes_a_voice_by_copying_the_old_one(telegram: Walk) -> None:
    house = telegram.house()

    copy = await admin(house, "/persona edit iris")
    question = await house.answer(house.ada_dm)
    await house.asks(house.ada, "You are calm and **brief**.")
    await house.asks(house.bo, "@baku_bot say something short", house.group)
    undone = await admin(house, "/persona undo iris")

    assert (copy.spans, "Tea house" in question.text) == ([("pre", "You are calm.")], True)
    assert "You are calm and **brief**." in telegram.model.prompt_with("something short").text
    assert "iris" in undone.text.casefold()


async def test_an_admin_tries_a_persona_before_it_goes_live(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["do you have a minute"] = "No!"

    preview = await admin(house, "/persona preview basil do you have a minute?")

    assert ("No!" in preview.text, "Only you see this" in preview.text) == (True, True)
    assert "No!" not in screen(*telegram.telegram.sent_to(house.group))


async def test_a_character_card_comes_in_and_goes_out_again_as_a_file(telegram: Walk) -> None:
    house = telegram.house()

    question = await admin(house, "/persona import")
    arrived = await house.asks(house.ada, "", attachment=MIRA)
    await house.presses(house.ada, arrived, "Bring in")
    await admin(house, "/persona export mira json")
    exported = await house.answer(house.ada_dm)

    assert "Which file?" in question.text
    assert "Mira is there now." in arrived.text
    assert json.loads(house.file_of(exported))["data"]["description"] == "Mira paints."


async def test_what_is_no_card_is_refused_in_plain_words(telegram: Walk) -> None:
    house = telegram.house()

    await admin(house, "/persona import")
    refused = await house.asks(house.ada, "", attachment=Attachment(b"\x89PNG nothing", "tom.png", "image/png"))

    assert ("Traceback" in refused.text, "Bring in" in refused.button_texts) == (False, False)
    assert refused.text


async def test_another_persona_speaks_at_certain_hours(telegram: Walk) -> None:
    house = telegram.house()

    hours = await admin(house, "/persona schedule basil 00:00 23:59")
    await house.asks(house.bo, "@baku_bot what time is it?", house.group)

    assert "00:00-23:59 UTC: basil" in hours.text
    assert "You are quick." in telegram.model.prompt_with("what time is it").text


async def test_an_admin_lets_the_bot_answer_every_message_with_one_press(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["lovely weather"] = "Indeed."

    page = await admin(house, "/speak mode")
    await house.presses(house.ada, page, "Every message")
    house.says(house.bo, "lovely weather", house.group)
    await telegram.telegram.until(lambda: "Indeed." in screen(*telegram.telegram.sent_to(house.group)))

    assert "✓ Every message" in page.button_texts


async def test_in_quiet_hours_only_what_is_addressed_is_answered(telegram: Walk) -> None:
    house = telegram.house()
    await admin(house, "/speak mode every")
    quiet = await admin(house, "/speak quiet 00:00-23:59")
    said = len(telegram.telegram.sent_to(house.group))

    house.says(house.bo, "good night all", house.group)
    house.says(house.bo, "@baku_bot still up?", house.group)
    await telegram.telegram.until(lambda: len(telegram.telegram.sent_to(house.group)) > said)
    await telegram.telegram.all_acknowledged()

    assert "00:00-23:59" in quiet.text
    assert len(telegram.telegram.sent_to(house.group)) == said + 1


async def test_an_admin_sets_a_limit_by_button_and_number_and_it_holds(telegram: Walk) -> None:
    house = telegram.house()

    choice = await admin(house, "/limits set")
    await house.presses(house.ada, choice, choice.button_texts[1])
    wanted = await house.answer(house.ada_dm)
    done = await house.asks(house.ada, "1")
    await house.asks(house.bo, "@baku_bot one?", house.group)
    refused = await house.asks(house.bo, "@baku_bot two?", house.group)

    assert ("What shall it be?" in wanted.text, "is 1 here from now on" in done.text) == (True, True)
    assert refused.text.startswith("More is going on here than I may answer.")


async def test_somebody_is_kept_out_by_a_reply_to_them_and_let_in_again(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["let me in"] = "Welcome back."
    said = house.says(house.bo, "buy my coins", house.group)
    await telegram.telegram.all_acknowledged()

    house.says(house.ada, "/access deny", house.group, reply_to=said)
    choice = await house.answer(house.ada_dm)
    await house.presses(house.ada, choice, "Bo")
    denied = await house.answer(house.ada_dm)
    kept_out = await house.asks(house.bo, "@baku_bot let me in", house.group)
    await admin(house, f"/access remove user {house.bo.id}")
    back = await house.asks(house.bo, "@baku_bot please let me in", house.group)

    assert f"User {house.bo.id} is denied" in denied.text
    assert (kept_out.text.startswith("I am set up not to talk with you here."), back.text) == (True, "Welcome back.")


async def test_the_model_the_usage_and_the_language_of_notices_are_seen_and_set(telegram: Walk) -> None:
    house = telegram.house()

    model, usage = await admin(house, "/model"), await admin(house, "/usage")
    language = await admin(house, "/language de")

    assert ("companion" in model.text, "tokens" in usage.text, "✓ Deutsch" in language.button_texts) == (True, True, True)


async def test_a_group_that_becomes_a_supergroup_keeps_what_was_set(telegram: Walk) -> None:
    house = telegram.house()
    small = telegram.telegram.scene.group("Small", house.ada, house.bo, kind=ChatKind.GROUP)
    await house.asks(house.ada, "/persona use basil", small)

    big = telegram.telegram.scene.migrate(small)
    await telegram.telegram.all_acknowledged()
    await house.asks(house.bo, "@baku_bot are you the same?", big)

    assert "You are quick." in telegram.model.prompt_with("are you the same").text


async def test_the_bot_that_is_taken_out_and_added_again_speaks_as_before(telegram: Walk) -> None:
    house = telegram.house()
    await house.asks(house.ada, "/persona use basil", house.group)

    telegram.telegram.people.throws_out(house.group, house.ada)
    telegram.telegram.people.takes_in(house.group, house.ada)
    await house.asks(house.bo, "@baku_bot back again?", house.group)

    assert "You are quick." in telegram.model.prompt_with("back again").text


async def test_an_admin_who_is_none_any_more_is_refused_when_the_answer_comes(telegram: Walk) -> None:
    house = telegram.house()
    telegram.telegram.scene.promote(house.group, house.bo, Standing.ADMINISTRATOR)
    house.says(house.bo, "/persona create Eve", house.group)
    await house.answer(house.bo_dm)

    telegram.telegram.scene.promote(house.group, house.bo, Standing.MEMBER)
    refused = await house.asks(house.bo, "You are sly.")

    assert "Only admins may use /persona_create here" in refused.text


async def test_setup_goes_through_what_matters_with_buttons(telegram: Walk) -> None:
    house = telegram.house()

    page = await admin(house, "/setup")
    first = page.text
    await house.presses(house.ada, page, "Next ›")

    assert [text.splitlines()[0] for text in (first, page.text)] == ["Tea house", "Tea house"]
    assert ("Set-up 1 of 5" in first, "Set-up 2 of 5" in page.text, "Basil" in page.button_texts) == (True, True, True)


async def test_settings_show_all_on_one_page_and_buttons_lead_on(telegram: Walk) -> None:
    house = telegram.house()

    page = await admin(house, "/settings")
    commands = [text for kind, text in page.spans if kind == "bot_command"]
    await house.presses(house.ada, page, "When I speak")
    theme = page.text
    await house.presses(house.ada, page, "‹ Settings")

    assert {"/persona_use", "/speak_mode", "/setup"} <= set(commands)
    assert ("When and how I speak here" in theme, "What is set here" in page.text) == (True, True)
