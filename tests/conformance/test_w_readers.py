"""What is read of a conversation's past before an answer: W01 to W03, W13 to W17, W20, W21 and W27, on both databases."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from bot.domain.chat import ConversationKey
from bot.domain.message import MessageEdit, MessageState, StoredMessage
from bot.domain.past import Chunk, ChunkState, PastBudget, PastRecall
from bot.domain.persona import MemoryPolicy, Persona, Timestamps
from bot.domain.steps import NOTHING_FOUND, Step, StepKind, Steps
from bot.domain.turn import Turn
from bot.errors import ModelUnavailable
from bot.llm.embedders.hashing import HashingEmbedder
from bot.memory.reading.keywords import Found, Wanted, found_text, keyword_search, recency_gain
from bot.memory.reading.meaning import Meaning
from bot.memory.reading.reader import PastReader
from bot.memory.reading.summaries import recent_chunks
from bot.memory.reading.update import UpdateFirst
from bot.ports.model import ChatModel
from bot.ports.store import Store
from bot.prompt.past import summed_up
from bot.storage.store import SqlStore
from bot.testing.bot import make_bot
from bot.testing.clock import START
from bot.testing.factories import BO, DIRECT, GROUP, a_persona, a_scope, incoming
from bot.testing.scribe import Asked, Scribe, asked_for
from bot.testing.scripted_model import ScriptedModel
from bot.testing.tokens import WordTokens
from tests.conformance.past_stage import index, told
from tests.unit.memory.past.stage import SMALL, Room

IN_TRIP = "[DiscussionId]trip-2[/DiscussionId]"


async def searched(store: Store, keywords: str, **options: bool) -> Sequence[Found]:
    step = Step(StepKind.SEARCH, keywords=keywords, recency=options.get("recency", False))
    async with store.read() as tx:
        return await keyword_search(tx, Wanted(DIRECT, step, START))


async def test_w01_message_with_a_tag_belongs_to_a_discussion_with_a_past_of_its_own(store_url: str) -> None:
    model = ScriptedModel("One.", "Two.", "Three.")

    async with make_bot(model, database=store_url) as bot:
        await bot.say(f"hi {IN_TRIP} there, the tent is packed")
        await bot.say("hi there")
        await bot.say(f"{IN_TRIP}and now?")
        async with bot.store.read() as tx:
            usual = await tx.messages.history(DIRECT, limit=10)
            trip = await tx.messages.history(replace(DIRECT, discussion="trip-2"), limit=10)

    assert bot.replies == ["One.", "Two.", "Three."]
    assert [message.text for message in trip] == ["hi there, the tent is packed", "One.", "and now?", "Three."]
    assert [message.text for message in usual] == ["hi there", "Two."]
    assert ["tent" in prompt.text for prompt in model.prompts] == [True, False, True]
    assert all("DiscussionId" not in prompt.text and "trip-2" not in prompt.text for prompt in model.prompts)


async def test_w01_group_of_which_a_discussion_is_part_shares_no_memory_with_it() -> None:
    model = ScriptedModel("Noted.<mem_new>Ada packs the tent.</mem_new>", "What tent?")

    async with make_bot(model) as bot:
        inbox = replace(bot.app.inbox, discussion_people=frozenset({"discord:ada"}))
        await inbox.receive(incoming(f"I pack the tent {IN_TRIP}", message_id="1", conversation=GROUP))
        await bot.quiet()
        await inbox.receive(incoming("what do I pack?", message_id="2", conversation=GROUP))
        await bot.quiet()

        kept = await bot.memories_of(a_scope(replace(GROUP, discussion="trip-2")))

    assert [memory.text for memory in kept] == ["Ada packs the tent."]
    assert "tent" not in model.prompts[1].text


@pytest.mark.parametrize("id_", ["../x", "a/b", "c:1", ""])
async def test_w02_id_that_is_none_is_ignored_with_a_warning_and_answered(id_: str) -> None:
    async with make_bot(ScriptedModel("Here.")) as bot:
        with capture_logs() as logs:
            await bot.say(f"hi [DiscussionId]{id_}[/DiscussionId]")
        async with bot.store.read() as tx:
            said = await tx.messages.history(DIRECT, limit=10)

    assert bot.replies == ["Here."]
    assert [message.text for message in said] == ["hi", "Here."]
    assert [log["event"] for log in logs if log["log_level"] == "warning"] == ["discussion_ignored"]


async def test_w03_nobody_reads_or_writes_the_discussion_of_another(store_url: str) -> None:
    model = ScriptedModel("One.", "Two.", "Three.")

    async with make_bot(model, database=store_url) as bot:
        inbox = replace(bot.app.inbox, discussion_people=frozenset({"discord:ada"}))
        await inbox.receive(incoming(f"the code is 4711 {IN_TRIP}", message_id="1", conversation=GROUP))
        await bot.quiet()
        await inbox.receive(incoming(f"{IN_TRIP} what is the code?", message_id="2", author=BO, conversation=GROUP))
        await bot.quiet()
        await bot.say(f"{IN_TRIP} what is the code?", author=BO)
        async with bot.store.read() as tx:
            trip = await tx.messages.history(replace(GROUP, discussion="trip-2"), limit=10)

    assert bot.replies == ["One.", "Two.", "Three."]
    assert all("4711" not in prompt.text for prompt in model.prompts[1:])
    assert len(trip) == 2


async def test_w13_any_of_the_keywords_will_do_the_best_first_and_five_at_most(store: SqlStore) -> None:
    await told(store, "Mochi sleeps", "a marathon in May", "Mochi ran a marathon", *(f"lunch {n}" for n in range(5)), *["Mochi!"] * 5)

    found = [hit.text for hit in await searched(store, "Mochi;marathon")]

    assert found[0] == "Mochi ran a marathon"
    assert len(found) == 5
    assert all("Mochi" in text or "marathon" in text for text in found)


async def test_w14_sixty_keywords_count_and_no_more(store: SqlStore) -> None:
    await told(store, "the zebra")
    unknown = [f"word{number}x" for number in range(60)]

    with capture_logs() as logs:
        assert await searched(store, ";".join([*unknown, "zebra"])) == []
    assert [log["event"] for log in logs] == ["keywords_ignored"]
    assert [hit.text for hit in await searched(store, ";".join([*unknown[:59], "zebra"]))] == ["the zebra"]


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        ("cats", "I have a cat"),
        ("running", "she runs"),
        ("cat*", "I have a cat"),
        ("AND", NOTHING_FOUND),
        ('"hi"', NOTHING_FOUND),
        ("", NOTHING_FOUND),
        (" ; ;", NOTHING_FOUND),
        ("NEAR(a, b) ' OR 1=1 --", NOTHING_FOUND),
    ],
)
async def test_w15_other_forms_are_found_and_nothing_typed_is_an_error(store: SqlStore, keywords: str, expected: str) -> None:
    await told(store, "I have a cat", "she runs")

    assert found_text(await searched(store, keywords), dates=False) == expected


@pytest.mark.parametrize("keyword", ["猫", "京都", "猫が好き"])
async def test_w16_japanese_is_found_by_any_part_of_it(store: SqlStore, keyword: str) -> None:
    await told(store, "ユーザーは猫が好きで京都に住んでいます", "天気がいいですね")

    assert [hit.text for hit in await searched(store, keyword)] == ["ユーザーは猫が好きで京都に住んでいます"]


async def test_w17_newer_of_two_equal_ones_comes_first_with_its_day(store: SqlStore) -> None:
    await told(store, "a lamp", at=START)
    await told(store, "a lamp", at=START - timedelta(days=365))

    found = await searched(store, "lamp", recency=True)

    assert found_text(found, dates=True) == "[2026-05-03] a lamp\n[2025-05-03] a lamp"
    assert found[0].score / found[1].score == pytest.approx(2.5 / 1.039, rel=1e-3)
    assert recency_gain(START, START) == 2.5
    assert recency_gain(START - timedelta(days=365), START) == pytest.approx(1.04, abs=0.005)


async def test_w20_last_chunk_summaries_are_read_oldest_first(store: SqlStore) -> None:
    async with store.write() as tx:
        assert await recent_chunks(tx, DIRECT, 3) == []
        chunks = [Chunk(0, DIRECT, 0, at, at, 1, START, START, f"s{at}", ChunkState.DONE) for at in range(1, 6)]
        await tx.pasts.plan(DIRECT, chunks)

        read = {count: await recent_chunks(tx, DIRECT, count) for count in (3, 0, -1)}

    last = summed_up(PastRecall(recent=tuple(read[3])), [Step(StepKind.RECENT, delimiter="--X--")])
    assert "".join(last) == "<recent_summaries>\ns3--X--s4--X--s5\n</recent_summaries>"
    assert {count: [chunk.summary for chunk in chunks] for count, chunks in read.items()} == {
        3: ["s3", "s4", "s5"],
        0: ["s3", "s4", "s5"],
        -1: ["s1", "s2", "s3", "s4", "s5"],
    }


@pytest.mark.parametrize("other", [replace(GROUP, channel_id="den"), replace(GROUP, discussion="trip-2"), DIRECT], ids=str)
async def test_prompt_is_the_same_with_and_without_the_past_of_another_conversation(store_url: str, other: ConversationKey) -> None:
    prompts = []
    for place in (None, other):
        model = ScriptedModel(*["Yes."] * 9)
        async with make_bot(model, database="" if place is None else store_url, embedder=HashingEmbedder()) as bot:
            if place is not None:
                await told(bot.store, "The treasure lies under the old oak", "Alice Moreau lives in Paris", conversation=place)
            await bot.say("Where does the treasure lie, and where does Alice Moreau live?", conversation=GROUP)
        prompts.append(model.prompts[-1].text)

    assert prompts[0] == prompts[1]


def a_turn_of(room: Room, said: StoredMessage, readers: Sequence[Step]) -> Turn:
    return Turn(
        replace(room.persona, steps=Steps(tuple(readers))), a_scope(), (replace(said, state=MessageState.WAITING),), room.clock.now()
    )


async def read(room: Room, model: ChatModel, *readers: Step) -> str:
    """Say something new and return the summary that the readers bring; what they write first is written by the model."""
    (said,) = await room.says("and what now?")
    update = UpdateFirst(room.store, room.clock, WordTokens(), None, lambda _: model)
    reader = PastReader(room.store, WordTokens(), Meaning(None), update)
    turn = a_turn_of(room, said, readers)
    return (await reader.recall(turn, await reader.ask(turn), (), PastBudget(500, 500))).summary


async def test_w21_fast_reader_asks_no_model_and_one_that_updates_first_writes_what_is_due(store: SqlStore) -> None:
    room, scribe = Room(store, policy=replace(SMALL, summary_after=1)), Scribe()
    await room.says(*(f"short {number}" for number in range(20)))

    fast = await read(room, scribe, Step(StepKind.SUMMARY))
    by_hand = await read(room, scribe, Step(StepKind.SUMMARY_UPDATED, manual=True))
    asked_before = len(scribe.prompts)
    updated = await read(room, scribe, Step(StepKind.SUMMARY_UPDATED))

    kinds = [asked_for(request) for request in scribe.prompts]
    assert (fast, by_hand, asked_before) == ("", "", 0)
    assert "short 0" in updated
    assert set(kinds) == {Asked.CHUNK, Asked.SUMMARY}
    assert kinds == sorted(kinds, key=[Asked.CHUNK, Asked.SUMMARY].index)


async def test_w21_model_that_is_out_holds_nothing_up(store: SqlStore) -> None:
    room = Room(store)
    await room.says(*(f"short {number}" for number in range(20)))

    text = await read(room, ScriptedModel(ModelUnavailable("out")), Step(StepKind.SUMMARY_UPDATED))

    assert text == ""


def stamped(kind: Timestamps) -> Persona:
    return replace(a_persona(), memory=MemoryPolicy(timestamps=kind), time_zone="Europe/Berlin")


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        pytest.param(Timestamps.ABSOLUTE, ["(Sunday, 2026-05-03 12:00:00) ", "(Sunday, 2026-05-03 12:00:00) "], id="absolute"),
        pytest.param(Timestamps.RELATIVE, ["[Sent 2 hours, 15 minutes ago] ", "[Sent 2 hours, 15 minutes ago] "], id="relative"),
    ],
)
async def test_w27_model_sees_when_a_message_was_sent_and_people_never_do(kind: Timestamps, seen: list[str], store_url: str) -> None:
    model = ScriptedModel("(Sunday, 2026-05-03 12:00:00) [Sent just now] Good day.", "Bye.", chunk=3)

    async with make_bot(model, database=store_url, personas=[stamped(kind)]) as bot:
        await bot.say("hello")
        bot.clock.move(seconds=2 * 3600 + 15 * 60)
        await bot.say("bye")
        async with bot.store.read() as tx:
            kept = [message.text for message in await tx.messages.history(DIRECT, limit=10)]

    lines = [message.text for message in model.prompts[1].messages]
    assert lines[1:3] == [seen[0] + "hello", seen[1] + "Good day."]
    assert bot.replies == ["Good day.", "Bye."]
    assert kept == ["hello", "Good day.", "bye", "Bye."]


async def test_reader_with_keywords_brings_what_it_finds_and_no_heading_without() -> None:
    steps = Steps(readers=(Step(StepKind.SEARCH, keywords="allergy;nuts", dates=True),))
    persona = replace(a_persona(), steps=steps, memory=MemoryPolicy(history_messages=2))
    model = ScriptedModel(*["Yes."] * 6)

    async with make_bot(model, personas=[persona]) as bot:
        for text in ("I have an allergy to nuts", "hello", "so", "well"):
            await bot.say(text)
            await index(bot)

    assert "found by keywords" not in model.prompts[0].text
    assert "[2026-05-03] I have an allergy to nuts" in model.prompts[3].messages[-2].text


async def test_edited_message_is_found_by_its_new_words_alone(store_url: str) -> None:
    async with make_bot(ScriptedModel("Yes."), database=store_url) as bot:
        message_id = await bot.say("I keep an iguana")
        await index(bot)
        await bot.app.inbox.edit(MessageEdit(DIRECT, message_id, "I keep a tortoise"))

        assert await searched(bot.store, "iguana") == []
        assert [hit.text for hit in await searched(bot.store, "tortoise")] == ["I keep a tortoise"]
