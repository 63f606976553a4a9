"""What members of a Telegram group do with the bot: talking with it, as they would with anybody."""

import asyncio

import pytest

from bot.errors import ModelUnavailable
from bot.storage.cards.png import plain_picture
from tests.emulators.telegram.crowd import Attachment
from tests.emulators.telegram.errors import flood
from tests.scenario.walk.telegram_walk import Walk, screen
from tests.unit.nlp.pages import pdf_of

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("telegram talk")]


async def test_pressing_start_is_a_hello_that_gets_an_answer(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["Hello!"] = "Welcome!"

    answer = await house.asks(house.bo, "/start")

    assert answer.text == "Welcome!"


async def test_saying_hi_in_a_direct_chat_is_answered_in_the_platforms_own_letters(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["hi there"] = "**Hello** Bo, `tea`?\n\n- green\n- black"

    answer = await house.asks(house.bo, "hi there")

    assert (answer.text, answer.spans) == ("Hello Bo, tea?\n\n• green\n• black", [("bold", "Hello"), ("code", "tea")])


async def test_a_mention_in_a_group_is_answered_below_the_question_and_talk_of_others_is_left_alone(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["is there tea"] = "Just made."
    house.says(house.ada, "I put the kettle on", house.group)

    asked = house.says(house.bo, "@baku_bot is there tea?", house.group)
    answer = await house.answer(house.group)

    assert (answer.text, answer.reply_to, len(telegram.telegram.sent_to(house.group))) == ("Just made.", asked, 1)
    assert "I put the kettle on" in telegram.model.prompt_with("is there tea").text


async def test_replying_to_the_bot_goes_on_with_the_talk(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers |= {"which tea": "Oolong.", "why that one": "It is calm."}

    first = await house.asks(house.ada, "@baku_bot which tea?", house.group)
    second = await house.asks(house.bo, "why that one?", house.group, reply_to=first)

    assert second.text == "It is calm."
    assert "Oolong." in telegram.model.prompt_with("why that one").text


async def test_an_edited_message_gets_no_second_answer_and_is_read_as_it_is_now(telegram: Walk) -> None:
    house = telegram.house()
    said = house.says(house.bo, "my cat is called Mocha")
    await house.answer(house.bo_dm)

    telegram.telegram.people.edits(said, "my cat is called Mochi")
    await telegram.telegram.all_acknowledged()
    await house.asks(house.bo, "what is my cat called?")

    prompt = telegram.model.prompt_with("what is my cat").text
    assert ("Mochi" in prompt, "Mocha" in prompt, len(telegram.telegram.sent_to(house.bo_dm))) == (True, False, 2)


async def test_a_photo_is_shown_to_the_model_with_its_caption(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["my garden"] = "So green!"

    answer = await house.asks(house.bo, "my garden", attachment=Attachment(plain_picture()))

    asked = telegram.model.prompt_with("my garden").messages[-1]
    assert (answer.text, len(asked.images)) == ("So green!", 1)


async def test_an_album_gets_one_answer(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["my three cats"] = "All three?"

    telegram.telegram.people.sends_album(house.bo_dm, house.bo, ["", "my three cats", ""])
    answer = await house.answer(house.bo_dm)

    assert (answer.text, len(telegram.telegram.sent_to(house.bo_dm))) == ("All three?", 1)


async def test_a_voice_message_that_nobody_can_listen_to_gets_a_friendly_word(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["voice"] = "I cannot listen to that here. Could you write it?"

    telegram.telegram.people.shows(house.bo_dm, house.bo, {"voice": {"file_id": "v1", "file_unique_id": "u1", "duration": 3}})
    answer = await house.answer(house.bo_dm)

    assert "Could you write it?" in answer.text
    assert "not read: nobody has set up" in telegram.model.prompt_with("voice").messages[-1].text


async def test_the_text_of_a_pdf_is_read(telegram: Walk) -> None:
    house = telegram.house()
    recipe = Attachment(pdf_of("Steep it for three minutes"), "recipe.pdf", "application/pdf")
    telegram.model.answers["Steep it"] = "Three minutes."

    answer = await house.asks(house.bo, "how long?", attachment=recipe)

    assert answer.text == "Three minutes."


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        pytest.param({"location": {"latitude": 52.5, "longitude": 13.4}}, "52.5", id="a place"),
        pytest.param(
            {
                "poll": {
                    "id": "p1",
                    "question": "Tea or coffee?",
                    "options": [
                        {"text": "Tea", "voter_count": 0, "persistent_id": "1"},
                        {"text": "Coffee", "voter_count": 0, "persistent_id": "2"},
                    ],
                    "total_voter_count": 0,
                    "is_closed": False,
                    "is_anonymous": True,
                    "type": "regular",
                    "allows_multiple_answers": False,
                    "allows_revoting": True,
                    "members_only": False,
                }
            },
            "Tea or coffee?",
            id="a poll",
        ),
        pytest.param(
            {
                "sticker": {
                    "file_id": "s1",
                    "file_unique_id": "us1",
                    "type": "regular",
                    "width": 9,
                    "height": 9,
                    "is_animated": False,
                    "is_video": False,
                    "emoji": "🐈",
                }
            },
            "🐈",
            id="a sticker",
        ),
    ],
)
async def test_what_is_no_text_is_understood_all_the_same(telegram: Walk, shown: dict[str, object], read: str) -> None:
    house = telegram.house()

    telegram.telegram.people.shows(house.bo_dm, house.bo, shown)
    answer = await house.answer(house.bo_dm)

    assert (answer.text, read in telegram.model.prompts[-1].messages[-1].text) == ("I see.", True)


async def test_each_topic_is_a_talk_of_its_own(telegram: Walk) -> None:
    house = telegram.house(forum=True)
    cats, dogs = (telegram.telegram.scene.topic(house.group, name) for name in ("Cats", "Dogs"))

    await house.asks(house.bo, "@baku_bot my cat is called Mochi", house.group, topic=cats)
    answer = await house.asks(house.bo, "@baku_bot and what about dogs?", house.group, topic=dogs)

    assert answer.thread_id == dogs.id
    assert "Mochi" not in telegram.model.prompt_with("what about dogs").text


async def test_a_very_long_answer_comes_in_parts_of_which_each_is_whole(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["a long story"] = "\n\n".join(f"**Part {number}.** {'and so on ' * 90}" for number in range(1, 8))

    await house.asks(house.bo, "tell me a long story")

    parts = telegram.telegram.sent_to(house.bo_dm)
    assert len(parts) == 2
    assert [text for part in parts for kind, text in part.spans if kind == "bold"] == [f"Part {number}." for number in range(1, 8)]


async def test_a_flood_limit_delays_an_answer_and_loses_nothing(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["still there"] = "Yes, here."
    telegram.telegram.fail("sendMessage", flood(0), times=2, when=lambda call: call.integer("chat_id") == house.bo_dm.id)

    await house.asks(house.bo, "still there?")

    assert [message.text for message in telegram.telegram.sent_to(house.bo_dm)] == ["Yes, here."]


async def test_when_the_model_is_down_people_are_told_so_in_plain_words(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["are you well"] = ModelUnavailable("503")

    answer = await house.asks(house.bo, "are you well?")

    assert "503" not in answer.text
    assert "again" in answer.text


async def test_stop_ends_an_answer_while_it_is_written_and_keeps_what_was_shown(telegram: Walk) -> None:
    house = telegram.house()
    telegram.model.answers["endless"] = "Once upon a time" + ", and so on" * 40
    telegram.model.held["an endless one"] = asyncio.Event()

    house.says(house.bo, "an endless one")
    await telegram.telegram.until(lambda: any(draft.chat_id == house.bo_dm.id and draft.text for draft in telegram.telegram.world.drafts))
    house.says(house.bo, "/stop")
    await telegram.telegram.until(lambda: len(telegram.telegram.sent_to(house.bo_dm)) == 2)

    shown = screen(*telegram.telegram.sent_to(house.bo_dm))
    assert ("Stopped." in shown, "Once upon a time, and so on" in shown, shown.count("and so on") < 40) == (True, True, True)
