"""What the adapter reads in messages that are more than text, in front of the emulator."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.domain.message import IncomingMessage
from bot.platforms.discord.wording import NOT_AVAILABLE
from tests.emulators.discord.objects import Channel, ChannelKind, Payload, User
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running
from tests.unit.platforms.recording_inbox import RecordingInbox

Doing = Callable[[DiscordEmulator, Channel, User], object]


async def heard_after(do: Doing, *, count: int = 1) -> list[IncomingMessage]:
    """Return what is handed in when this is done in a channel with Ada in it."""
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        async with running(emulator, inbox):
            do(emulator, general, ada)
            return [await inbox.next_message() for _ in range(count)]


CARD: Payload = {
    "type": "rich",
    "title": "Build 7",
    "description": "went wrong",
    "fields": [{"name": "Step", "value": "tests", "inline": True}],
}
LAYOUT: list[Payload] = [
    {
        "type": 17,
        "components": [
            {"type": 10, "content": "# Tea menu"},
            {
                "type": 9,
                "components": [{"type": 10, "content": "Sencha"}],
                "accessory": {"type": 2, "style": 1, "custom_id": "x", "label": "Buy"},
            },
            {"type": 14},
            {"type": 12, "items": [{"media": {"url": "https://x/y.png"}, "description": "a green cup"}]},
            {"type": 13, "file": {"url": "attachment://list.pdf"}, "name": "list.pdf", "size": 9},
        ],
    },
    {"type": 99, "what": "nobody knows yet"},
]


@pytest.mark.parametrize(
    ("embeds", "layout", "expected"),
    [
        pytest.param([CARD], [], "Build 7\nwent wrong\nStep: tests", id="card"),
        pytest.param([], LAYOUT, "# Tea menu\nSencha\n[picture: a green cup]\n[file: list.pdf]", id="layout"),
    ],
)
async def test_cards_and_layouts_of_other_bots_are_read(embeds: list[Payload], layout: list[Payload], expected: str) -> None:
    def shown(emulator: DiscordEmulator, general: Channel, ada: User) -> object:
        assert general.guild is not None
        return emulator.bot_shows(general, emulator.person("Reporter", general.guild, bot=True), embeds=embeds, layout=layout)

    (message,) = await heard_after(shown)

    assert (message.text, message.author.is_bot) == (expected, True)


async def test_poll_is_read_with_its_answers_and_its_end_is_of_nobody_and_never_answered() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        chat = emulator.dm(ada)

        async with running(emulator, inbox):
            poll = emulator.member_asks(chat, ada, "Tea?", ["yes", "no"])
            asked = await inbox.next_message()
            emulator.ends_poll(poll, {"yes": 3, "no": 1})
            ended, told = await inbox.next_edit(), await inbox.next_message()

    assert (asked.text, asked.only_heard) == ("[poll: Tea? – yes, no]", False)
    assert (ended.text, ended.says_the_same) == ("[poll ended: Tea? – yes 3, no 1]", True)
    assert told.text == "[poll ended: Tea? – “yes” won with 3 of 4 votes]"
    assert (told.author.is_service, told.addressed_to_bot, told.only_heard) == (True, False, True)


async def test_voice_message_says_that_it_is_one_and_an_album_is_one_message() -> None:
    def sent(emulator: DiscordEmulator, general: Channel, ada: User) -> None:
        emulator.member_speaks(general, ada, 12.5)
        photos = [emulator.file(f"{number}.png", b"x", "image/png") for number in range(3)]
        emulator.member_says(general, ada, "look", attachments=photos)
        emulator.member_sends_sticker(general, ada, "Wave")

    voice, album, sticker = await heard_after(sent, count=3)

    assert [(file.is_voice, file.duration_seconds, file.media_type) for file in voice.attachments] == [(True, 12.5, "audio/ogg")]
    assert (album.text, [file.is_voice for file in album.attachments]) == ("look", [False] * 3)
    assert sticker.text == "[sticker: Wave]"


async def test_reply_to_a_forward_quotes_what_was_forwarded() -> None:
    def replied(emulator: DiscordEmulator, general: Channel, ada: User) -> None:
        menu = emulator.file("menu.txt", b"soup")
        forward = emulator.member_forwards(general, ada, emulator.member_says(general, ada, "lunch", attachments=[menu]))
        emulator.member_says(general, ada, "this one", reply_to=forward)

    *_, reply = await heard_after(replied, count=3)

    assert reply.quote is not None
    assert reply.quote.text == "[forwarded message]\n> lunch\n[attached: menu.txt]"


async def test_answered_message_is_asked_for_once_and_said_to_be_missing_when_it_is_gone() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        said = emulator.bot_wrote(general, "tea?")
        gone = emulator.member_says(general, ada, "never mind")
        emulator.member_deletes(gone)

        async with running(emulator, inbox):
            emulator.member_replies_unresolved(general, ada, "yes", said)
            emulator.member_replies_unresolved(general, ada, "why?", gone)
            emulator.member_says(general, ada, "or not", reply_to=gone)
            messages = [await inbox.next_message() for _ in range(3)]

    assert [message.quote and message.quote.text for message in messages] == ["tea?", NOT_AVAILABLE, NOT_AVAILABLE]
    assert [message.addressed_to_bot for message in messages] == [True, False, False]
    assert len(emulator.calls_to("GET", f"/messages/{gone.id}")) == 1


async def test_notices_of_all_kinds_known_or_not_are_passed_over() -> None:
    said = {0, 19, 20, 23, 46}

    def noticed(emulator: DiscordEmulator, general: Channel, ada: User) -> None:
        for kind in [*sorted(set(range(64)) - said), 999]:
            emulator.notice(general, ada, kind)
        emulator.member_says(general, ada, "hi")

    (message,) = await heard_after(noticed)

    assert message.text == "hi"


@pytest.mark.parametrize("kind", [ChannelKind.VOICE, ChannelKind.STAGE, ChannelKind.ANNOUNCEMENT])
async def test_text_in_channels_of_other_kinds_is_heard(kind: ChannelKind) -> None:
    def said(emulator: DiscordEmulator, general: Channel, ada: User) -> None:
        assert general.guild is not None
        published = emulator.member_says(emulator.channel(general.guild, "other", kind), ada, "hello there")
        emulator.crossposts(published)

    (message,) = await heard_after(said)

    assert message.text == "hello there"


@pytest.mark.parametrize(
    ("embed", "expected"),
    [
        pytest.param({"type": "link", "title": "Tea", "description": "All\nof it", "provider": {"name": "Teapedia"}},
                     "[link preview: Tea – All of it (Teapedia)]", id="site by name"),
        pytest.param({"type": "article", "title": "Tea", "url": "https://www.tea.example/x"},
                     "[link preview: Tea (tea.example)]", id="site by address"),
        pytest.param({"type": "video", "title": "T" * 300, "url": "https://["}, f"[link preview: {'T' * 199}…]", id="long, no address"),
        pytest.param({"type": "image", "url": "https://x/y.png"}, "", id="picture alone"),
    ],
)  # fmt: skip
async def test_preview_of_a_link_is_read_when_it_comes_and_is_no_word_of_the_author(embed: dict[str, Any], expected: str) -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)

        async with running(emulator, inbox):
            said = emulator.member_says(general, emulator.person("Ada", guild), "see https://tea.example")
            await inbox.next_message()
            emulator.shows_preview(said, embed)
            edit = await inbox.next_edit()

    assert edit.text == "\n".join(filter(None, ["see https://tea.example", expected]))
    assert edit.says_the_same
