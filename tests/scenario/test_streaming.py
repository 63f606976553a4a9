"""Answers that people see grow: in a message that is edited, once and whole in the end."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta
from bot.platforms.growing import Pace
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.errors import flood
from tests.scenario import discord_stage as on_discord
from tests.scenario import telegram_stage as on_telegram
from tests.scenario.discord_stage import discord_bot
from tests.scenario.telegram_stage import telegram_bot

BEGINNING = "First the water has to boil, and "
END = "then the leaves go in."
SOON = Pace(first=0.02, every=0.02)
ON_DISCORD, ON_TELEGRAM = replace(on_discord.IMPATIENT, draft=SOON), replace(on_telegram.IMPATIENT, growing=SOON)


class SlowModel:
    """A ChatModel that stops in the middle of each answer until it is let go on."""

    name = "slow"
    takes_tools = True
    takes_images = False

    def __init__(self) -> None:
        self.may_end = asyncio.Event()

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        yield TextDelta(BEGINNING)
        await self.may_end.wait()
        yield TextDelta(END)
        yield Finished(FinishReason.STOP)

    async def close(self) -> None:
        """Nothing to close."""


async def test_an_answer_grows_in_one_message_on_discord() -> None:
    model = SlowModel()
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        general, ada = discord.channel(guild), discord.person("Ada", guild)

        async with discord_bot(discord, model, tuning=ON_DISCORD):
            asked = discord.member_says(general, ada, f"{discord.bot.mention} how is tea made?")
            draft = await discord.bot_says(general)
            assert draft.content == BEGINNING.strip()
            model.may_end.set()
            await discord.changes.until(lambda: draft.content.endswith(END), "the whole answer")

    assert (draft.content, draft.reply_to) == (BEGINNING + END, asked)
    assert discord.said_by_bot(general) == [draft]


async def test_an_answer_grows_in_one_message_in_a_telegram_group_and_a_flood_on_the_last_edit_is_waited_out() -> None:
    model = SlowModel()
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada)

        async with telegram_bot(telegram, model, tuning=ON_TELEGRAM):
            telegram.people.says(group, ada, f"@{telegram.bot.user.username} how is tea made?")
            draft = await telegram.next_reply(group)
            assert draft.text == BEGINNING.strip()
            flooded = telegram.fail("editMessageText", flood(0), times=1)
            model.may_end.set()
            await telegram.until(lambda: draft.text.endswith(END))

    assert flooded.times == 0
    assert draft.text == BEGINNING + END
    assert telegram.sent == [draft]


async def test_after_a_crash_the_answer_goes_on_in_the_same_message(database_url: str) -> None:
    async with DiscordEmulator() as discord:
        chat = discord.dm(discord.person("Ada", discord.guild()))

        async with discord_bot(discord, SlowModel(), database=database_url, tuning=ON_DISCORD):
            discord.member_says(chat, chat.recipients[0], "how is tea made?")
            draft = await discord.bot_says(chat)
        model = SlowModel()
        model.may_end.set()
        async with discord_bot(discord, model, database=database_url, tuning=ON_DISCORD):
            await discord.changes.until(lambda: draft.content.endswith(END), "the whole answer")

    assert discord.said_by_bot(chat) == [draft]


async def test_an_unfinished_answer_goes_when_its_question_is_deleted(database_url: str) -> None:
    model = SlowModel()
    async with DiscordEmulator() as discord:
        chat = discord.dm(discord.person("Ada", discord.guild()))

        async with discord_bot(discord, model, database=database_url, tuning=ON_DISCORD):
            asked = discord.member_says(chat, chat.recipients[0], "how is tea made?")
            draft = await discord.bot_says(chat)
            discord.member_deletes(asked)
            await discord.changes.until(lambda: asked.deleted, "the deletion")
            await asyncio.sleep(0.05)  # for the bot to have taken it in: nothing can be seen of that from outside
            model.may_end.set()
            await discord.changes.until(lambda: draft.deleted, "the draft taken away")
