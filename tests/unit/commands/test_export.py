"""What people get when they ask for all that is kept."""

import io
import json
import re
from zipfile import ZipFile

from bot.commands import export as module
from bot.commands import privacy_texts as texts
from bot.domain.command import Answer
from bot.domain.message import Person
from bot.domain.tool import JsonValue
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import ADA, BO, GROUP, incoming
from bot.testing.scripted_model import ScriptedModel

_RANDOM_ID = re.compile(rb"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""A memory's id: drawn at random, it tells nothing of anybody."""


def read(answer: Answer) -> tuple[str, JsonValue]:
    """Return the page and the data of an export."""
    assert answer.private
    assert answer.file is not None
    with ZipFile(io.BytesIO(answer.file.content)) as archive:
        assert archive.testzip() is None
        return archive.read("export.md").decode(), json.loads(archive.read("export.json"))


async def remember(bot: Bot, text: str, *, asker: Person = ADA, in_group: bool = True) -> None:
    """Let somebody add a memory."""
    answer = await (bot.command(f"memory add {text}", asker=asker, conversation=GROUP) if in_group else bot.command(f"memory add {text}"))
    assert answer.text.startswith("Remembered")


async def test_in_a_direct_chat_one_gets_everything_of_it() -> None:
    async with make_bot(ScriptedModel("Noted, Ada.")) as bot:
        await bot.say("I like *green* tea")
        await remember(bot, "Ada likes tea", in_group=False)

        answer = await bot.command("memory export")

        page, data = read(answer)
        assert answer.text == texts.exported(2, 1)
        assert answer.file is not None
        assert answer.file.name == f"baku-export-{bot.clock.now():%Y-%m-%d}.zip"
        for wanted in ("I like \\*green\\* tea", "Noted, Ada.", "Ada likes tea"):
            assert wanted in page
        assert all(wanted in json.dumps(data) for wanted in ("I like *green* tea", "Noted, Ada.", "Ada likes tea"))


async def test_in_a_group_one_gets_ones_own_part_alone() -> None:
    async with make_bot(ScriptedModel("For both.")) as bot:
        await bot.say("Ada was here", conversation=GROUP, addressed=False)
        await bot.say("Bo was here", author=BO, conversation=GROUP)
        await remember(bot, "Bo likes tea", asker=BO)
        await remember(bot, "Ada likes milk")

        page, data = read(await bot.command("privacy export", conversation=GROUP))

        for text in (page, json.dumps(data)):
            assert "Ada was here" in text
            assert "Ada likes milk" in text
            assert "Bo" not in text
            assert "For both." not in text


async def test_an_export_is_the_same_byte_by_byte_whatever_others_say_elsewhere() -> None:
    async def exported(*, with_others: bool) -> dict[str, bytes]:
        async with make_bot(ScriptedModel(*["Yes."] * 3)) as bot:
            if with_others:
                await bot.say("Mine", author=BO, conversation=GROUP)
                await remember(bot, "Bo likes secrets", asker=BO)
            await bot.receive(incoming("I like tea", message_id="1"))
            await bot.settled()
            await remember(bot, "Ada likes tea", in_group=False)
            answer = await bot.command("memory export")
            assert answer.file is not None
            archive = ZipFile(io.BytesIO(answer.file.content))
            return {name: _RANDOM_ID.sub(b"id", archive.read(name)) for name in archive.namelist()}

    assert await exported(with_others=True) == await exported(with_others=False)


async def test_admins_get_their_server_and_others_do_not() -> None:
    async with make_bot(ScriptedModel("Hello Bo.")) as bot:
        await bot.say("Bo was here", author=BO, conversation=GROUP)
        await bot.say("private", author=ADA)
        await remember(bot, "Bo likes tea", asker=BO)

        page, data = read(await bot.command("memory export server", conversation=GROUP, admin=True))
        refused = await bot.command("memory export server", conversation=GROUP)

        assert refused.file is None
        assert "Only admins" in refused.text
        assert all(wanted in page for wanted in ("Bo was here", "Hello Bo.", "Bo likes tea"))
        assert "private" not in json.dumps(data)


async def test_words_of_somebody_who_opted_out_are_in_their_own_export_only() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.say("Ada was here", conversation=GROUP, addressed=False)
        await bot.settled()
        await bot.command("privacy optout")

        own, data = read(await bot.command("memory export", conversation=GROUP))
        whole, _ = read(await bot.command("memory export server", asker=BO, conversation=GROUP, admin=True))

        assert "Ada was here" in own
        assert "You opted out" in own
        assert isinstance(data, dict)
        assert data["opted_out"] is True
        assert "Ada" not in whole


async def test_what_no_chat_takes_is_refused_with_a_way_out() -> None:
    assert "baku memory export" in texts.too_large(module.MOST_BYTES)
