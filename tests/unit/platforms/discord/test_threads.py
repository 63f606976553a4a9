"""What threads and forum posts began with, in front of the emulator."""

from dataclasses import replace

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.message import Part
from bot.errors import DeliveryRefused
from tests.emulators.discord.objects import ChannelKind
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running, target_in
from tests.unit.platforms.recording_inbox import RecordingInbox


async def test_thread_begins_with_the_message_it_was_made_from_once_and_unanswered() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada, bo = emulator.person("Ada", guild), emulator.person("Bo", guild)
        said = emulator.member_says(general, ada, f"{emulator.bot.mention} which tea?")

        async with running(emulator, inbox):
            thread = emulator.thread_from(said, "tea", bo)
            for text in ("Sencha", "Assam"):
                emulator.member_says(thread, bo, text)
            starter, *others = [await inbox.next_message() for _ in range(3)]
            emulator.member_edits(said, "which coffee?")
            in_channel, in_thread = await inbox.next_edit(), await inbox.next_edit()

    here = ConversationKey("discord", str(guild.id), str(general.id), str(thread.id))
    assert starter.text == "[began the thread “tea”]\nwhich tea?"
    assert (starter.conversation, starter.author.id, starter.message_id) == (here, str(ada.id), str(said.id))
    assert (starter.addressed_to_bot, starter.only_heard) == (False, True)
    assert [message.text for message in others] == ["Sencha", "Assam"]
    assert (in_channel.conversation, in_channel.text) == (replace(here, thread_id=""), "which coffee?")
    assert (in_thread.conversation, in_thread.text) == (here, "[began the thread “tea”]\nwhich coffee?")


async def test_thread_made_from_words_of_the_bot_begins_with_them() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        said = emulator.bot_wrote(general, "Sencha is green.")

        async with running(emulator, inbox):
            emulator.member_says(emulator.thread_from(said, "tea", ada), ada, "and Assam?")
            starter = await inbox.next_message()

    assert starter.text == "[began the thread “tea”]\nSencha is green."
    assert starter.author.is_bot


async def test_thread_without_a_beginning_is_asked_about_once() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with running(emulator, inbox):
            thread = emulator.thread(general, "tea", ada)
            for text in ("one", "two"):
                emulator.member_says(thread, ada, text)
            texts = [(await inbox.next_message()).text for _ in range(2)]

    assert texts == ["one", "two"]
    assert len(emulator.calls_to("GET", f"/messages/{thread.id}")) == 1


async def test_forum_post_has_its_title_and_tags_whenever_the_bot_comes_to_hear_of_it() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        forum = emulator.channel(guild, "help", ChannelKind.FORUM)
        ada, bo = emulator.person("Ada", guild), emulator.person("Bo", guild)
        old = emulator.posts(forum, ada, "Old kettle", "It leaks.", tags=["broken"])

        async with running(emulator, inbox):
            emulator.member_says(old, bo, "Oh no")
            starter, answer = await inbox.next_message(), await inbox.next_message()
            emulator.posts(forum, ada, "New kettle", "It sings.", tags=["praise", "broken"])
            post = await inbox.next_message()

    assert (starter.text, starter.only_heard) == ("[forum post “Old kettle”, tagged broken]\nIt leaks.", True)
    assert answer.text == "Oh no"
    assert (post.text, post.only_heard) == ("[forum post “New kettle”, tagged praise, broken]\nIt sings.", False)


async def test_locked_thread_says_why_it_takes_nothing() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        thread = emulator.thread(general, "tea", emulator.person("Ada", guild))

        async with running(emulator, RecordingInbox()) as platform:
            emulator.locks(thread)
            with pytest.raises(DeliveryRefused, match="locked"):
                await platform.send(target_in(thread), Part("hi"), nonce="1")
