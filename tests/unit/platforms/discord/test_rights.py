"""Which rights the bot lacks, and how it is invited with all it needs, in front of the emulator."""

from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.domain.chat import ConversationKey
from bot.domain.message import Part
from bot.errors import DeliveryRefused
from bot.ports.platform import FileSource, SelfCheck
from tests.emulators.discord.objects import Channel, ChannelKind, Overwrite
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import platform_for, running, target_in
from tests.unit.platforms.recording_inbox import RecordingInbox

OPTIONAL = ("Create Private Threads (optional)", "Manage Webhooks (optional)")


def key_of(channel: Channel) -> ConversationKey:
    assert channel.guild is not None
    parent = channel.parent or channel
    return ConversationKey("discord", str(channel.guild.id), str(parent.id), str(channel.id) if channel.parent else "")


async def test_missing_rights_are_named_as_they_are_just_now() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        mute = emulator.channel(guild, "mute", overwrites=[Overwrite(guild.id, deny=Permission.SEND_MESSAGES | Permission.EMBED_LINKS)])
        hidden = emulator.channel(guild, "hidden", overwrites=[Overwrite(guild.id, deny=Permission.VIEW_CHANNEL)])
        voice = emulator.channel(guild, "voice", ChannelKind.VOICE, overwrites=[Overwrite(guild.id, deny=Permission.CONNECT)])
        no_threads = emulator.channel(guild, "threads", overwrites=[Overwrite(guild.id, deny=Permission.SEND_MESSAGES_IN_THREADS)])
        thread = emulator.thread(no_threads, "tea", emulator.person("Ada", guild))

        async with running(emulator, inbox) as platform:
            assert isinstance(platform, SelfCheck)
            assert isinstance(platform, FileSource)
            emulator.member_says(mute, guild.owner, "what may you do?")
            await inbox.next_message()
            before = [await platform.missing_rights(key_of(place)) for place in (mute, hidden, voice, thread)]
            unknown = await platform.missing_rights(ConversationKey("discord", "12", "34"))
            emulator.bot_gets(guild, emulator.role(guild, "boss", Permission.ADMINISTRATOR))
            emulator.member_says(mute, guild.owner, "and now?")
            await inbox.next_message()
            after = await platform.missing_rights(key_of(mute))

    assert list(before[0]) == ["Send Messages", "Embed Links (optional)", "Attach Files (optional)", *OPTIONAL]
    assert list(before[1]) == ["View Channels"]
    assert list(before[2]) == ["Connect", "Manage Webhooks (optional)"]
    assert list(before[3]) == [
        "Send Messages in Threads",
        "Embed Links (optional)",
        "Attach Files (optional)",
        "Manage Webhooks (optional)",
    ]
    assert (unknown, after) == ((), ())


async def test_refused_message_has_the_missing_right_named_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        mute = emulator.channel(guild, "mute", overwrites=[Overwrite(guild.id, deny=Permission.SEND_MESSAGES)])

        async with running(emulator, RecordingInbox()) as platform:
            with pytest.raises(DeliveryRefused):
                await platform.send(target_in(mute), Part("hi"), nonce="1")

    line = next(line for line in capsys.readouterr().out.splitlines() if "discord_right_missing" in line)
    assert "Send Messages" in line


async def test_operator_is_told_once_how_to_invite_the_bot_with_what_it_uses() -> None:
    told: list[str] = []
    async with DiscordEmulator() as emulator, running(emulator, RecordingInbox(), platform_for(emulator, tell_operator=told.append)):
        emulator.invalidate_sessions()
        await emulator.changes.until(lambda: emulator.gateway.identifies == 2, "a new connection")

    (text,) = told
    query = parse_qs(urlsplit(text.split()[-1]).query)
    asked = discord.Permissions(int(query["permissions"][0]))
    assert query["client_id"] == [str(emulator.world.application_id)]
    assert query["scope"] == ["bot applications.commands"]
    assert {name for name, is_asked in asked if is_asked} == {
        "read_messages", "send_messages", "send_messages_in_threads", "read_message_history", "embed_links", "attach_files",
        "add_reactions", "create_public_threads", "create_private_threads",
    }  # fmt: skip
