"""The emulator's messages: what Discord takes, refuses and pings."""

from collections.abc import Awaitable, Callable

import aiohttp
import discord
import pytest

from tests.emulators.discord.clock import ManualClock
from tests.emulators.discord.objects import Channel, Overwrite, User
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.emulators.discord_client import Listener, listening


async def sendable(client: discord.Client, channel: Channel) -> discord.abc.Messageable:
    found = client.get_partial_messageable(channel.id)
    assert isinstance(found, discord.abc.Messageable)
    return found


async def test_answer_appears_in_the_channel_as_a_reply() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with listening(emulator) as client:
            asked = emulator.member_says(general, ada, "hello?")
            heard = await client.next_message()
            async with heard.channel.typing():
                await heard.reply("hello!")

    answer = emulator.said_by_bot(general)[0]
    assert (answer.content, answer.reply_to) == ("hello!", asked)
    assert answer.pinged == {f"user:{ada.id}"}
    assert emulator.typing_in(general) >= 1


Refused = Callable[[Listener, Channel], Awaitable[object]]


async def too_long(client: Listener, channel: Channel) -> object:
    return await (await sendable(client, channel)).send("😀" * 1001)


async def empty(client: Listener, channel: Channel) -> object:
    return await (await sendable(client, channel)).send(" \n ")


async def unknown_channel(client: Listener, channel: Channel) -> object:
    return await client.get_partial_messageable(100000000000000000).send("hi")


async def unknown_message(client: Listener, channel: Channel) -> object:
    return await client.get_partial_messageable(channel.id).fetch_message(100000000000000000)


async def foreign_edit(client: Listener, channel: Channel) -> object:
    message = client.get_partial_messageable(channel.id).get_partial_message(channel.messages[0].id)
    return await message.edit(content="mine now")


async def foreign_delete(client: Listener, channel: Channel) -> object:
    await client.get_partial_messageable(channel.id).get_partial_message(channel.messages[0].id).delete()
    return None


async def reply_to_nothing(client: Listener, channel: Channel) -> object:
    reference = discord.MessageReference(message_id=100000000000000000, channel_id=channel.id)
    return await client.get_partial_messageable(channel.id).send("hi", reference=reference)


@pytest.mark.parametrize(
    ("attempt", "status", "code"),
    [
        pytest.param(too_long, 400, 50035, id="1,001 emoji are 2,002 units"),
        pytest.param(empty, 400, 50006, id="only blanks"),
        pytest.param(unknown_channel, 404, 10003, id="unknown channel"),
        pytest.param(unknown_message, 404, 10008, id="unknown message"),
        pytest.param(foreign_edit, 403, 50005, id="editing another's message"),
        pytest.param(foreign_delete, 403, 50013, id="removing another's message"),
        pytest.param(reply_to_nothing, 400, 50035, id="reply to an unknown message"),
    ],
)
async def test_refusal_has_discords_code(attempt: Refused, status: int, code: int) -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        emulator.member_says(general, emulator.person("Ada", guild), "first")

        async with listening(emulator) as client:
            with pytest.raises(discord.HTTPException) as refused:
                await attempt(client, general)

    assert (refused.value.status, refused.value.code) == (status, code)


async def test_too_long_text_is_named_in_the_error_tree() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())

        async with listening(emulator) as client:
            await client.get_partial_messageable(general.id).send("x" * 2000)
            with pytest.raises(discord.HTTPException, match="In content: Must be 2000 or fewer"):
                await too_long(client, general)


async def test_channel_permissions_are_enforced() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        mute = emulator.channel(guild, "mute", overwrites=[Overwrite(guild.id, deny=Permission.SEND_MESSAGES)])
        hidden = emulator.channel(guild, "hidden", overwrites=[Overwrite(guild.id, deny=Permission.VIEW_CHANNEL)])

        async with listening(emulator) as client:
            codes = []
            for channel in (mute, hidden):
                with pytest.raises(discord.Forbidden) as refused:
                    await client.get_partial_messageable(channel.id).send("hi")
                codes.append(refused.value.code)

    assert codes == [50013, 50001]


async def test_private_message_to_somebody_who_takes_none_is_refused() -> None:
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        ada.accepts_dms = False

        async with listening(emulator) as client:
            with pytest.raises(discord.Forbidden) as refused:
                await (await client.fetch_user(ada.id)).send("psst")

    assert refused.value.code == 50007


