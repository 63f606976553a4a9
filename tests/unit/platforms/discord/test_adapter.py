"""The adapter in front of the emulator: what comes in, what goes out, and trouble in between."""

import asyncio
from dataclasses import replace

import pytest

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import Part
from bot.errors import DeliveryDelayed, DeliveryRefused
from tests.emulators.discord.objects import Overwrite
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import platform_for, running, target_in
from tests.unit.platforms.recording_inbox import RecordingInbox


async def test_message_in_a_channel_is_handed_in_with_its_place_and_author() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild, nick="Countess")

        async with running(emulator, inbox):
            said = emulator.member_says(general, ada, "good morning")
            message = await inbox.next_message()

    assert message.conversation == ConversationKey("discord", str(guild.id), str(general.id))
    assert (message.kind, message.message_id, message.text) == (ConversationKind.GROUP, str(said.id), "good morning")
    assert (message.author.id, message.author.display_name) == (str(ada.id), "Countess")
    assert not message.addressed_to_bot


async def test_direct_message_is_addressed_and_has_one_key() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        chat = emulator.dm(ada)

        async with running(emulator, inbox):
            emulator.member_says(chat, ada, "hi")
            emulator.member_says(chat, ada, "me again")
            messages = [await inbox.next_message() for _ in range(2)]

    assert {message.conversation for message in messages} == {ConversationKey("discord", str(chat.id), str(chat.id))}
    assert all(message.kind is ConversationKind.DIRECT and message.addressed_to_bot for message in messages)


async def test_thread_is_a_conversation_of_its_channel() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with running(emulator, inbox):
            thread = emulator.thread(general, "tea", ada)
            unknown = emulator.thread(general, "never announced", ada, private=True, announced=False)
            for place in (thread, unknown):
                emulator.member_says(place, ada, "in here")
            keys = [(await inbox.next_message()).conversation for _ in range(2)]

    assert keys == [ConversationKey("discord", str(guild.id), str(general.id), str(place.id)) for place in (thread, unknown)]


async def test_group_chat_is_not_taken_for_a_direct_chat() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        people = [emulator.person(name, guild) for name in ("Ada", "Bo")]
        group = emulator.group_dm(*people)

        async with running(emulator, inbox):
            emulator.member_says(group, people[0], "hi all")
            message = await inbox.next_message()

    assert message.kind is ConversationKind.GROUP
    assert not message.addressed_to_bot


async def test_own_words_and_notices_are_not_handed_in() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with running(emulator, inbox) as platform:
            await platform.send(target_in(general), Part("my own words"), nonce="1")
            emulator.webhook_says(general, "News", "fresh bread")
            emulator.member_says(general, ada, "and me")
            messages = [await inbox.next_message() for _ in range(2)]

    assert [(m.text, m.author.is_bot, m.author.is_service) for m in messages] == [("fresh bread", True, True), ("and me", False, False)]


async def test_deletions_are_handed_in_one_by_one_and_at_once() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        dm = emulator.dm(ada)
        said = [emulator.member_says(general, ada, f"word {number}") for number in range(3)]
        private = emulator.member_says(dm, ada, "between us")

        async with running(emulator, inbox):
            emulator.member_deletes(said[0])
            one = await inbox.next_deleted()
            in_thread = await inbox.next_deleted()
            emulator.moderator_deletes(said[1:])
            two, *_ = [await inbox.next_deleted() for _ in range(3)]
            emulator.member_deletes(private)
            three = await inbox.next_deleted()

    here = ConversationKey("discord", str(guild.id), str(general.id))
    assert one == (here, [str(said[0].id)])
    assert in_thread == (replace(here, thread_id=str(said[0].id)), [str(said[0].id)])
    assert two == (here, [str(message.id) for message in said[1:]])
    assert three == (ConversationKey("discord", str(dm.id), str(dm.id)), [str(private.id)])


async def test_leaving_a_server_and_coming_back_is_handed_in() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()

        async with running(emulator, inbox):
            assert await inbox.next_space() == ("joined", "discord", str(guild.id))
            emulator.throws_bot_out(guild)
            assert await inbox.next_space() == ("left", "discord", str(guild.id)), "that it is in a server is noted once"
            emulator.takes_bot_in(guild)
            assert await inbox.next_space() == ("joined", "discord", str(guild.id))


async def test_edit_is_handed_in_once_per_change() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        said = emulator.member_says(general, emulator.person("Ada", guild), "teh")

        async with running(emulator, inbox):
            emulator.member_edits(said, "the")
            edit = await inbox.next_edit()

    assert (edit.message_id, edit.text) == (str(said.id), "the")


