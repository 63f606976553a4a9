"""What of a conversation stands in a prompt: A01 to A03 and A08 to A12."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from bot.domain.entity import EntityKind
from bot.domain.memory import Recall
from bot.domain.message import Role, StoredMessage
from bot.domain.model import ChatRequest
from bot.domain.past import Chunk, ChunkState, CorpusKey, Document, EntityFacts, Excerpt, PastRecall, RollingSummary
from bot.domain.persona import MemoryPolicy, Persona
from bot.domain.steps import Steps
from bot.llm.embedders.hashing import HashingEmbedder
from bot.llm.tokens import BpeTokens
from bot.memory.reading.excerpts import Excerpts, Found
from bot.memory.search.ranking import Hit
from bot.prompt.builder import Material, PromptBuilder
from bot.prompt.history import CUT, last_fitting, last_messages
from bot.storage.store import SqlStore
from bot.testing.bot import Bot, make_bot
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import ADA, DIRECT, a_persona, a_scope, a_turn, stored
from bot.testing.scripted_model import ScriptedModel
from bot.testing.tokens import WordTokens
from tests.conformance.past_stage import WordsAndAThird, index

TURNS = CorpusKey(DIRECT)
HEADINGS = ("<summary>", "<recent_summaries>", "<entities>", "<relevant_past>", "<structured_memories>", "<recalled>", "<memories>")


def said(count: int, *, words: int = 1) -> Sequence[StoredMessage]:
    return [stored(" ".join([f"word{row}"] * words), row=row) for row in range(1, count + 1)]


def forgetful(*, history_messages: int = 100, history_hours: float = 0.0) -> Persona:
    """Return a persona whose history is short, and of whose talks no model writes anything."""
    policy = MemoryPolicy(history_messages=history_messages, history_hours=history_hours)
    return replace(a_persona(), memory=policy, steps=Steps(writers=()))


def lines_of(request: ChatRequest) -> list[str]:
    return [message.text for message in request.messages if message.role is not Role.SYSTEM]


def test_a01_buffer_holds_the_last_messages_in_order() -> None:
    assert [message.id for message in last_messages(said(12), 10)] == list(range(3, 13))
    assert list(last_messages([], 10)) == []


async def test_a01_prompt_holds_no_more_messages_than_the_policy_says() -> None:
    model = ScriptedModel(*["Yes."] * 12)

    async with make_bot(model, personas=[forgetful(history_messages=10)]) as bot:
        for number in range(12):
            await bot.say(f"line {number}")

    assert max(len(lines_of(prompt)) for prompt in model.prompts) == 10 + 1
    assert all(lines_of(prompt)[-2:-1] in ([], ["Yes."]) for prompt in model.prompts)


def test_a02_oldest_messages_are_dropped_until_the_rest_fits() -> None:
    kept = last_fitting(said(20, words=100), 2000, WordsAndAThird(), line_tokens=0)

    assert [message.id for message in kept] == list(range(6, 21))
    assert len(last_fitting(said(2, words=5000), 2000, WordsAndAThird(), line_tokens=0)) == 1


def test_a03_message_that_is_too_large_is_cut_with_a_mark() -> None:
    tokens, text = BpeTokens(), "昨日は港へ行って漁船が帰ってくるのを見ました" * 230
    builder = PromptBuilder(tokens, 3000)

    prompt = builder.build(Material(a_turn(stored(text[:5000])), Recall(), ()))

    assert tokens.count(text[:5000]) >= 2500
    assert prompt.counted + 1024 <= 3000
    assert prompt.request.messages[-1].text.endswith(CUT)


async def test_a08_nearest_come_first_and_nothing_is_no_error(store: SqlStore) -> None:
    embedder = HashingEmbedder()
    texts = ["a red lamp", "a red lamp shade", "red wine", "the old lamp", "a cat", "snow in May"]
    async with store.write() as tx:
        empty = await tx.corpora.likenesses(TURNS, await embedder.queries(["lamp"]), embedder=embedder.name)
        await tx.corpora.add(TURNS, [Document(row, text, ADA, START) for row, text in enumerate(texts, 1)])
        await tx.corpora.put_vectors(TURNS, embedder.name, range(1, 7), await embedder.passages(texts))

    async with store.read() as tx:
        near = (await tx.corpora.likenesses(TURNS, await embedder.queries(["a red lamp"]), embedder=embedder.name)).cosines
        zero = (await tx.corpora.likenesses(TURNS, np.zeros((1, embedder.size), np.float32), embedder=embedder.name)).cosines

    best = np.argsort(-near)[:5]
    assert empty.cosines.size == 0
    assert best[0] == 0
    assert near[0] == pytest.approx(1.0, abs=1e-6)
    assert list(near[best]) == sorted(near[best], reverse=True)
    assert not np.isnan(zero).any()


def test_a09_result_that_does_not_fit_is_skipped_and_shuts_out_none_behind_it() -> None:
    sizes = {1: 200, 2: 250, 3: 100, 4: 50}
    messages = {
        place: replace(stored(f"word{place} " * size, row=place), sent_at=START + timedelta(days=place)) for place, size in sizes.items()
    }
    excerpts = Excerpts(messages, WordsAndAThird(), 500)

    taken = [excerpts.take(Found(Hit(place, 1 - place / 10, "words"), place, ())) for place in sizes]

    shown = [message for excerpt in excerpts.all() for message in excerpt.messages]
    assert taken == [True, False, True, True]
    assert sum(WordsAndAThird().count(message.text) for message in shown) == 455


async def test_a10_question_that_has_to_do_with_nothing_brings_nothing_and_no_heading(store_url: str) -> None:
    model = ScriptedModel(*["Yes."] * 8)

    async with make_bot(model, database=store_url, personas=[forgetful(history_messages=2)]) as bot:
        for text in ("The harbour was cold yesterday", "My bicycle is green", "Rice for dinner", "so", "well", "hm"):
            await bot.say(text)
            await index(bot)
        await bot.say("Which planets have rings?")

    assert [heading for heading in HEADINGS if heading in model.prompts[-1].text.replace("<summary> and <recent_summaries>", "")] == [
        "<relevant_past>"
    ]
    assert "<relevant_past>\n" not in model.prompts[-1].text


async def test_what_lies_before_the_history_comes_back_with_its_answer_and_says_why(store_url: str) -> None:
    model = ScriptedModel("Yes, a green one!", *["Yes."] * 8)

    async with make_bot(model, database=store_url, personas=[forgetful(history_messages=2)]) as bot:
        for text in ("Should I buy a green bicycle?", "Rice for dinner", "so", "well", "hm"):
            await bot.say(text)
            await index(bot)
        await bot.say("What colour is my bicycle?")
        async with bot.store.read() as tx:
            notes = await tx.messages.recalled_past(DIRECT)

    now = model.prompts[-1].messages[-2].text
    assert "] Ada: Should I buy a green bicycle?" in now
    assert "] you (Iris): Yes, a green one!" in now
    assert [(note.kind, note.id) for note in notes] == [("turns", 1)]
    assert notes[0].reason


def test_a11_prompt_goes_from_what_stays_to_what_changes_and_the_question_stands_once_at_its_end() -> None:
    buffer = said(4)
    past = PastRecall(
        summary="They met in spring.",
        entities=(EntityFacts("Paris", EntityKind.PLACE, 1, ("Paris is rainy.",)),),
        excerpts=(Excerpt((stored("I bought a lamp."),), 1, 1.0, "words"),),
    )
    turn = a_turn(stored("current question", row=9))
    later = replace(turn, started_at=START + timedelta(hours=5))
    builder = PromptBuilder(WordTokens(), 8000)

    request = builder.build(Material(turn, Recall(), buffer, past=past)).request
    other = builder.build(Material(later, Recall(), buffer, past=PastRecall(summary=past.summary))).request

    places = [request.text.index(text) for text in ("They met in spring.", "Paris is rainy.", "I bought a lamp.")]
    assert places == sorted(places)
    assert lines_of(request) == [*(message.text for message in buffer), "current question"]
    assert request.messages[-1].text == "current question"
    assert request.text.count("current question") == 1
    assert request.messages[:5] == other.messages[:5]
    assert "<entities>" not in other.text
    assert "<relevant_past>\n" not in other.text


async def remember(bot: Bot) -> None:
    """Give the conversation a summary and something that can be found."""
    await index(bot)
    async with bot.store.write() as tx:
        await tx.pasts.plan(DIRECT, [Chunk(0, DIRECT, 0, 1, 1, 1, START, START, "Ada told of Alice.", ChunkState.DONE)])
        await tx.pasts.add_summary(RollingSummary(DIRECT, 0, "Ada and Iris talk of Alice.", 1, START))


@pytest.mark.parametrize(("hours", "kept"), [pytest.param(23, True, id="23 h"), pytest.param(25, False, id="25 h")])
async def test_a12_history_begins_anew_after_a_silence_and_all_else_stays(store_url: str, hours: int, kept: bool) -> None:
    clock, persona = FrozenClock(), forgetful(history_hours=24)
    async with make_bot(ScriptedModel("Oh, Alice!"), database=store_url, personas=[persona], clock=clock) as bot:
        await bot.say("Yesterday I met Alice Moreau in Paris.")
        await bot.settled()
        await remember(bot)

    model = ScriptedModel("Hello.", "In Paris.")
    async with make_bot(model, database=store_url, personas=[persona], clock=clock) as bot:
        clock.move(seconds=hours * 3600)
        await bot.say("hello again")
        await bot.say("Where did I meet Alice Moreau?")
        await bot.settled()
        async with bot.store.read() as tx:
            mentions = await tx.entities.mentions(a_scope(DIRECT).audience, "alice moreau", limit=5)

    first, second = (prompt.messages for prompt in model.prompts)
    met = "Yesterday I met Alice Moreau in Paris."
    assert (met in lines_of(model.prompts[0])) is kept
    assert (met in lines_of(model.prompts[1])) is kept
    assert ("Ada and Iris talk of Alice." in first[0].text) is not kept
    assert (f"] Ada: {met}" in second[-2].text) is not kept
    assert "- Alice Moreau (PERSON): " in second[-2].text
    assert len(mentions) == 2


async def test_a12_two_workers_that_save_at_once_lose_nothing(store_url: str) -> None:
    async with (
        make_bot(ScriptedModel("One."), database=store_url) as one,
        make_bot(ScriptedModel("Two."), database=store_url) as other,
    ):
        await asyncio.gather(one.say("first"), other.say("second"))
        async with one.store.read() as tx:
            texts = {message.text for message in await tx.messages.history(DIRECT, limit=10)}

    assert {"first", "second"} < texts
    assert texts & {"One.", "Two."}
