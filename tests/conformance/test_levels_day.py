"""Levels by day: tags, tools, the working block and what comes back. L02 to L19 and L29; the night stands beside this file."""

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from bot.domain.chat import MemoryScope
from bot.domain.fading import faded_importance
from bot.domain.memory import Level, Memory
from bot.domain.persona import SEED, MemoryMode, MemoryPolicy, Persona
from bot.testing.bot import Bot, make_bot
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, DIRECT, a_persona, a_scope
from bot.testing.scripted_model import ScriptedModel
from tests.conformance.memory_tool import call, results, streamed, update

TAGS = replace(a_persona(), memory=MemoryPolicy(mode=MemoryMode.TAGS))
SEEDED = replace(a_persona(), memory=replace(SEED, mode=MemoryMode.TAGS))


MakeBot = Callable[..., AbstractAsyncContextManager[Bot]]


@pytest.fixture
def make(store_url: str) -> MakeBot:
    """Return `make_bot` on an empty database of each kind."""
    return partial(make_bot, database=store_url)


def handle(number: int) -> str:
    """Return the handle of the memory that `a_fact` makes of that number."""
    return f"{0x7C8855BE + number:08x}"


def a_fact(text: str, number: int, importance: float = 0.75, level: Level = Level.WORKING, **more: object) -> Memory:
    """Return a memory of Ada's with a known handle."""
    uuid = UUID(f"{handle(number)}-0000-4000-8000-{number:012d}")
    memory = Memory(uuid, a_scope(), number, text, ADA, ADA, (), START, START, level=level, importance=importance)
    return replace(memory, **more)  # type: ignore[arg-type]  # each test names fields of Memory


async def know(bot: Bot, *memories: Memory) -> None:
    """Put memories into the store as they are."""
    async with bot.store.write() as tx:
        await tx.memories.add(*memories)


async def one(bot: Bot, number: int, scope: MemoryScope | None = None) -> Memory | None:
    async with bot.store.read() as tx:
        return await tx.memories.get(scope or a_scope(), number)


async def known(bot: Bot, number: int) -> Memory:
    memory = await one(bot, number)
    assert memory is not None
    return memory


def system(model: ScriptedModel, prompt: int = -1) -> str:
    return model.prompts[prompt].messages[0].text


def recalled(model: ScriptedModel, prompt: int = -1) -> str:
    """Return the system message that stands after the history."""
    return next(message.text for message in reversed(model.prompts[prompt].messages) if message.role == "system")


async def test_l02_new_tag_is_stored_and_not_shown(make: MakeBot) -> None:
    async with make(ScriptedModel('<mem_new importance="0.95">Likes tea</mem_new> Hi!'), personas=[TAGS]) as bot:
        await bot.say("I like tea")
        (memory,) = await bot.memories()

    assert bot.replies == ["Hi!"]
    assert (memory.text, memory.level, memory.importance) == ("Likes tea", Level.WORKING, 0.95)


@pytest.mark.parametrize(
    ("attribute", "importance"),
    [("", 0.75), (' importance="abc"', 0.75), (' importance="7"', 1.0), (' importance="-1"', 0.0), (' importance="nan"', 0.75)],
)
async def test_l03_importance_is_kept_within_its_bounds(make: MakeBot, attribute: str, importance: float) -> None:
    async with make(ScriptedModel(f"<mem_new{attribute}>Likes tea</mem_new>Hi!"), personas=[TAGS]) as bot:
        await bot.say("I like tea")
        (memory,) = await bot.memories()

    assert memory.importance == importance
    assert bot.replies == ["Hi!"]


@pytest.mark.parametrize(
    "tag",
    [
        pytest.param("<mem_new></mem_new>", id="empty"),
        pytest.param("<mem_new>Likes tea", id="unclosed"),
        pytest.param("<mem_tag id=7c8855c0/>", id="unquoted id"),
        pytest.param('<mem_update id="99">x</mem_update>', id="unknown id"),
        pytest.param('<mem_delete id="deadbeef"/>', id="unknown handle"),
    ],
)
async def test_l04_tag_that_says_nothing_to_do_changes_nothing_and_is_not_shown(make: MakeBot, tag: str) -> None:
    before = a_fact("Likes tea", 1)
    async with make(ScriptedModel(f"Hello.\n{tag}\nHow are you?"), personas=[TAGS]) as bot:
        await know(bot, before)
        with capture_logs() as logs:
            await bot.say("hi")
        after = await bot.memories()

    assert after == [before]
    assert "mem_" not in bot.replies[0]
    assert "Hello." in bot.replies[0]
    assert "How are you?" in bot.replies[0]
    assert len([line for line in logs if line["event"] in {"memory_tag_dropped", "memory_tag_ignored", "memory_not_found"}]) <= 1


