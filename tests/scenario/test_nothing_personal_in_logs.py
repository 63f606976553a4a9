"""Whatever people say, are called and have remembered, and whatever goes wrong meanwhile, the log at its usual level holds none of it."""

import logging
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
import structlog
from sqlalchemy import text

from bot.cli.logs import configure_logging
from bot.config.core import LogLevel
from bot.domain.message import Attachment, MessageEdit, Person, Quote
from bot.domain.model import ChatRequest
from bot.domain.persona import MemoryPolicy
from bot.errors import DeliveryDelayed, DeliveryRefused, ModelRefused, ModelUnavailable, StoreError
from bot.memory.past.prompts import CHUNK_TASK, SUMMARY_TASK
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import GROUP, a_persona, a_scope, incoming
from bot.testing.scripted_model import ScriptedModel
from tests.migration.databases import connected

SAID, CALLED, TOLD, ANSWERED, FILED, CHANGED = "zirconium", "Quillfeather", "marzipan", "obsidian", "ledgerbook", "amberjack"
MARKED = (SAID, CALLED, TOLD, ANSWERED, FILED, CHANGED)
SHE = Person("771", f"Ada {CALLED}")
HE = Person("772", f"Bo {CALLED}")


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """Give all lines that are logged at the usual level, as an operator's log has them."""
    root = logging.getLogger()
    before, level, hook, structured = root.handlers[:], root.level, sys.excepthook, structlog.get_config()
    written: list[str] = []
    configure_logging(LogLevel.INFO, write=written.append)
    yield written
    sys.excepthook, root.handlers[:] = hook, before
    root.setLevel(level)
    structlog.configure(**structured)


def answer(request: ChatRequest) -> str:
    """Answer whatever is asked, by a chat, the background or a dream."""
    text = request.messages[-1].text + request.messages[0].text
    if CHUNK_TASK in text or SUMMARY_TASK in text:
        return f"They spoke of {SAID}."
    return f'{ANSWERED} <mem_new>{CALLED} likes {SAID}</mem_new> <mem_edit id="1">broken {SAID}'


async def talk(bot: Bot) -> None:
    """Hold a conversation in which much happens."""
    for number in range(8):
        await bot.say(f"{SAID} number {number}. I live in {TOLD}. My cat is called {CALLED}.", author=SHE, conversation=GROUP)
        await bot.say(f"I like {SAID}, too", author=HE, conversation=GROUP, addressed=False)
    file = Attachment(f"{FILED}.txt", "text/plain", 9, f"https://example.org/{FILED}", FILED)
    message = incoming(f"Look: {SAID} #", message_id="file", author=SHE, conversation=GROUP)
    await bot.receive(replace(message, attachments=(file,), quote=Quote("0", HE, TOLD)))
    await bot.receive(replace(message, attachments=(file,)))
    await bot.app.inbox.edit(MessageEdit(GROUP, "file", CHANGED))
    await bot.say(f"<conversation>{TOLD}</conversation> and <conversation>", author=SHE, conversation=GROUP)
    await bot.settled()


async def command(bot: Bot) -> None:
    """Give commands, right and wrong ones."""
    typed = (f"memory add I like {TOLD}", "memory list", "memory export", "privacy", f"memory search {SAID}", f"memory about {CALLED}")
    for line in (*typed, f"dance {SAID}", f"persona show {SAID}", "memory why", "summary show", "dream now"):
        await bot.command(line, asker=SHE, conversation=GROUP, admin=True)
    await bot.command("privacy optout", asker=HE, conversation=GROUP)
    await bot.say(f"{SAID} from somebody who is out", author=HE, conversation=GROUP)
    await bot.command("forget me", asker=HE, conversation=GROUP, confirmed=True)


async def go_wrong(bot: Bot) -> None:
    """Let the platform refuse and delay answers."""
    bot.platform.faults += [DeliveryDelayed("later", retry_after=1.0)]
    await bot.say(f"{SAID} delayed", author=SHE, conversation=GROUP)
    bot.platform.faults += [DeliveryRefused("no")]
    await bot.say(f"{SAID} refused", author=SHE, conversation=GROUP)
    await bot.settled()


async def test_a_whole_life_leaves_nothing_personal_in_the_log(lines: list[str]) -> None:
    persona = replace(a_persona(), memory=MemoryPolicy(chunk_messages=4, chunk_lookback=1, summary_after=1, dream_hours=0))
    async with make_bot(ScriptedModel(*[answer] * 200, takes_tools=False), personas=[persona]) as bot:
        await talk(bot)
        await command(bot)
        await go_wrong(bot)
        await bot.app.retention.remove_old()
        assert await bot.memories_of(a_scope(GROUP))

    events = " ".join(lines)
    happened = (
        "message_recorded",
        "chunks_planned",
        "chunk_not_read",
        "dreamt",
        "command_answered",
        "erased",
        "reply_delayed",
        "reply_refused",
    )
    assert [event for event in happened if f'"{event}"' not in events] == []
    assert [(word, line) for line in lines for word in MARKED if word in line] == []


@pytest.mark.parametrize("problem", [ModelUnavailable("out of order"), ModelRefused("no such model"), RuntimeError("broken")])
async def test_a_model_that_fails_leaves_nothing_personal_in_the_log(lines: list[str], problem: Exception) -> None:
    async with make_bot(ScriptedModel(*[problem] * 200)) as bot:
        await bot.say(f"{SAID} and {TOLD}", author=SHE, conversation=GROUP)
        await bot.settled()

    assert lines
    assert [(word, line) for line in lines for word in MARKED if word in line] == []


async def test_a_database_that_fails_leaves_nothing_personal_in_the_log(lines: list[str], database_url: str) -> None:
    async with make_bot(ScriptedModel(), database=database_url) as bot:
        rename(database_url, memories="gone", messages="away")
        with pytest.raises(StoreError) as told:
            await bot.app.inbox.receive(incoming(SAID, author=SHE, conversation=GROUP))
        await bot.command(f"memory add {TOLD}", asker=SHE, conversation=GROUP)
        rename(database_url, gone="memories", away="messages")

    assert "command_without_store" in " ".join(lines)
    assert [(word, line) for line in (*lines, str(told.value)) for word in MARKED if word in line] == []


def rename(url: str, **tables: str) -> None:
    """Take tables away from a bot that runs, or give them back."""
    with connected(url) as connection:
        for name, other in tables.items():
            connection.execute(text(f"ALTER TABLE {name} RENAME TO {other}"))
