"""What the adapter makes of the many kinds of Discord messages."""

from dataclasses import dataclass
from typing import Any

import pytest

from bot.domain.message import IncomingMessage
from tests.emulators.discord.objects import Channel, Guild, Message, MessageKind, Overwrite, Role, User
from tests.emulators.discord.payloads import event_payload
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running
from tests.unit.platforms.recording_inbox import RecordingInbox


@dataclass(slots=True)
class Scene:
    """A server with a channel, two people and a role."""

    emulator: DiscordEmulator
    guild: Guild
    general: Channel
    ada: User
    bo: User
    cooks: Role

    @property
    def own_role(self) -> Role:
        return next(role for role in self.guild.roles if role.bot_id is not None)


def scene_in(emulator: DiscordEmulator) -> Scene:
    guild = emulator.guild()
    cooks = emulator.role(guild, "cooks", mentionable=True)
    for role in guild.roles:
        role.mentionable = True
    people = [emulator.person(name, guild) for name in ("Ada", "Bo")]
    return Scene(emulator, guild, emulator.channel(guild), people[0], people[1], cooks)


async def heard(text: str, **more: Any) -> tuple[IncomingMessage, Scene]:
    """Return what the adapter hands in when Ada says this; `{bot}` and the like stand for mentions."""
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        scene = scene_in(emulator)
        marks = {
            "bot": emulator.bot.mention,
            "bo": scene.bo.mention,
            "cooks": scene.cooks.mention,
            "own_role": scene.own_role.mention,
            "general": f"<#{scene.general.id}>",
        }
        async with running(emulator, inbox):
            emulator.member_says(scene.general, scene.ada, text.format(**marks), **more)
            return await inbox.next_message(), scene


@pytest.mark.parametrize(
    ("text", "addressed"),
    [
        pytest.param("hello", False, id="to nobody"),
        pytest.param("{bot} hello", True, id="mention"),
        pytest.param("hello {bo}", False, id="mention of another"),
        pytest.param("{own_role} hello", True, id="mention of the bot's own role"),
        pytest.param("{cooks} hello", False, id="mention of another role"),
        pytest.param("@everyone hello", False, id="everyone"),
    ],
)
async def test_message_is_addressed_by_a_mention(text: str, addressed: bool) -> None:
    message, _ = await heard(text)

    assert message.addressed_to_bot is addressed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("{bot} what is new?", "what is new?", id="mention at the start"),
        pytest.param("{bot}, what is new?", "what is new?", id="mention with a comma"),
        pytest.param("what is new, {bot}", "what is new", id="mention at the end"),
        pytest.param("is {bot} here?", "is @baku here?", id="mention in the middle"),
        pytest.param("{bot}", "@baku", id="nothing but a mention"),
        pytest.param("ask {bo} or {cooks}", "ask @Bo or @cooks", id="people and roles"),
        pytest.param("see {general} <:cat:123456789012345678>", "see #general :cat:", id="channels and emoji"),
        pytest.param("a < b and <@1> too", "a < b and <@1> too", id="unknown ids stay"),
    ],
)
async def test_text_reads_as_people_see_it(text: str, expected: str) -> None:
    message, _ = await heard(text)

    assert message.text == expected


async def test_channel_that_its_author_cannot_see_keeps_its_name() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        scene = scene_in(emulator)
        for_the_bot = Overwrite(scene.own_role.id, allow=Permission.VIEW_CHANNEL)
        for_no_one_else = Overwrite(scene.guild.id, deny=Permission.VIEW_CHANNEL)
        hidden = emulator.channel(scene.guild, "merger-talks", overwrites=[for_no_one_else, for_the_bot])
        async with running(emulator, inbox):
            emulator.member_says(scene.general, scene.ada, f"what is <#{hidden.id}>, is it <#{scene.general.id}>?")
            message = await inbox.next_message()

    assert message.text == f"what is <#{hidden.id}>, is it #general?"


async def test_mentioned_people_are_named_without_the_bot() -> None:
    message, scene = await heard("{bot} meet {bo}")

    assert [(person.id, person.display_name) for person in message.mentioned] == [(str(scene.bo.id), "Bo")]


async def test_reply_to_the_bot_is_addressed_and_quotes_it() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        scene = scene_in(emulator)
        async with running(emulator, inbox):
            said: Message = emulator.bot_wrote(scene.general, "tea is ready")
            emulator.member_says(scene.general, scene.ada, "thanks", reply_to=said, ping_reply=False)
            message = await inbox.next_message()

    assert message.addressed_to_bot
    assert message.quote is not None
    assert (message.quote.message_id, message.quote.text, message.quote.author.is_bot) == (str(said.id), "tea is ready", True)


async def test_reply_to_another_person_quotes_them_and_is_not_addressed() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        scene = scene_in(emulator)
        said = emulator.member_says(scene.general, scene.bo, "who is in?")
        async with running(emulator, inbox):
            emulator.member_says(scene.general, scene.ada, "me", reply_to=said)
            message = await inbox.next_message()

    assert not message.addressed_to_bot
    assert message.quote is not None
    assert (message.quote.author.display_name, message.quote.text) == ("Bo", "who is in?")


async def test_notice_of_discord_is_not_handed_in() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        scene = scene_in(emulator)
        async with running(emulator, inbox):
            emulator.member_says(scene.general, scene.ada, "", kind=MessageKind.JOINED)
            emulator.member_says(scene.general, scene.ada, "hi")
            message = await inbox.next_message()

    assert message.text == "hi"


STICKER = {"sticker_items": [{"id": "123456789012345678", "name": "Wave", "format_type": 1}]}
POLL = {
    "poll": {
        "question": {"text": "Tea?"},
        "answers": [{"answer_id": n, "poll_media": {"text": text}} for n, text in enumerate(("yes", "no"), 1)],
        "expiry": "2027-01-01T00:00:00+00:00",
        "allow_multiselect": False,
        "layout_type": 1,
        "results": {"is_finalized": False, "answer_counts": []},
    }
}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param(STICKER, "[sticker: Wave]", id="sticker"),
        pytest.param(POLL, "[poll: Tea? – yes, no]", id="poll"),
    ],
)
async def test_message_without_text_is_put_into_words(fields: dict[str, Any], expected: str) -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        scene = scene_in(emulator)
        said = emulator.member_says(scene.general, scene.ada, "")
        async with running(emulator, inbox):
            emulator.send_event("MESSAGE_CREATE", event_payload(emulator.world, said, "http://x") | fields, guild=scene.guild)
            message = await inbox.next_message()

    assert message.text == expected
