"""What is said once about being remembered."""

from dataclasses import replace

import pytest

from bot.conversation.introduction import introduce
from bot.conversation.notices import notices
from bot.domain.chat import CONSOLE, console_conversation
from bot.domain.message import IncomingMessage
from bot.domain.turn import Turn
from bot.storage.store import SqlStore
from bot.testing.bot import a_world, running
from bot.testing.clock import START
from bot.testing.factories import BO, GROUP, a_persona, a_turn, incoming, stored
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel

ENGLISH, JAPANESE = notices("en"), notices("ja")


async def told(store: SqlStore, turn: Turn) -> list[str]:
    """Introduce a turn's persona, and return what stands in the outbox."""
    async with store.write() as tx:
        await introduce(tx, turn, START)
        return [entry.text for entry in await tx.outbox.unsent(turn.conversation)]


async def replies_to(*messages: IncomingMessage) -> list[str]:
    """Say messages one after the other and return all that is sent."""
    platform = RecordingPlatform()
    model = ScriptedModel(*(f"answer {number}" for number, _ in enumerate(messages, 1)))
    world = replace(a_world(model, [platform]), introduces=True)
    async with running(world) as app:
        await platform.connected.wait()
        for message in messages:
            await app.inbox.receive(message)
            await app.queue.idle()
        if len(messages) > 1:
            assert ENGLISH.first_contact not in model.prompts[-1].text
    return [sent.text for sent in platform.sent]


async def test_each_person_is_told_once_in_private_after_the_first_answer() -> None:
    said = await replies_to(incoming("hi", message_id="1"), incoming("hello", message_id="2"))

    assert said == ["answer 1", ENGLISH.first_contact, "answer 2"]


async def test_a_group_is_told_once_whoever_speaks() -> None:
    said = await replies_to(
        incoming("hi", message_id="1", conversation=GROUP),
        incoming("hello", message_id="2", author=BO, conversation=replace(GROUP, channel_id="other")),
    )

    assert said == ["answer 1", ENGLISH.first_contact, "answer 2"]


async def test_it_is_said_in_the_personas_language(store: SqlStore) -> None:
    turn = a_turn(persona=replace(a_persona(), language="ja-JP"))

    assert await told(store, turn) == [JAPANESE.first_contact]
    assert await told(store, turn) == [JAPANESE.first_contact]


async def test_nobody_is_told_in_the_terminal_or_where_nothing_is_remembered(store: SqlStore) -> None:
    forgetful = replace(a_persona(), memory=replace(a_persona().memory, enabled=False))

    assert await told(store, a_turn(stored("hi", conversation=console_conversation()))) == []
    assert await told(store, a_turn(persona=forgetful)) == []
    assert console_conversation().platform == CONSOLE


@pytest.mark.parametrize("language", ["en", "ja", "de", "es", "zh"])
def test_the_line_names_the_command(language: str) -> None:
    assert "`/privacy`" in notices(language).first_contact


async def test_a_server_that_is_erased_is_told_again(store: SqlStore) -> None:
    turn = a_turn(stored("hi", conversation=GROUP))
    await told(store, turn)

    async with store.write() as tx:
        await tx.erasures.take_space("discord", "club")

    assert await told(store, turn) == [ENGLISH.first_contact] * 2
