"""What was said while the bot was away is handed in when it comes back, before anything new."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import MessageState, Person, Role, StoredMessage
from bot.platforms.discord.catch_up import TRIES
from tests.emulators.discord.objects import Channel, Message, Overwrite, User
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import IMPATIENT, platform_for, running
from tests.unit.platforms.recording_inbox import RecordingInbox


def stored(message: Message) -> StoredMessage:
    """Return the message as the store would remember it."""
    channel = message.channel
    space = channel.guild.id if channel.guild else channel.id
    kind = ConversationKind.GROUP if channel.guild else ConversationKind.DIRECT
    return StoredMessage(
        id=1,
        conversation=ConversationKey("discord", str(space), str(channel.id)),
        kind=kind,
        message_id=str(message.id),
        role=Role.USER,
        author=Person(str(message.author.id), message.author.name),
        text=message.content,
        sent_at=datetime.fromtimestamp(message.created, UTC),
        state=MessageState.DONE,
    )


async def texts_until_new(inbox: RecordingInbox, emulator: DiscordEmulator, channel: Channel, speaker: User) -> list[str]:
    """Return what is handed in up to the message "new" that is said now."""
    async with running(emulator, inbox):
        emulator.member_says(channel, speaker, "new")
        texts = [(await inbox.next_message()).text]
        while texts[-1] != "new":
            texts.append((await inbox.next_message()).text)
    return texts


async def test_first_start_catches_up_on_nothing() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        emulator.member_says(general, ada, "long before")

        texts = await texts_until_new(RecordingInbox(), emulator, general, ada)

    assert texts == ["new"]


async def test_missed_messages_come_first_and_in_order() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        known = stored(emulator.member_says(general, ada, "known"))
        for number in range(150):
            emulator.member_says(general, ada, f"missed {number}")

        texts = await texts_until_new(RecordingInbox(heard=[known]), emulator, general, ada)

    # The known one comes again, because what arrives together may be stored in any order; the store drops repeats.
    assert texts == ["known", *(f"missed {number}" for number in range(150)), "new"]


async def test_backlog_is_cut_to_its_newest_messages_and_the_log_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        rooms = [emulator.channel(guild, name) for name in ("one", "two", "three")]
        ada = emulator.person("Ada", guild)
        inbox.heard = [stored(emulator.member_says(room, ada, "known")) for room in rooms]
        for number in range(6):
            for room in rooms:
                emulator.member_says(room, ada, f"{room.name} {number}")
        tuning = replace(IMPATIENT, missed_in_channel=2, missed_altogether=3)

        async with running(emulator, inbox, platform_for(emulator, tuning=tuning)):
            emulator.member_says(rooms[2], ada, "new")
            texts = [(await inbox.next_message()).text for _ in range(4)]

    assert texts == ["one 4", "one 5", "two 5", "new"]
    cuts = [line for line in capsys.readouterr().out.splitlines() if "discord_history_cut" in line]
    assert len(cuts) == 3
    assert "channels_unread=1" in cuts[-1]


async def test_channels_threads_and_direct_chats_are_all_read() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, other = emulator.channel(guild, "general"), emulator.channel(guild, "other")
        ada = emulator.person("Ada", guild)
        thread = emulator.thread(general, "tea", ada)
        hidden = emulator.channel(guild, "hidden", overwrites=[Overwrite(guild.id, deny=Permission.VIEW_CHANNEL)])
        direct = emulator.dm(ada)
        heard = [stored(emulator.member_says(place, ada, "known")) for place in (general, direct)]
        for place, text in ((other, "other"), (thread, "thread"), (direct, "direct"), (hidden, "hidden")):
            emulator.member_says(place, ada, text)

        texts = await texts_until_new(RecordingInbox(heard=heard), emulator, direct, ada)

    assert set(texts) == {"known", "other", "thread", "direct", "new"}


async def test_quiet_channels_cost_no_request() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, quiet = emulator.channel(guild, "general"), emulator.channel(guild, "quiet")
        ada = emulator.person("Ada", guild)
        heard = [stored(emulator.member_says(place, ada, "known")) for place in (general, quiet)]

        await texts_until_new(RecordingInbox(heard=heard), emulator, general, ada)

    assert emulator.calls_to("GET", f"/channels/{quiet.id}/messages") == []


async def test_what_is_older_than_a_day_is_left_alone() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        known = emulator.member_says(general, ada, "known")
        known.created -= timedelta(days=3).total_seconds()
        known.id -= int(timedelta(days=3).total_seconds() * 1000) << 22
        old = emulator.member_says(general, ada, "two days old")
        old.id -= int(timedelta(days=2).total_seconds() * 1000) << 22
        emulator.member_says(general, ada, "today")

        texts = await texts_until_new(RecordingInbox(heard=[stored(known)]), emulator, general, ada)

    assert texts == ["today", "new"]


@pytest.mark.parametrize(
    ("times", "expected"),
    [pytest.param(2, ["known", "missed", "new"], id="for a moment"), pytest.param(TRIES, ["new"], id="at all")],
)
async def test_history_that_cannot_be_read_is_tried_again_and_holds_nothing_up(times: int, expected: list[str]) -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        known = stored(emulator.member_says(general, ada, "known"))
        emulator.member_says(general, ada, "missed")
        emulator.fail_next(503, method="GET", path="/messages", times=times)

        texts = await texts_until_new(RecordingInbox(heard=[known]), emulator, general, ada)

    assert texts == expected


async def test_a_first_word_in_private_does_not_wait_for_what_was_missed_elsewhere() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, ada, bo = emulator.channel(guild), emulator.person("Ada", guild), emulator.person("Bo")
        known = stored(emulator.member_says(general, ada, "known"))
        emulator.member_says(general, ada, "missed")
        emulator.fail_next(503, method="GET", path=f"/channels/{general.id}/messages", times=5)
        inbox = RecordingInbox(heard=[known])

        async with running(emulator, inbox):
            emulator.member_says(emulator.dm(bo), bo, "hello")
            first = await inbox.next_message()

    assert first.text == "hello"
