"""Personas that share a channel speak through webhooks of the bot's own, and through the bot itself where it may not have them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from bot.domain.command import AnswerFile
from bot.domain.message import Byline, Part, ReplyTarget
from bot.domain.persona import Avatar
from bot.errors import DeliveryDelayed
from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.discord.own_webhooks import sayable
from bot.ports.platform import Bylines
from bot.storage.cards.png import plain_picture
from tests.emulators.discord.objects import Channel, ChannelKind, Guild, Overwrite
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import IMPATIENT, running, target_in
from tests.unit.platforms.recording_inbox import RecordingInbox

ROSE, TOM = Byline("rose", "Rose"), Byline("tom", "Tom")
SEND = "/webhooks/"


@dataclass(slots=True)
class Picture:
    """Gives a persona's picture."""

    content: bytes | None = None

    async def __call__(self) -> Avatar | None:
        return Avatar("image/png", self.content) if self.content else None


@dataclass(frozen=True, slots=True)
class Stage:
    discord: DiscordEmulator
    guild: Guild
    general: Channel
    platform: DiscordPlatform
    inbox: RecordingInbox

    def target(self, byline: Byline = ROSE, channel: Channel | None = None) -> ReplyTarget:
        return replace(target_in(channel or self.general), byline=byline)

    async def says(self, text: str, byline: Byline = ROSE, *, nonce: str = "1", draft_id: str = "") -> str:
        assert await self.platform.shows_byline(self.target(byline), Picture())
        return await self.platform.send(self.target(byline), Part(text), nonce=nonce, draft_id=draft_id)

    def made(self) -> int:
        return len(self.discord.calls_to("POST", f"/channels/{self.general.id}/webhooks"))


@asynccontextmanager
async def stage() -> AsyncIterator[Stage]:
    async with DiscordEmulator() as discord:
        guild = discord.guild(bot_permissions=Permission.MANAGE_WEBHOOKS)
        general, inbox = discord.channel(guild), RecordingInbox()
        async with running(discord, inbox) as platform:
            assert isinstance(platform, Bylines)
            # Whoever is heard shows that the server is known.
            discord.member_says(general, discord.person("Ada", guild), "hello all")
            await inbox.next_message()
            yield Stage(discord, guild, general, platform, inbox)


async def test_each_persona_has_one_webhook_a_channel_which_later_connections_find_again() -> None:
    async with stage() as on:
        await on.says("Arr.")
        await on.says("Ahoy.", TOM, nonce="2")
        async with running(on.discord, RecordingInbox()) as later:
            for picture in (Picture(), Picture(plain_picture()), Picture(plain_picture())):
                assert await later.shows_byline(on.target(), picture)
            await later.send(on.target(), Part("Arr again."), nonce="3")
        names = [(each.name, each.avatar is not None) for each in on.discord.world.webhooks.values()]

        assert on.discord.said_by_personas(on.general) == [("Rose", "Arr."), ("Tom", "Ahoy."), ("Rose", "Arr again.")]
        assert on.made() == 2
        assert names == [("Rose (rose)", True), ("Tom (tom)", False)]
        assert len(on.discord.calls_to("PATCH", SEND)) == 1


async def test_what_they_say_is_not_handed_in_and_a_reply_to_it_is_for_the_bot() -> None:
    async with stage() as on:
        sent = await on.says("Arr, everybody!")
        on.discord.webhook_says(on.general, "Rose", "fake news")
        line = next(each for each in on.general.messages if str(each.id) == sent)
        on.discord.member_says(on.general, on.guild.owner, "really?", reply_to=line)
        fake, reply = [await on.inbox.next_message() for _ in range(2)]

        assert (fake.text, fake.author.is_bot, fake.author.is_service) == ("fake news", True, True)
        assert reply.addressed_to_bot
        assert reply.quote is not None
        assert (reply.quote.message_id, reply.quote.author.display_name, reply.quote.text) == (sent, "Rose", "Arr, everybody!")
        assert not line.pinged


async def test_drafts_grow_end_and_go_in_a_thread_and_files_come_under_the_same_byline() -> None:
    async with stage() as on:
        thread = on.discord.thread(on.general, "tea", on.guild.owner)
        place = replace(on.target().conversation, thread_id=str(thread.id))
        target = replace(on.target(), conversation=place)
        assert await on.platform.shows_byline(target, Picture())
        draft = await on.platform.send(target, Part("Arr"), nonce="draft")
        assert await on.platform.send(target, Part("Arr, matey."), nonce="1", draft_id=draft) == draft
        await on.platform.send_file(target, AnswerFile("answer.md", b"long"), "A long one", nonce="2")
        left = await on.platform.send(target, Part("never mind"), nonce="3")
        await on.platform.withdraw(replace(target, byline=None), left)

        assert on.discord.said_by_personas(thread) == [("Rose", "Arr, matey."), ("Rose", "A long one")]
        assert [file.filename for file in thread.messages[1].attachments] == ["answer.md"]