async def test_enforced_nonce_returns_the_earlier_message_for_some_minutes() -> None:
    clock = ManualClock()
    async with DiscordEmulator(clock) as emulator:
        general = emulator.channel(emulator.guild())

        async with listening(emulator) as client:
            channel = client.get_partial_messageable(general.id)
            first = await channel.send("once", nonce="outbox-1")
            again = await channel.send("once", nonce="outbox-1")
            clock.advance(600)
            later = await channel.send("once", nonce="outbox-1")

    assert first.id == again.id
    assert later.id != first.id
    assert len(emulator.said_by_bot(general)) == 2


async def test_lost_answer_still_posts() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())

        async with listening(emulator) as client:
            channel = client.get_partial_messageable(general.id)
            emulator.lose_next_answer(path="/messages")
            with pytest.raises(aiohttp.ClientError):
                await channel.send("did it arrive?", nonce="n")
            await channel.send("did it arrive?", nonce="n")

    assert [m.content for m in emulator.said_by_bot(general)] == ["did it arrive?"]


async def test_rate_limited_request_is_repeated() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())

        async with listening(emulator) as client:
            emulator.rate_limit_next(0.01, path="/messages")
            await client.get_partial_messageable(general.id).send("patience")

    assert [call.status for call in emulator.calls_to("POST", "/messages")] == [429, 200]


async def test_route_limit_counts_requests_of_one_channel() -> None:
    async with DiscordEmulator(ManualClock()) as emulator:
        guild = emulator.guild()
        rooms = [emulator.channel(guild, name) for name in ("a", "b")]
        emulator.limits.limit("POST", "/channels/{channel_id}/messages", requests=1, window=5)
        headers = {"Authorization": f"Bot {emulator.token}"}

        async with aiohttp.ClientSession(headers=headers) as session:
            statuses = []
            for room in (rooms[0], rooms[0], rooms[1]):
                url = f"{emulator.api_base}/channels/{room.id}/messages"
                async with session.post(url, json={"content": "hi"}) as response:
                    statuses.append(response.status)

    assert statuses == [200, 429, 200]


async def test_outage_is_a_page_of_html() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())

        async with listening(emulator) as client:
            emulator.outage(503)
            with pytest.raises(discord.DiscordServerError):
                await client.get_partial_messageable(general.id).send("hi")
            emulator.outage(None)
            await client.get_partial_messageable(general.id).send("hi again")

    assert [m.content for m in emulator.said_by_bot(general)] == ["hi again"]


NOBODY = discord.AllowedMentions.none()


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        pytest.param(None, {"everyone", "role", "user"}, id="no limit"),
        pytest.param(NOBODY, set(), id="nobody"),
        pytest.param(discord.AllowedMentions(everyone=False, roles=False, users=True), {"user"}, id="users only"),
    ],
)
async def test_pings_follow_allowed_mentions(allowed: discord.AllowedMentions | None, expected: set[str]) -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild(bot_permissions=Permission.MENTION_EVERYONE)
        general = emulator.channel(guild)
        cooks = emulator.role(guild, "cooks")
        ada = emulator.person("Ada", guild)

        async with listening(emulator) as client:
            channel = client.get_partial_messageable(general.id)
            text = f"@everyone {cooks.mention} {ada.mention}"
            await (channel.send(text) if allowed is None else channel.send(text, allowed_mentions=allowed))

    names = {name.split(":")[0] for name in emulator.said_by_bot(general)[0].pinged}
    assert names == expected


async def test_everyone_needs_the_permission() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())

        async with listening(emulator) as client:
            await client.get_partial_messageable(general.id).send("@everyone")

    assert emulator.said_by_bot(general)[0].pinged == frozenset()


async def test_history_is_read_after_a_message() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        said = [emulator.member_says(general, ada, f"line {n}") for n in range(5)]

        async with listening(emulator) as client:
            channel = client.get_partial_messageable(general.id)
            after = [m.content async for m in channel.history(after=discord.Object(said[2].id))]
            latest = [m.content async for m in channel.history(limit=2)]

    assert after == ["line 3", "line 4"]
    assert latest == ["line 4", "line 3"]


async def test_edit_is_heard() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada: User = emulator.person("Ada", guild)

        async with listening(emulator) as client:
            message = emulator.member_says(general, ada, "teh")
            emulator.member_edits(message, "the")
            event = await client.edited.get()

    assert event.message.content == "the"


async def test_uploaded_file_arrives() -> None:
    async with DiscordEmulator() as emulator:
        general = emulator.channel(emulator.guild())

        async with listening(emulator) as client:
            path = __file__
            await client.get_partial_messageable(general.id).send("look", file=discord.File(path))

    assert emulator.said_by_bot(general)[0].attachments[0].filename == "test_discord_messages.py"