async def test_l05_tag_lifts_a_memory_and_counts_its_use(make: MakeBot) -> None:
    tag = f'<mem_tag id="{handle(1)}"/>Yes.'
    async with make(ScriptedModel(tag, tag), personas=[TAGS]) as bot:
        await know(bot, a_fact("Likes tea", 1, 0.60, Level.DEEP), a_fact("Has a cat", 2))
        await bot.say("hello")
        first = await known(bot, 1)
        async with bot.store.write() as tx:
            await tx.memories.put(replace(first, importance=0.95))
        await bot.say("hello again")
        second = await known(bot, 1)

    assert first.importance == pytest.approx(0.70)
    assert (first.level, first.uses, first.used_at) == (Level.WORKING, 1, bot.clock.now())
    assert second.importance == 1.0


async def test_l06_update_lifts_a_memory_and_the_next_prompt_shows_it(make: MakeBot) -> None:
    model = ScriptedModel(f'<mem_update id="{handle(1)}">Likes coffee</mem_update>Noted.', "Hello.")
    async with make(model, personas=[TAGS]) as bot:
        await know(bot, a_fact("Likes tea", 1, 0.50, Level.DEEP))
        await bot.say("I like coffee now")
        memory = await known(bot, 1)
        await bot.say("hello")

    assert (memory.text, memory.level) == ("Likes coffee", Level.WORKING)
    assert memory.importance == pytest.approx(0.75)
    assert ">Likes coffee</memory>" in model.prompts[-1].text
    assert "Likes tea" not in model.prompts[-1].text


async def test_l07_loaded_memory_is_at_least_a_little_above_where_it_would_sink(make: MakeBot) -> None:
    load = f'<mem_load id="{handle(1)}"/><mem_load id="{handle(2)}"/>One moment.'
    async with make(ScriptedModel(load), personas=[SEEDED]) as bot:
        await know(bot, a_fact("Likes tea", 1, 0.10, Level.DEEP), a_fact("Has a cat", 2, 0.80, Level.DEEP))
        await bot.say("hello")
        memories = await bot.memories()

    assert [(memory.level, round(memory.importance, 6)) for memory in memories] == [(Level.WORKING, 0.5), (Level.WORKING, 0.8)]


async def test_l08_only_the_whole_handle_of_an_own_memory_deletes(make: MakeBot) -> None:
    foreign = replace(a_fact("Bo's secret", 1), id=UUID("aaaaaaaa-0000-4000-8000-000000000001"), scope=a_scope(person=BO))
    twins = [replace(a_fact(text, number), id=UUID(f"bbbbbbbb-0000-4000-8000-{number:012d}")) for number, text in ((2, "one"), (3, "two"))]
    wanted = [handle(1), "aaaaaaaa", "%", "a", "bbbbbbbb"]
    async with make(ScriptedModel("".join(f'<mem_delete id="{name}"/>' for name in wanted) + "Done."), personas=[TAGS]) as bot:
        await know(bot, a_fact("Likes tea", 1), *twins, foreign)
        await bot.say("forget that I like tea")

        assert [memory.number for memory in await bot.memories()] == [2, 3]
        assert await one(bot, 1, a_scope(person=BO)) == foreign


async def test_l09_tag_in_a_code_fence_is_an_example(make: MakeBot) -> None:
    text = "Write it so:\n```xml\n<mem_new>Likes tea</mem_new>\n```\nThat is all."
    async with make(ScriptedModel(text), personas=[TAGS]) as bot:
        await bot.say("how do you remember?")

        assert bot.replies == [text]
        assert await bot.memories() == []


ANSWERS = (
    '<mem_new importance="0.95">Likes tea</mem_new> Hi!',
    f'Yes.<mem_tag id="{handle(1)}"/> More?',
    f'Noted.\n<mem_update id="{handle(1)}">Likes coffee</mem_update>\nDone.',
)


async def outcome(bot: Bot, place: int, heard: int) -> tuple[Sequence[str], Sequence[tuple[object, ...]], Sequence[str]]:
    """Return replies, memories and drafts of the next answer, which one person of many gets in a direct chat."""
    person, conversation = replace(ADA, id=f"ada-{place}"), replace(DIRECT, space_id=f"dm-{place}", channel_id=f"dm-{place}")
    scope = a_scope(conversation, person)
    before = a_fact("Has a cat", 1, 0.5)
    await know(bot, replace(before, id=UUID(f"{handle(1)}-0000-4000-8000-{place:012d}"), scope=scope, subject=person, author=person))
    drafts = len(bot.platform.drafts)
    await bot.say("I like tea and coffee", author=person, conversation=conversation)
    rows = [(memory.number, memory.text, memory.level, memory.importance, memory.uses) for memory in await bot.memories_of(scope)]
    return bot.replies[heard:], rows, bot.platform.drafts[drafts:]


