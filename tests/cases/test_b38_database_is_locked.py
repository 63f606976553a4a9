"""B38: ordinary chat while a nightly job writes, on one SQLite file."""

import asyncio
from uuid import uuid4

from structlog.testing import capture_logs

from bot.domain.chat import DISCORD, ConversationKey
from bot.domain.memory import Memory
from bot.domain.message import MessageState
from bot.storage.store import SqlStore
from bot.testing.bot import make_bot
from bot.testing.clock import START
from bot.testing.factories import ADA, a_scope, incoming
from bot.testing.scripted_model import ScriptedModel

CHANNELS = [ConversationKey(DISCORD, "club", f"channel{number}") for number in range(4)]
NIGHT = a_scope(persona_id="night")


async def work_at_night(url: str, batches: int) -> None:
    """Write 50 memories in each of some transactions, on connections of its own, as another program does."""
    store = SqlStore(url)
    await store.open()
    for _ in range(batches):
        async with store.write() as tx:
            for _ in range(50):
                number = await tx.memories.reserve_number(NIGHT)
                await tx.memories.add(Memory(uuid4(), NIGHT, number, f"dream number{number}", None, ADA, (), START, START))
    await store.close()


async def test_b38_twenty_messages_on_four_channels_while_a_job_writes(database_url: str) -> None:
    messages = [incoming(f"hello {number}", message_id=f"m{number}", conversation=CHANNELS[number % 4]) for number in range(20)]
    model = ScriptedModel(*["Hello."] * 20)

    with capture_logs() as logs:
        async with make_bot(model, database=database_url) as bot:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(work_at_night(database_url, batches=10))
                for message in messages:
                    tasks.create_task(bot.app.inbox.receive(message))
            await bot.quiet()
            async with bot.store.read() as tx:
                lines = [line for channel in CHANNELS for line in await tx.messages.history(channel, before=2**62, limit=99)]
                dreams = await tx.memories.page(NIGHT, limit=999)

    said = [line for line in lines if line.persona_id == ""]
    assert sorted(line.text for line in said) == sorted(message.text for message in messages)
    assert {line.state for line in said} == {MessageState.DONE}
    assert {reply.target.conversation for reply in bot.platform.sent} == set(CHANNELS)
    assert [dream.number for dream in dreams] == list(range(1, 501))
    assert [log for log in logs if log["log_level"] in {"warning", "error", "critical"}] == []
