"""A group becomes a supergroup in the middle of things."""

import pytest

from bot.testing.scripted_model import ScriptedModel
from tests.emulators.telegram.chats import ChatKind
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.scenario.telegram_stage import telegram_bot


@pytest.mark.parametrize("tells_first", ["old", "new"])
async def test_what_was_said_and_remembered_is_known_in_the_supergroup_and_its_messages_are_heard(tells_first: str) -> None:
    model = ScriptedModel("Noted.<mem_new>Ada likes oolong</mem_new>", "Oolong.", "Tea again.")
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = True
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada, kind=ChatKind.GROUP)
        async with telegram_bot(telegram, model):
            telegram.people.says(group, ada, "@baku_bot I like oolong")
            await telegram.next_reply(group)
            supergroup = telegram.scene.migrate(group, new_tells_first=tells_first == "new")
            telegram.people.says(supergroup, ada, "@baku_bot what do I like?")
            answer = await telegram.next_reply(supergroup)
            for _ in range(3):  # their numbers are those of the old messages
                telegram.people.says(supergroup, ada, "more talk")
            telegram.people.says(supergroup, ada, "@baku_bot and now?")
            last = await telegram.next_reply(supergroup)

    assert (answer.text, last.text) == ("Oolong.", "Tea again.")
    assert "Ada likes oolong" in model.prompts[1].text
    assert "I like oolong" in model.prompts[1].text
    assert model.prompts[2].text.count("more talk") == 3


async def test_an_answer_that_meets_the_move_arrives_once_in_the_new_group() -> None:
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada, kind=ChatKind.GROUP)
        model = ScriptedModel("First.", "Second.", "Second.")  # the answer that the move overtakes is thought of anew
        async with telegram_bot(telegram, model):
            telegram.people.says(group, ada, "@baku_bot hello")
            await telegram.next_reply(group)
            telegram.people.says(group, ada, "@baku_bot still here?")
            supergroup = telegram.scene.migrate(group)
            answer = await telegram.next_reply(supergroup)
            await telegram.all_acknowledged()

    assert answer.text == "Second."
    assert len(telegram.sent_to(supergroup)) == 1