async def test_an_answer_takes_the_place_of_a_draft_under_another_byline_and_leaves_none_of_it() -> None:
    async with stage() as on:
        draft = await on.says("Arr")
        other = await on.says("Hello.", TOM, nonce="2", draft_id=draft)
        plain = await on.platform.send(target_in(on.general), Part("It is me."), nonce="3", draft_id=other)
        back = await on.says("And me.", nonce="4", draft_id=plain)

        assert on.discord.said_by_personas(on.general) == [("Rose", "And me.")]
        assert on.discord.said_by_bot(on.general) == []
        assert len({draft, other, plain, back}) == 4


async def test_an_answer_whose_sending_was_not_confirmed_is_not_doubled() -> None:
    async with stage() as on:
        await on.says("Ahoy.")
        on.discord.lose_next_answer(path=SEND)
        with pytest.raises(DeliveryDelayed):
            await on.says("Arr.", nonce="2")
        again = await on.says("Arr.", nonce="2")

        assert on.discord.said_by_personas(on.general) == [("Rose", "Ahoy."), ("Rose", "Arr.")]
        assert again == str(on.general.messages[-1].id)


async def test_a_line_that_begins_like_one_whose_sending_failed_is_not_taken_for_it() -> None:
    async with stage() as on:
        await on.says("Yes.")
        on.discord.outage()
        with pytest.raises(DeliveryDelayed):
            await on.says("Yes. And tea, too.", nonce="2")
        on.discord.outage(None)
        await on.says("Yes. And tea, too.", nonce="2")

        assert on.discord.said_by_personas(on.general) == [("Rose", "Yes."), ("Rose", "Yes. And tea, too.")]


async def test_an_answer_is_not_lost_with_a_name_that_discord_does_not_take() -> None:
    async with stage() as on:
        name = f"here{' ' * 80}and there"  # of which but the first word is left
        await on.says("Arr.", Byline("tea", name))
        promised = await on.platform.shows_byline(on.target(Byline("tea", name)), Picture())

        assert [each.content for each in on.discord.said_by_bot(on.general)] == [f"**{name}**\nArr."]
        assert not promised


async def test_a_removed_webhook_is_made_anew_and_without_the_right_the_name_stands_above() -> None:
    async with stage() as on:
        await on.says("Arr.")
        on.discord.someone_removes_webhooks(on.general)
        await on.says("Arr again.", nonce="2")
        assert await on.platform.shows_byline(on.target(), Picture())
        on.discord.someone_removes_webhooks(on.general)
        role = on.guild.members[on.discord.bot.id].roles[0]
        role.permissions = Permission(0)
        await on.platform.send(on.target(), Part("Who am I?"), nonce="3")
        promised = await on.platform.shows_byline(on.target(), Picture())

        assert on.discord.said_by_personas(on.general) == [("Rose", "Arr."), ("Rose", "Arr again.")]
        assert [each.content for each in on.discord.said_by_bot(on.general)] == ["**Rose**\nWho am I?"]
        assert not promised


async def test_a_process_that_is_told_of_nothing_asks_for_the_channel() -> None:
    async with stage() as on:
        sender = DiscordPlatform(on.discord.token, api_base=on.discord.api_base, gateway_url=on.discord.gateway_url, tuning=IMPATIENT)
        sending = asyncio.create_task(sender.run_sending(RecordingInbox()))
        assert await sender.shows_byline(on.target(), Picture())
        await sender.send(on.target(), Part("From afar."), nonce="9")
        sending.cancel()

        assert on.discord.said_by_personas(on.general) == [("Rose", "From afar.")]


async def test_where_webhooks_cannot_be_they_are_not_promised() -> None:
    async with stage() as on:
        closed = on.discord.channel(
            on.guild, "closed", overwrites=[Overwrite(on.discord.bot.id, is_member=True, deny=Permission.MANAGE_WEBHOOKS)]
        )
        full = on.discord.channel(on.guild, "full")
        for number in range(15):
            on.discord.someone_makes_webhook(full, f"n{number}")
        forum = on.discord.channel(on.guild, "forum", ChannelKind.FORUM)
        on.discord.member_says(full, on.guild.owner, "are you there?")
        await on.inbox.next_message()
        tries: list[Callable[[], ReplyTarget]] = [
            lambda: on.target(channel=closed),
            lambda: on.target(channel=full),
            lambda: on.target(Byline("dan", "Discord Dan")),
            lambda: replace(on.target(), byline=None),
            lambda: replace(target_in(on.discord.dm(on.guild.owner)), byline=ROSE),
            lambda: on.target(channel=forum),
        ]
        shown = [await on.platform.shows_byline(target(), Picture(b"no picture at all")) for target in tries]

        assert shown == [False, False, False, False, False, True]
        assert not sayable(Byline("x", "Everyone"))
