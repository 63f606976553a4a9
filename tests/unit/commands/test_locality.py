from dataclasses import replace

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.persona import Persona
from bot.memory.speaker import speaker
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import DIRECT, GROUP
from bot.testing.scripted_model import ScriptedModel

THREAD = replace(GROUP, thread_id="t1")


async def speaks(bot: Bot, conversation: ConversationKey) -> Persona:
    async with bot.store.read() as tx:
        return await speaker(tx, bot.personas, conversation, at=bot.clock.now())


async def test_a_server_gets_a_language_and_a_time_zone_and_a_channel_others() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("language de", conversation=GROUP, admin=True)
        await bot.command("timezone europe/berlin", conversation=GROUP, admin=True)
        answer = await bot.command("language ja here", conversation=THREAD, admin=True)
        around, there = await speaks(bot, GROUP), await speaks(bot, THREAD)

    assert (around.language, around.time_zone) == ("de", "Europe/Berlin")
    assert (there.language, there.time_zone) == ("ja", "Europe/Berlin")
    assert answer.text.startswith("My own notices are in the language **ja** here (set here).")
    assert [(button.line, button.chosen) for button in answer.buttons if button.chosen] == [("language ja server", True)]
    assert all(len(button.line.encode()) <= 40 for button in answer.buttons)


async def test_what_was_set_can_be_taken_back_and_seen() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("timezone Asia/Tokyo", conversation=GROUP, admin=True)
        await bot.command("timezone reset", conversation=GROUP, admin=True)
        answer = await bot.command("timezone", conversation=GROUP, admin=True)

    assert answer.text.startswith("The time zone **UTC** holds here (the persona's own).")


async def test_in_a_direct_chat_it_holds_for_what_is_said_and_for_the_night() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("timezone Asia/Tokyo")
        schedule = await bot.command("dream schedule")

        assert (await speaks(bot, DIRECT)).time_zone == "Asia/Tokyo"
    assert "(Asia/Tokyo)" in schedule.text


async def test_choosing_a_model_keeps_what_the_place_has_out_of_the_persona() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("language ja", conversation=GROUP, admin=True)
        await bot.command(f"model use {bot.model.name}", conversation=GROUP, admin=True)
        await bot.command("language reset", conversation=GROUP, admin=True)

        assert (await speaks(bot, GROUP)).language == "en"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("language German!", "“German!” is no language.", id="language"),
        pytest.param("timezone Europe/Berln", "Did you mean `Europe/Berlin`?", id="zone"),
        pytest.param("language de nowhere", "“nowhere” is no place.", id="place"),
        pytest.param("language de category", "This channel is in no category.", id="no category"),
    ],
)
async def test_what_does_not_fit_is_refused(line: str, said: str) -> None:
    async with make_bot(ScriptedModel()) as bot:
        assert said in (await bot.command(line, conversation=GROUP, admin=True)).text
