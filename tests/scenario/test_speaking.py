"""When the bot speaks, and how its answers show, through the real client libraries."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

from bot.app.app import App
from bot.conversation.acknowledge import SEEN
from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta
from tests.emulators.discord.objects import ChannelKind
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.scenario.discord_stage import discord_bot
from tests.scenario.telegram_stage import telegram_bot

LONG = "tea and more tea. " * 1000
REMARK = "the water was far too hot again all week"


class Host:
    """A ChatModel that answers by what it is asked: has something to say about coffee only, and thinks as long as it is held."""

    name = "host"
    takes_tools = True
    takes_images = False

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.may_answer, self._asked = asyncio.Event(), asyncio.Event()
        self.may_answer.set()

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        last = request.messages[-1].text
        self.prompts.append(last)
        self._asked.set()
        await self.may_answer.wait()
        if "yes or no" in last:
            yield TextDelta("yes" if "coffee" in last.splitlines()[-3] else "no")
        else:
            yield TextDelta(LONG if "all of it" in last else f"About: {last.rpartition('): ')[2]}")
        yield Finished(FinishReason.STOP)

    async def close(self) -> None:
        """Nothing to close."""

    async def was_asked(self, times: int) -> None:
        async with asyncio.timeout(5):
            while len(self.prompts) < times:
                self._asked.clear()
                await self._asked.wait()


async def settings(app: App, platform: str, space: object, **values: str) -> None:
    async with app.store.write() as tx:
        for name, value in values.items():
            setting, _, place = name.partition("__")
            await tx.settings.set(platform, str(space), f"speak.{setting}{f'@{place}' if place else ''}", value)


def quiet_now() -> str:
    now = datetime.now(UTC)
    return f"{now - timedelta(hours=1):%H:%M}-{now + timedelta(hours=1):%H:%M} UTC"


async def test_a_discord_category_in_which_every_message_is_answered_but_others_talk_and_quiet_hours_are_left() -> None:
    model = Host()
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        halls, lounge, attic = (
            discord.channel(guild, "halls", ChannelKind.CATEGORY),
            discord.channel(guild),
            discord.channel(guild, "attic"),
        )
        lounge.parent = halls
        ada, bo = discord.person("Ada", guild), discord.person("Bo", guild)
        async with discord_bot(discord, model) as app:
            await settings(app, "discord", guild.id, **{f"mode__{halls.id}": "every"})
            discord.member_says(attic, ada, "anybody here?")
            discord.member_says(lounge, ada, f"{bo.mention} are you there?")
            discord.member_says(lounge, ada, "good morning all")
            first = await discord.bot_says(lounge)
            await settings(app, "discord", guild.id, quiet=quiet_now())
            discord.member_says(lounge, ada, "good night all")
            discord.member_says(lounge, ada, f"{discord.bot.mention} still up?")
            second = await discord.bot_says(lounge, 2)

    assert (first.content, "still up?" in second.content) == ("About: good morning all", True)
    assert discord.said_by_bot(attic) == []


async def test_on_discord_it_chooses_and_joins_and_acknowledges_and_sends_files() -> None:
    model = Host()
    async with DiscordEmulator() as discord:
        guild = discord.guild()
        lounge, ada = discord.channel(guild), discord.person("Ada", guild)
        async with discord_bot(discord, model) as app:
            await settings(app, "discord", guild.id, mode="choice", reacts="on", long_as_file="on")
            discord.member_says(lounge, ada, REMARK)
            await model.was_asked(1)
            discord.member_says(lounge, ada, "the coffee was not any better than that")
            chosen = await discord.bot_says(lounge)
            model.may_answer.clear()
            one = discord.member_says(lounge, ada, f"{discord.bot.mention} one")
            await model.was_asked(4)
            two = discord.member_says(lounge, ada, f"{discord.bot.mention} two")
            await model.was_asked(5)
            model.may_answer.set()
            joined = await discord.bot_says(lounge, 2)
            discord.member_says(lounge, ada, f"{discord.bot.mention} all of it")
            file = await discord.bot_says(lounge, 3)

    assert chosen.content == "About: the coffee was not any better than that"
    assert (joined.reply_to, one.reactions, two.reactions) == (two, [SEEN], [SEEN])
    assert [attached.data.decode().strip() for attached in file.attachments] == [LONG.strip()]
    assert len(discord.said_by_bot(lounge)) == 3


async def test_on_telegram_it_answers_all_or_chooses_and_joins_and_acknowledges_and_sends_files() -> None:
    model = Host()
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = True
        ada, at = telegram.scene.person("Ada"), f"@{telegram.bot.user.username}"
        group = telegram.scene.group("Tea house", ada)
        async with telegram_bot(telegram, model) as app:
            await settings(app, "telegram", group.id, mode="every", reacts="on", long_as_file="on")
            telegram.people.says(group, ada, "good morning all")
            first = await telegram.next_reply(group)
            await settings(app, "telegram", group.id, mode="choice")
            telegram.people.says(group, ada, REMARK)
            await model.was_asked(2)
            telegram.people.says(group, ada, "the coffee was not any better than that")
            chosen = await telegram.next_reply(group)
            model.may_answer.clear()
            one = telegram.people.says(group, ada, f"{at} one")
            await model.was_asked(5)
            two = telegram.people.says(group, ada, f"{at} two")
            await model.was_asked(6)
            model.may_answer.set()
            joined = await telegram.next_reply(group)
            telegram.people.says(group, ada, f"{at} all of it")
            file = await telegram.next_reply(group)

    assert [first.text, chosen.text] == ["About: good morning all", "About: the coffee was not any better than that"]
    assert (joined.reply_to, one.reactions, two.reactions) == (two, [SEEN], [SEEN])
    assert "answer.md" in str(file.media["document"])
    assert len(telegram.sent) == 4


async def test_quiet_hours_on_telegram_leave_direct_chats_and_what_is_addressed() -> None:
    model = Host()
    async with TelegramEmulator() as telegram:
        telegram.bot.reads_all = True
        ada, at = telegram.scene.person("Ada"), f"@{telegram.bot.user.username}"
        group, private = telegram.scene.group("Tea house", ada), telegram.scene.private(ada)
        async with telegram_bot(telegram, model) as app:
            await settings(app, "telegram", group.id, mode="every", quiet=quiet_now())
            telegram.people.says(group, ada, "good night all")
            telegram.people.says(group, ada, f"{at} still up?")
            addressed = await telegram.next_reply(group)
            await settings(app, "telegram", group.id, quiet_for="all")
            telegram.people.says(group, ada, f"{at} and now?")
            telegram.people.says(private, ada, "hello")
            await telegram.next_reply(private)

    assert telegram.sent_to(group) == [addressed]