@pytest.mark.parametrize("answer", ANSWERS)
async def test_l10_cutting_the_stream_anywhere_changes_nothing(answer: str) -> None:
    cut = [streamed([answer[:first], answer[first:]]) for first in range(1, len(answer))]
    async with make_bot(ScriptedModel(streamed([answer]), streamed(list(answer)), *cut), personas=[TAGS]) as bot:
        whole = await outcome(bot, 0, 0)
        assert all(whole[:2])

        for place in range(1, len(cut) + 2):
            replies, rows, drafts = await outcome(bot, place, len(bot.replies))

            assert (replies, rows) == whole[:2]
            assert not any("<" in draft or "mem_" in draft for draft in drafts)


async def test_l11_comparison_is_shown_as_it_is(make: MakeBot) -> None:
    text = "if a < b and c <3 then ok"
    async with make(ScriptedModel(text, chunk=1), personas=[TAGS]) as bot:
        await bot.say("hm?")

    assert bot.replies == [text]


async def test_l12_answer_of_tags_alone_is_carried_out_and_followed_by_words(make: MakeBot) -> None:
    model = ScriptedModel("<mem_new>Likes tea</mem_new>", "Noted.")
    async with make(model, personas=[TAGS]) as bot:
        await bot.say("I like tea")

        assert [memory.text for memory in await bot.memories()] == ["Likes tea"]
        assert bot.replies == ["Noted."]
        assert len(model.prompts) == 2


async def test_l13_budget_holds_the_most_important_and_one_long_memory_evicts_nobody(make: MakeBot) -> None:
    room_for_three = replace(a_persona(), memory=MemoryPolicy(working_tokens=3 * 33))
    facts = [a_fact(f"fact number {number}", number, 0.4 + number / 10) for number in range(1, 6)]
    model = ScriptedModel("Hello.")
    async with make(model, personas=[room_for_three]) as bot:
        await know(bot, *facts, a_fact("word " * 90, 6, 1.0))
        await bot.say("hello")

    assert re.findall(r"<memory id='(\d+)'", system(model)) == ["3", "4", "5"]


async def test_l14_forty_memories_stay_and_the_least_important_sinks(make: MakeBot) -> None:
    async with make(ScriptedModel("Hello.")) as bot:
        await know(bot, *(a_fact(f"fact {number}", number, 0.5 + number / 100) for number in range(1, 42)))
        await bot.say("hello")
        levels = {memory.number: memory.level for memory in await bot.memories()}

    assert [number for number, level in levels.items() if level is Level.DEEP] == [1]


async def test_l15_deep_memory_is_a_handle(make: MakeBot) -> None:
    text = "Grandmother " + "keeps bees and roses " * 5
    model = ScriptedModel("Hello.")
    async with make(model) as bot:
        await know(bot, a_fact(text[:120], 1, 0.3, Level.DEEP, group="family"), a_fact("Likes tea", 2))
        await bot.say("hello")

    assert f"[7c8855bf] family: {text[:80].rstrip()}…" in system(model).splitlines()
    assert text[:120] not in model.prompts[0].text


async def test_l16_many_deep_memories_are_one_line_a_group_and_archived_ones_leave_no_trace(make: MakeBot) -> None:
    model = ScriptedModel("Hello.")
    deep = [a_fact(f"cousin number {number} lives far away", number, 0.3, Level.DEEP, group="family") for number in range(1, 32)]
    async with make(model) as bot:
        await know(bot, *deep, a_fact("an archived secret", 32, 0.03, Level.ARCHIVE, group="archive"))
        await bot.say("hello")

    zone = system(model).split("<deep_memories>")[1]
    assert re.search(r"family: 31 memories( \[[0-9a-f]{8}\]){5} \+26\n", zone)
    assert len(zone.split()) <= 256
    assert "archive" not in model.prompts[0].text


@pytest.mark.parametrize("pull", [True, False])
async def test_l17_deep_memory_comes_back_for_the_message_that_asks_for_it(make: MakeBot, pull: bool) -> None:
    persona = replace(a_persona(), memory=MemoryPolicy(pull=pull))
    model = ScriptedModel("She is well.")
    strong = [a_fact(f"something else number {number}", number, 0.9) for number in range(2, 42)]
    async with make(model, personas=[persona]) as bot:
        await know(bot, a_fact("Grandmother lives in Kyoto", 1, 0.30, Level.DEEP), *strong)
        await bot.say("how is grandmother?")
        memory = await known(bot, 1)

    assert (">Grandmother lives in Kyoto</memory>" in model.prompts[0].text) is pull
    assert memory.level is (Level.WORKING if pull else Level.DEEP)


