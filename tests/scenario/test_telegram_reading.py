"""What people send on Telegram beside plain words, as the model reads it."""

from bot.testing.scripted_model import ScriptedModel
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.scenario.telegram_stage import telegram_bot


async def test_a_forward_with_a_comment_and_an_album_get_one_answer_each() -> None:
    model = ScriptedModel("Nice parrot.", "Three cats.")
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = True
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        group = telegram.scene.group("Pets", ada)

        async with telegram_bot(telegram, model, burst_seconds=0.1):
            telegram.people.says(group, ada, "@baku_bot what do you say to this?")
            telegram.people.forwards(group, ada, "I own a parrot", author=bo)
            await telegram.next_reply(group)
            telegram.people.sends_album(group, ada, ["", "@baku_bot my cats", ""])
            await telegram.next_reply(group)
            await telegram.all_acknowledged()

    assert [sent.text for sent in telegram.sent] == ["Nice parrot.", "Three cats."]
    assert "[Forwarded from Bo]" in model.prompts[0].text
    assert "I own a parrot" in model.prompts[0].text
    assert model.prompts[1].text.count("[attached: photo.jpg") == 3
