"""B87 on Telegram: of what was said while the bot was away, recent questions are answered once, old ones are noted, and nothing vanishes.

Telegram keeps updates for a day: the adapter acknowledges each only when it is stored, and answers none that is too old.
"""

import time
from datetime import timedelta

import pytest

from bot.testing.scripted_model import ScriptedModel
from tests.emulators.telegram.clock import ManualClock
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.scenario.telegram_stage import telegram_bot

TWO_HOURS = timedelta(hours=2).total_seconds()


async def test_b87_recent_questions_are_answered_once_and_old_ones_noted(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = ScriptedModel("First.", "Third.", "Fourth.")
    clock = ManualClock(time.time() - TWO_HOURS)
    async with TelegramEmulator(clock=clock) as telegram:
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada)
        async with telegram_bot(telegram, model, database=database_url):
            telegram.people.says(group, ada, "@baku_bot one")
            await telegram.next_reply(group)
        telegram.people.says(group, ada, "@baku_bot two")
        clock.advance(TWO_HOURS)
        telegram.people.says(group, ada, "@baku_bot three")

        async with telegram_bot(telegram, model, database=database_url):
            answer = await telegram.next_reply(group)
        async with telegram_bot(telegram, model, database=database_url):
            telegram.people.says(group, ada, "@baku_bot four")
            last = await telegram.next_reply(group)

    assert (answer.text, last.text) == ("Third.", "Fourth.")
    assert answer.reply_to is not None
    assert answer.reply_to.text == "@baku_bot three"
    assert "two" in model.prompts[1].text
    assert (len(telegram.sent), len(model.prompts)) == (3, 3)
    assert "only_noted=1" in capsys.readouterr().out
