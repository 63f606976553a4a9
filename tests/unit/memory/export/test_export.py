"""What an operator gets of a person, a conversation and a server."""

import json
from dataclasses import replace

from bot.domain.chat import ConversationKey
from bot.domain.message import MessageState, Person
from bot.domain.persona import Personas
from bot.domain.privacy import Hidden
from bot.memory.export.export import Export, Exporter
from bot.memory.export.gather import Wanted, talk_in
from bot.memory.export.written import Written
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_memory, a_persona, a_scope, incoming

IRIS = Personas({"iris": a_persona()}, "iris")
OTHER = replace(GROUP, space_id="elsewhere")


async def said(store: SqlStore, *lines: tuple[str, Person, ConversationKey]) -> None:
    """Store lines."""
    async with store.write() as tx:
        for text, author, place in lines:
            await tx.messages.record(incoming(text, message_id=text, author=author, conversation=place), MessageState.DONE)


async def remembered(store: SqlStore, *texts: str) -> None:
    """Store memories of the group that Ada told."""
    async with store.write() as tx:
        for text in texts:
            number = await tx.memories.reserve_number(a_scope(GROUP))
            await tx.memories.add(replace(a_memory(text, number=number, scope=a_scope(GROUP))))


def texts_of(export: Export) -> list[str]:
    """Return all that was said, and all that is remembered."""
    lines = [message.text for talk in export.talks for message in talk.messages]
    return [*lines, *(memory.text for known in export.knowledge for memory in known.memories)]


async def test_a_person_is_found_everywhere_with_their_part_of_groups(store: SqlStore) -> None:
    await said(store, ("direct", ADA, DIRECT), ("mine", ADA, GROUP), ("theirs", BO, GROUP), ("other", BO, OTHER))
    await remembered(store, "likes tea")

    async with store.read() as tx:
        export = await Exporter(tx, IRIS, START).person("discord", "ada")

    assert sorted(texts_of(export)) == ["direct", "likes tea", "mine"]


async def test_a_conversation_and_a_server_come_whole_and_alone(store: SqlStore) -> None:
    beside = replace(GROUP, discussion="dragons")
    await said(store, ("direct", ADA, DIRECT), ("mine", ADA, GROUP), ("theirs", BO, GROUP), ("other", BO, OTHER), ("beside", BO, beside))
    await remembered(store, "likes tea")

    async with store.read() as tx:
        exporter = Exporter(tx, IRIS, START)
        conversation, space = await exporter.conversation(GROUP), await exporter.space("discord", "club")

    assert sorted(texts_of(conversation)) == sorted(texts_of(space)) == ["beside", "likes tea", "mine", "theirs"]


async def test_whoever_opted_out_is_in_no_export_but_their_own(store: SqlStore) -> None:
    await said(store, ("mine", ADA, GROUP), ("theirs", BO, GROUP))
    await remembered(store, "likes tea")
    async with store.write() as tx:
        await tx.people.opt_out("discord", "ada", START)

    async with store.read() as tx:
        assert texts_of(await Exporter(tx, IRIS, START).conversation(GROUP)) == ["theirs"]
        own = await Exporter(tx, IRIS, START).person("discord", "ada")
        talk = await talk_in(tx, GROUP, Wanted(asker_id="ada"), summaries=False)
        assert await tx.people.hidden(a_scope(GROUP).audience) == Hidden()

    assert own.opted_out
    assert texts_of(own) == ["mine", "likes tea"]
    assert [message.text for message in talk.messages] == ["mine", "theirs"]


async def test_a_servers_export_tells_the_personas_it_has_made_its_own(store: SqlStore) -> None:
    rose = replace(a_persona("rose", name="Rose"), greetings=("Ahoy!",))
    async with store.write() as tx:
        await tx.personas.put(GROUP, a_scope(GROUP).audience, rose, by=ADA, at=START, reason="made")
        export = await Exporter(tx, IRIS, START).space(GROUP.platform, GROUP.space_id)

    written = Written(export)
    assert export.personas == [rose]
    assert '"greetings": ["Good day.", "Ahoy!"]' in json.dumps(written.data())
    assert "- Rose (rose): You are calm." in written.page()
