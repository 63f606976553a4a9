"""B31: what was deleted is found by no path: not by its row, its words, its vector, its names or what was summed up of it."""

import numpy as np
import pytest

from bot.domain.entity import name_key
from bot.domain.erasing import DeletedMessages, ErasureTarget, OneMemory, OnePerson
from bot.domain.past import CorpusKey, CorpusKind
from bot.domain.terms import terms
from bot.memory.erasing.engine import Eraser
from bot.storage.store import SqlStore
from bot.testing.bot import make_bot
from bot.testing.clock import FrozenClock
from bot.testing.factories import GROUP, a_scope
from bot.testing.scripted_model import ScriptedModel
from tests.scenario.forgetting_stage import SECRET, ZOE, fill, found_in

SCOPE = a_scope(GROUP, ZOE)


@pytest.mark.parametrize(
    "target",
    [
        pytest.param(OneMemory(SCOPE, 1, ZOE.id), id="a memory"),
        pytest.param(DeletedMessages(GROUP, ("m1",)), id="a message"),
        pytest.param(OnePerson("discord", ZOE.id, GROUP), id="a person"),
    ],
)
async def test_b31_words_close_to_it_find_nothing(store: SqlStore, target: ErasureTarget) -> None:
    await fill(store)
    turns, structured = CorpusKey(GROUP), CorpusKey(GROUP, CorpusKind.STRUCTURED)
    query = np.eye(1, 8, dtype=np.float32)
    async with store.read() as tx:
        assert (await tx.corpora.likenesses(turns, query, embedder="e")).cosines.max() > 0.9
        assert await tx.corpora.postings(structured, terms(SECRET))

    await Eraser(store, FrozenClock()).erase(target)

    async with store.read() as tx:
        for key in (turns, structured):
            assert not await tx.corpora.postings(key, terms(SECRET))
            likenesses = await tx.corpora.likenesses(key, query, embedder="e")
            assert likenesses.cosines.size == 0 or likenesses.cosines.max() < 0.9
        assert not await tx.memories.search(SCOPE, f"{SECRET} pies", limit=9)
        assert not await tx.entities.known(SCOPE.audience, [name_key(SECRET)])
        assert not await tx.relations.about(SCOPE.audience, [name_key(SECRET)], depth=2, limit=9)
        assert await tx.pasts.summary(GROUP, 0) is None
        assert not [chunk for chunk in await tx.pasts.chunks(GROUP, 0, limit=9) if SECRET in chunk.summary]
        assert not await tx.pasts.structured_page(GROUP, 0, limit=9)
        assert not [said for said in await tx.messages.page(GROUP, limit=9) if SECRET in f"{said.text}{said.quote}"]
        assert not await tx.messages.recalled_past(GROUP)


async def test_b31_the_vector_of_the_message_after_it_is_made_anew(store: SqlStore) -> None:
    await fill(store)

    await Eraser(store, FrozenClock()).erase(DeletedMessages(GROUP, ("m1",)))

    async with store.read() as tx:
        after, _, last = await tx.messages.page(GROUP, limit=9)
        assert await tx.corpora.without_vectors(CorpusKey(GROUP), "e", limit=9) == [last.id, after.id]


async def test_b31_what_a_member_forgets_reaches_no_later_prompt(store_url: str) -> None:
    model = ScriptedModel(f"{SECRET}, how nice!<mem_new>Zoe bakes {SECRET} pies</mem_new>", "Hm.", takes_tools=False)
    async with make_bot(model, database=store_url) as bot:
        await bot.say(f"I bake {SECRET} pies", author=ZOE, conversation=GROUP)
        await bot.settled()
        assert len(await bot.memories(GROUP, ZOE)) == 1

        answer = await bot.command("memory forget 1", asker=ZOE, conversation=GROUP, confirmed=True)
        await bot.say(f"Which pies, {SECRET[:5]} ones?", author=ZOE, conversation=GROUP)

        assert "- 2 messages" in answer.text
        assert SECRET not in model.prompts[-1].text
        assert found_in(store_url, SECRET) == []