async def test_text_file_is_read_when_the_bot_is_addressed() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        notes = emulator.file("notes.txt", "Käse".encode())
        photo = emulator.file("cat.png", b"\x89PNG", "image/png")

        async with running(emulator, inbox):
            emulator.member_says(emulator.dm(ada), ada, "see", attachments=[notes, photo])
            message = await inbox.next_message()

    assert [(file.name, file.media_type, file.text) for file in message.attachments] == [
        ("notes.txt", "text/plain", "Käse"),
        ("cat.png", "image/png", ""),
    ]


async def test_answer_is_a_reply_that_pings_only_the_asker() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild(bot_permissions=Permission.ADMINISTRATOR)
        general = emulator.channel(guild)
        ada, bo = emulator.person("Ada", guild), emulator.person("Bo", guild)
        asked = emulator.member_says(general, ada, "hello?")

        async with running(emulator, RecordingInbox()) as platform:
            sent = await platform.send(target_in(general, asked), Part(f"@everyone {bo.mention} hi"), nonce="7-0")

    answer = emulator.said_by_bot(general)[0]
    assert (str(answer.id), answer.reply_to) == (sent, asked)
    assert answer.pinged == {f"user:{ada.id}"}


async def test_same_nonce_is_sent_once() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())

        async with running(emulator, RecordingInbox()) as platform:
            emulator.lose_next_answer(path="/messages")
            with pytest.raises(DeliveryDelayed):
                await platform.send(target_in(general), Part("once"), nonce="7-0")
            await platform.send(target_in(general), Part("once"), nonce="7-0")

    assert len(emulator.said_by_bot(general)) == 1


async def test_reply_to_what_was_deleted_is_sent_all_the_same() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        no_history = [Overwrite(guild.id, deny=Permission.READ_MESSAGE_HISTORY)]
        rooms = [emulator.channel(guild, "general"), emulator.channel(guild, "forgetful", overwrites=no_history)]
        asked = [emulator.member_says(room, emulator.person("Ada", guild), "hello?") for room in rooms]
        emulator.member_deletes(asked[0])

        async with running(emulator, RecordingInbox()) as platform:
            for room, message in zip(rooms, asked, strict=True):
                await platform.send(target_in(room, message), Part("hi"), nonce=str(room.id))

    assert [len(emulator.said_by_bot(room)) for room in rooms] == [1, 1]


async def test_refused_message_names_its_remedy() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        mute = emulator.channel(guild, "mute", overwrites=[Overwrite(guild.id, deny=Permission.SEND_MESSAGES)])

        async with running(emulator, RecordingInbox()) as platform:
            with pytest.raises(DeliveryRefused, match="right to send messages"):
                await platform.send(target_in(mute), Part("hi"), nonce="1")


@pytest.mark.parametrize("status", [pytest.param(503, id="outage"), pytest.param(401, id="token withdrawn")])
async def test_outage_delays_a_message(status: int) -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())

        async with running(emulator, RecordingInbox()) as platform:
            emulator.outage(status)
            with pytest.raises(DeliveryDelayed):
                await platform.send(target_in(general), Part("hi"), nonce="1")


async def test_rate_limit_is_waited_out() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())

        async with running(emulator, RecordingInbox()) as platform:
            emulator.rate_limit_next(0.01, path="/messages")
            await platform.send(target_in(general), Part("hi"), nonce="1")

    assert len(emulator.said_by_bot(general)) == 1


async def test_typing_shows_while_composing_and_its_failure_harms_nothing() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        hidden = emulator.channel(guild, "hidden", overwrites=[Overwrite(guild.id, deny=Permission.VIEW_CHANNEL)])

        async with running(emulator, RecordingInbox()) as platform:
            async with platform.composing(target_in(general)) as draft:
                await draft.show("so far")
                await emulator.changes.until(lambda: emulator.typing_in(general), "typing")
            async with platform.composing(target_in(hidden)):
                await emulator.changes.until(lambda: emulator.calls_to("POST", f"/channels/{hidden.id}/typing"), "a refused typing")

    assert emulator.said_by_bot(general) == []


async def test_send_waits_for_the_connection() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())
        platform = platform_for(emulator)
        sending = asyncio.create_task(platform.send(target_in(general), Part("early"), nonce="1"))

        async with running(emulator, RecordingInbox(), platform):
            await asyncio.wait_for(sending, 5)

    assert len(emulator.said_by_bot(general)) == 1
