"""What a model forgets is brought back by no search, and no message is lost by it."""

from bot.domain.erasing import OneMemory
from bot.domain.memory import EditOrigin, Forget
from bot.domain.past import CorpusKey, CorpusKind
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import MemoryEditor
from bot.memory.erasing.engine import Eraser
from bot.memory.erasing.unsearched import leave_unfound
from bot.storage.store import SqlStore
from bot.testing.bot import make_bot
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import GROUP, a_scope
from bot.testing.scripted_model import ScriptedModel
from tests.conformance.memory_tool import update
from tests.scenario.forgetting_stage import SECRET, ZOE, fill

SCOPE = a_scope(GROUP, ZOE)
WORDS = frozenset({SECRET})


async def test_search_finds_neither_the_words_nor_what_was_made_of_them_and_the_messages_stay(store: SqlStore) -> None:
    await fill(store)
    async with store.write() as tx:
        said = await tx.messages.page(GROUP, limit=9)
        memory = await tx.memories.get(SCOPE, 1)
        assert memory is not None
        assert await leave_unfound(tx, memory)
        await MemoryEditor(tx, SCOPE, MemoryPolicy(), START).apply(Forget(1), EditOrigin("persona:iris", "said", ZOE))

    async with store.read() as tx:
        found = [await tx.corpora.postings(CorpusKey(GROUP, kind), WORDS) for kind in CorpusKind]
        assert await tx.pasts.structured_page(GROUP, 0, limit=9) == []
        assert await tx.messages.page(GROUP, limit=9) == said
        assert len((await tx.corpora.documents(CorpusKey(GROUP))).ids)
    assert not any(found)


async def test_a_memory_that_rests_on_nothing_here_leaves_search_as_it_is(store: SqlStore) -> None:
    await fill(store)
    async with store.read() as tx:
        memory = await tx.memories.get(SCOPE, 1)
        assert memory is not None
    await Eraser(store, FrozenClock()).erase(OneMemory(SCOPE, 1))

    async with store.write() as tx:
        assert not await leave_unfound(tx, memory)


async def test_whoever_asked_is_told_that_the_words_stay() -> None:
    model = ScriptedModel(update(0, "Ada likes tea"), "Noted.", update(1, ""), "Forgotten.")
    async with make_bot(model) as bot:
        await bot.say("I like tea")
        await bot.say("Forget that I like tea, please")

        assert await bot.memories() == []

    assert bot.replies[0] == "Noted."
    assert bot.replies[1].startswith("Forgotten.\n\n(I no longer remember that.")