async def test_l18_at_most_three_come_back_and_none_for_a_message_that_names_nothing(make: MakeBot) -> None:
    model = ScriptedModel("Yes.", "I am Iris.")
    matches = [a_fact(f"The garden has rose bed number {number}", number, 0.3, Level.DEEP) for number in range(1, 10)]
    best = a_fact("The garden has a rose arbour by the pond", 10, 0.3, Level.DEEP)
    async with make(model) as bot:
        await know(bot, *matches, best)
        await bot.say("how are the rose beds and the arbour in the garden?")
        first = [memory.number for memory in await bot.memories() if memory.level is Level.WORKING]
        await bot.say("what are you?")
        second = [memory.number for memory in await bot.memories() if memory.level is Level.WORKING]

    assert len(first) == 3
    assert 10 in first
    assert second == first


@pytest.mark.parametrize(
    ("text", "message"),
    [("User loves cats.", "any cat news?"), ("ユーザーは猫が好きです", "猫の話をしよう"), ("User codes in C#", "C#?")],
)
async def test_l19_memory_comes_back_in_any_language_and_word_form(make: MakeBot, text: str, message: str) -> None:
    others = [a_fact(f"Has visited town number {number}", number, 0.3, Level.DEEP) for number in range(2, 30)]
    async with make(ScriptedModel("Yes.")) as bot:
        await know(bot, a_fact(text, 1, 0.3, Level.DEEP), *others)
        await bot.say(message)

        assert (await known(bot, 1)).level is Level.WORKING


async def test_l29_repeated_fact_makes_the_old_one_stronger(make: MakeBot) -> None:
    persona: Persona = TAGS
    async with make(ScriptedModel('<mem_new importance="0.9">likes  tea</mem_new>Yes.'), personas=[persona]) as bot:
        await know(bot, a_fact("Likes Tea", 1, 0.5, Level.DEEP))
        bot.clock.move(seconds=3600)
        await bot.say("I like tea")
        (memory,) = await bot.memories()

    assert memory.importance == 0.9
    assert memory.level is Level.WORKING
    assert memory.created_at == START


async def test_tools_and_tags_of_the_same_power_store_the_same() -> None:
    by_tool = ScriptedModel(call("TagMemory", {"id": handle(1)}), "Yes.")
    by_tag = ScriptedModel(f'<mem_tag id="{handle(1)}"/>Yes.')
    rows = []
    for model, persona in ((by_tool, a_persona()), (by_tag, TAGS)):
        async with make_bot(model, personas=[persona]) as bot:
            await know(bot, a_fact("Likes tea", 1, 0.60, Level.DEEP))
            await bot.say("hello")
            rows.append(await bot.memories())

    assert rows[0] == rows[1]
    assert faded_importance(rows[0][0], MemoryPolicy(), START + timedelta(0)) == pytest.approx(0.7)


async def test_loaded_memory_is_told_to_the_model_by_the_tool(make: MakeBot) -> None:
    model = ScriptedModel(call("LoadMemory", {"id": handle(1)}), "She lives in Kyoto.")
    async with make(model) as bot:
        await know(bot, a_fact("Grandmother lives in Kyoto", 1, 0.3, Level.DEEP))
        await bot.say("tell me a story")

    assert results(model.prompts[1]) == ["Loaded: Grandmother lives in Kyoto"]


async def test_new_memory_stands_apart_and_leaves_the_block_as_it_was(make: MakeBot) -> None:
    model = ScriptedModel("Hello.", update(0, "Has a cat"), "Noted.", "Hello.")
    async with make(model) as bot:
        await know(bot, a_fact("Likes tea", 1))
        for text in ("hello", "I have a cat", "hello again"):
            await bot.say(text)

    assert system(model, 0) == system(model, 3)
    assert ">Has a cat</memory>" in recalled(model)


async def test_l20_least_important_of_ten_thousand_comes_back_when_it_is_named(make: MakeBot) -> None:
    model = ScriptedModel("Yes.")
    async with make(model) as bot:
        for start in range(1, 10_001, 1000):
            await know(
                bot,
                *(
                    a_fact(f"visited town {number} in year {1000 + number}", number, 0.4, Level.DEEP)
                    for number in range(start, start + 1000)
                ),
            )
        await know(bot, a_fact("plays the hurdy-gurdy", 10_001, 0.26, Level.DEEP))
        await bot.say("how is the hurdy-gurdy?")

        assert (await known(bot, 10_001)).level is Level.WORKING
        assert ">plays the hurdy-gurdy</memory>" in model.prompts[0].text
        assert len(model.prompts) == 1
