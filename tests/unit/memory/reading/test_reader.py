from dataclasses import replace
from datetime import timedelta

from bot.domain.entity import EntityKind, EntityMention
from bot.domain.message import MessageState
from bot.domain.past import CorpusKind, PastBudget, PastRecall, StructuredMemory
from bot.domain.persona import MemoryPolicy
from bot.domain.steps import Step, StepKind, Steps
from bot.domain.turn import Turn
from bot.llm.embedders.hashing import HashingEmbedder
from bot.memory.past.index import add_structured
from bot.memory.reading.meaning import Meaning
from bot.memory.reading.reader import PastReader, past_notes_on
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import DIRECT, GROUP, a_persona, a_scope, stored
from bot.testing.tokens import WordTokens
from tests.conformance.past_stage import told

BUDGET = PastBudget(200, 200)


async def recalled(store: SqlStore, text: str, *, policy: MemoryPolicy | None = None, steps: Steps | None = None) -> PastRecall:
    """Return what comes back for a message that was said a day later, with nothing in the history."""
    persona = replace(a_persona(), memory=policy or MemoryPolicy(), steps=steps or Steps())
    said = replace(stored(text, row=1000, state=MessageState.WAITING), sent_at=START + timedelta(days=1))
    turn = Turn(persona, a_scope(), (said,), said.sent_at)
    reader = PastReader(store, WordTokens(), Meaning(HashingEmbedder()))
    return await reader.recall(turn, await reader.ask(turn), (), BUDGET)


def texts(past: PastRecall) -> list[str]:
    return [message.text for excerpt in past.excerpts for message in excerpt.messages]


async def test_what_is_asked_for_comes_back_and_says_why(store: SqlStore) -> None:
    rows = await told(store, "I bought a teapot in Kyoto", "the tram was late", "we had soup")

    past = await recalled(store, "Where did I buy the teapot?")

    assert texts(past) == ["I bought a teapot in Kyoto"]
    assert [(note.kind, note.id) for note in past_notes_on(past)] == [(CorpusKind.TURNS, rows[0].id)]
    assert all(note.reason for note in past_notes_on(past))


async def test_nothing_comes_back_of_another_conversation(store: SqlStore) -> None:
    await told(store, "I bought a teapot in Kyoto", conversation=GROUP)
    await told(store, "I bought a teapot in Kyoto", conversation=replace(DIRECT, discussion="trip"))

    assert await recalled(store, "Where did I buy the teapot?") == PastRecall()


async def test_structured_memory_comes_back_as_long_as_not_all_of_it_stands_in_the_history(store: SqlStore) -> None:
    memory = StructuredMemory(0, DIRECT, 0, "Teapot", "Ada bought a teapot in Kyoto.", ("Kyoto",), (), 1, 5, START)
    async with store.write() as tx:
        kept = await tx.pasts.add_structured([memory, replace(memory, first_row=2000, last_row=2001)])
        await add_structured(tx, DIRECT, kept)

    past = await recalled(store, "Where did I buy the teapot?")

    assert [hit.memory.id for hit in past.structured] == [kept[0].id]


async def test_what_is_known_of_a_name_comes_back_with_it_alone(store: SqlStore) -> None:
    first, second = [row.id for row in await told(store, "Alice moved to Paris.", "Paris is rainy.")]
    async with store.write() as tx:
        await tx.entities.add(a_scope().audience, first, [EntityMention("Paris", EntityKind.PLACE, "Alice moved to Paris.")])
        await tx.entities.add(a_scope().audience, first, [EntityMention("Alice", EntityKind.PERSON, "Alice moved to Paris.")])
        await tx.entities.add(a_scope().audience, second, [EntityMention("Paris", EntityKind.PLACE, "Paris is rainy.")])

    past = await recalled(store, "how is paris's weather?")

    assert [(facts.name, facts.mentions, facts.sentences[0]) for facts in past.entities] == [("Paris", 2, "Paris is rainy.")]


async def test_persona_without_a_past_reads_none(store: SqlStore) -> None:
    await told(store, "I bought a teapot in Kyoto")

    for policy in (MemoryPolicy(past=False), MemoryPolicy(enabled=False)):
        assert await recalled(store, "Where did I buy the teapot?", policy=policy) == PastRecall()
    assert texts(await recalled(store, "Where did I buy the teapot?", steps=Steps(readers=()))) == []


async def test_message_that_asks_nothing_brings_back_only_what_has_much_to_do_with_it(store: SqlStore) -> None:
    await told(store, "I bought a teapot and a lamp and three chairs for the balcony in Kyoto", "we had soup")

    assert texts(await recalled(store, "My lamp is broken, I shall read by candle light tonight")) == []
    assert len(texts(await recalled(store, "Where did I buy the lamp and the chairs?"))) == 1


async def test_reader_with_a_limit_brings_no_more_places(store: SqlStore) -> None:
    await told(store, *(f"teapot number {number} from town {number}" for number in range(8)))

    past = await recalled(store, "Which teapot did I buy?", steps=Steps(readers=(Step(StepKind.SEARCH, limit=2),)))

    assert len(past.excerpts) <= 2
