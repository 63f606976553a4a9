"""`/forget`: who may erase what, that it asks first, and what it tells."""

from dataclasses import replace

import pytest

from bot.commands.desk import CommandDesk
from bot.commands.forget import forget_commands
from bot.commands.memory import memory_commands
from bot.domain.chat import ConversationKey
from bot.domain.command import Confirmation
from bot.domain.message import MessageState, Person
from bot.domain.persona import Personas
from bot.queueing.inprocess import InProcessQueue
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_persona, a_scope, incoming
from tests.unit.commands.conftest import Begun, Typist

KITCHEN = ConversationKey("discord", "club", "kitchen")
CHANNEL = Person("channel", "News", is_service=True)


@pytest.fixture
def typist(store: SqlStore) -> Typist:
    """Return somebody who types the commands that erase."""
    clock, persona = FrozenClock(), a_persona()
    queue = InProcessQueue(clock)
    personas = Personas({persona.id: persona}, persona.id)
    commands = (*forget_commands(store, clock, queue), *memory_commands(store, personas, clock, queue))
    return Typist(store, CommandDesk(commands), clock, Begun())


async def say(store: SqlStore, text: str, *, author: Person = ADA, here: ConversationKey = GROUP) -> None:
    """Let somebody say something."""
    async with store.write() as tx:
        assert await tx.messages.record(incoming(text, message_id=text, author=author, conversation=here), MessageState.HEARD)


async def said(store: SqlStore, *places: ConversationKey) -> list[str]:
    """Return what is kept of places."""
    async with store.read() as tx:
        return [message.text for place in places for message in await tx.messages.page(place, limit=99)]


@pytest.mark.parametrize("line", ["forget me", "forget conversation", "forget server"])
async def test_it_asks_first_and_erases_nothing_yet(typist: Typist, line: str) -> None:
    await say(typist.store, "hello")

    answer = await typist.type(line, conversation=GROUP, admin=True)

    assert answer.private
    assert answer.confirmation == Confirmation("Erase it all", line)
    assert "cannot be undone" in answer.text
    assert await said(typist.store, GROUP) == ["hello"]


async def test_me_takes_the_askers_words_here_and_nobody_elses(typist: Typist) -> None:
    await say(typist.store, "adas")
    await say(typist.store, "bos", author=BO)
    await say(typist.store, "adas kitchen", here=KITCHEN)

    answer = await typist.type("forget me", conversation=GROUP, confirmed=True)

    assert await said(typist.store, GROUP, KITCHEN) == ["bos", "adas kitchen"]
    assert "- 1 message" in answer.text
    assert "What I cannot erase" in answer.text


async def test_me_in_a_direct_chat_goes_everywhere_on_the_platform(typist: Typist) -> None:
    await say(typist.store, "adas")
    await say(typist.store, "adas kitchen", here=KITCHEN)
    await say(typist.store, "private", here=DIRECT)
    await say(typist.store, "elsewhere", here=ConversationKey("telegram", "-1", "-1"))

    await typist.type("forget me", confirmed=True)

    assert await said(typist.store, GROUP, KITCHEN, DIRECT, ConversationKey("telegram", "-1", "-1")) == ["elsewhere"]


async def test_a_conversation_and_a_server_are_for_admins(typist: Typist) -> None:
    await say(typist.store, "hello")

    for line in ("forget conversation", "forget server"):
        assert "Only admins" in (await typist.type(line, conversation=GROUP, confirmed=True)).text
    assert await said(typist.store, GROUP) == ["hello"]


async def test_a_server_goes_with_all_its_places(typist: Typist) -> None:
    await say(typist.store, "hello", author=BO)
    await say(typist.store, "hello kitchen", here=KITCHEN)

    await typist.type("forget server", conversation=GROUP, admin=True, confirmed=True)

    assert await said(typist.store, GROUP, KITCHEN) == []


async def test_a_conversation_leaves_the_others_of_the_server(typist: Typist) -> None:
    await say(typist.store, "hello", author=BO)
    await say(typist.store, "hello kitchen", here=KITCHEN)

    await typist.type("forget conversation", conversation=GROUP, admin=True, confirmed=True)

    assert await said(typist.store, GROUP, KITCHEN) == ["hello kitchen"]


async def test_a_direct_chat_is_no_server(typist: Typist) -> None:
    assert "no server" in (await typist.type("forget server", confirmed=True)).text


async def test_whoever_writes_as_nobody_erases_nobody(typist: Typist) -> None:
    await say(typist.store, "news", author=CHANNEL)

    answer = await typist.type("forget me", asker=CHANNEL, conversation=GROUP, confirmed=True)

    assert "anonymously" in answer.text
    assert await said(typist.store, GROUP) == ["news"]


async def test_a_memory_that_somebody_else_told_goes_and_their_message_stays(typist: Typist) -> None:
    await say(typist.store, "Ada bakes pies", author=BO)
    await typist.remember("Ada bakes pies", scope=a_scope(GROUP), author=BO, subject=ADA)

    answer = await typist.type("memory forget 1", conversation=GROUP, confirmed=True)

    assert "Somebody else had told me" in answer.text
    assert await typist.memories(a_scope(GROUP)) == []
    assert await said(typist.store, GROUP) == ["Ada bakes pies"]


async def test_a_memory_of_somebody_else_cannot_be_forgotten(typist: Typist) -> None:
    await typist.remember("Bo bakes pies", scope=a_scope(GROUP), author=BO, subject=BO)

    answer = await typist.type("memory forget 1", conversation=GROUP, confirmed=True)

    assert "no memory #1" in answer.text
    assert len(await typist.memories(a_scope(GROUP))) == 1


async def test_the_place_comes_from_the_event_alone(typist: Typist) -> None:
    discussion = replace(GROUP, discussion="tea")
    await say(typist.store, "in the channel")
    await say(typist.store, "over tea", here=discussion)

    await typist.type("forget me", conversation=discussion, confirmed=True)

    assert await said(typist.store, GROUP, discussion) == []
