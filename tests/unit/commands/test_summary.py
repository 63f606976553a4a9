"""People read what a conversation has been about, and admins let it be written anew."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.message import MessageState
from bot.domain.past import Chunk, ChunkState, RollingSummary
from bot.domain.text import utf16_length
from bot.jobs.regeneration import Progress
from bot.testing.clock import START
from bot.testing.factories import BO, DIRECT, GROUP, incoming
from tests.unit.commands.conftest import Typist


def a_chunk(number: int, summary: str = "", state: ChunkState = ChunkState.DONE, *, conversation: ConversationKey = DIRECT) -> Chunk:
    began = START + timedelta(days=number)
    return Chunk(0, conversation, 0, number * 10, number * 10 + 9, 10, began, began + timedelta(hours=1), summary, state)


async def written(typist: Typist, *chunks: Chunk, rolling: str = "", conversation: ConversationKey = DIRECT) -> None:
    """Store chunks and a rolling summary."""
    async with typist.store.write() as tx:
        for chunk in chunks:
            (planned,) = await tx.pasts.plan(conversation, [replace(chunk, state=ChunkState.PLANNED)])
            await tx.pasts.put(replace(chunk, id=planned.id))
        if rolling:
            await tx.pasts.add_summary(RollingSummary(conversation, 0, rolling, 99, START))


async def said(typist: Typist, conversation: ConversationKey = DIRECT) -> None:
    async with typist.store.write() as tx:
        await tx.messages.record(incoming("hi", conversation=conversation), MessageState.DONE)


async def test_the_whole_comes_first_then_the_newest_stretch_of_talk(typist: Typist) -> None:
    await written(
        typist, a_chunk(1, "Ada told of tea."), a_chunk(2, "Ada told\nof Mochi."), rolling="Ada and Iris are friends.\n\nThey talk."
    )

    answer = await typist.type("/summary show")

    assert answer.text.splitlines() == [
        "**What this conversation has been about**",
        "",
        "As of 2026-05-03 10:00:",
        "> Ada and Iris are friends.",
        "> They talk.",
        "- **2026-05-05 10:00 – 11:00** (10 messages): Ada told of Mochi.",
        "- **2026-05-04 10:00 – 11:00** (10 messages): Ada told of tea.",
        "",
        "2 summaries of what was said.",
    ]
    assert answer.private


async def test_what_was_given_up_is_told_with_what_to_do(typist: Typist) -> None:
    await written(typist, a_chunk(1, "Tea."), a_chunk(2, state=ChunkState.PARKED), a_chunk(3, state=ChunkState.PLANNED))
    async with typist.store.write() as tx:
        await tx.pasts.note(DIRECT, summary_failures=3)

    answer = await typist.type("/summary show")

    assert answer.text.splitlines()[-1] == (
        "1 summary of what was said; 1 more waits to be written. "
        "After three failures I gave up on 2026-05-05 10:00 – 11:00; `/summary regenerate` tries again. "
        "The summary of the whole conversation has failed 3 times in a row; it is tried again after the next answer."
    )


async def test_without_summaries_it_says_when_they_come(typist: Typist) -> None:
    answer = await typist.type("/summary show")

    assert answer.text == "Nothing is summarised here yet. Iris begins by itself when there are about 25 messages. Just go on talking."


async def test_without_a_model_it_says_who_can_help(typist: Typist) -> None:
    typist.regenerations.has_model = False

    answers = [await typist.type(line) for line in ("/summary show", "/summary regenerate")]

    assert {answer.text for answer in answers} == {
        "Iris speaks with the offline model, which cannot summarise. "
        "Whoever runs me can set OPENAI_API_KEY or OPENAI_BASE_URL; `baku doctor` shows what is set."
    }


async def test_where_the_past_is_switched_off_it_says_how_to_switch_it_on(typist: Typist) -> None:
    await typist.type("/memory policy past off")

    answers = [await typist.type(line) for line in ("/summary show", "/summary regenerate")]

    assert {answer.text for answer in answers} == {
        "Iris does not summarise what was said here. Admins switch it on with `/memory policy past on`."
    }


async def test_many_and_long_summaries_come_in_pages_that_fit(typist: Typist) -> None:
    await written(typist, *(a_chunk(number, f"Day {number}. " + "They talked about * and _. " * 60) for number in range(1, 7)))

    first = await typist.type("/summary show")
    count = int(first.text.partition("page 1 of ")[2].partition(")")[0])
    pages = [(await typist.type(f"/summary show {number}")).text for number in range(1, count + 1)]

    assert [button.line for button in first.buttons] == ["summary show 2"]
    assert all(utf16_length(page) <= 2000 for page in pages)
    assert [f"Day {number}." in "\n".join(pages) for number in range(1, 7)] == [True] * 6
    assert (await typist.type("/summary show 99")).text == f"There are {count} pages. `/summary show` begins with the first."


async def test_what_people_and_models_wrote_is_no_markup(typist: Typist) -> None:
    await written(typist, a_chunk(1, "# **Ada** said @everyone [hi](http://x)"), rolling="> *look*\n1. no list")

    text = (await typist.type("/summary show")).text

    assert "\\# \\*\\*Ada\\*\\* said @\u200beveryone \\[hi\\](http://x)" in text
    assert "> \\> \\*look\\*\n> 1\\. no list" in text


async def test_nobody_reads_what_was_said_elsewhere(typist: Typist) -> None:
    await written(typist, a_chunk(1, "A secret.", conversation=GROUP), rolling="A secret.", conversation=GROUP)

    here = await typist.type("/summary show")
    there = await typist.type("/summary show", asker=BO, conversation=GROUP)

    assert "secret" not in here.text
    assert "secret" in there.text


async def test_writing_anew_is_asked_for_then_goes_on_and_tells_how_far_it_is(typist: Typist) -> None:
    await said(typist)

    asked = await typist.type("/summary regenerate 500")
    begun = await typist.type("/summary regenerate 500", confirmed=True)
    counting = await typist.type("/summary regenerate")
    typist.regenerations.going_on[DIRECT] = Progress(3, 12)
    further = await typist.type("/summary regenerate")

    assert asked.confirmation is not None
    assert asked.confirmation.line == "summary regenerate 500"
    assert begun.text == "I am reading everything again and write here when it is done. `/summary regenerate` tells how far I am."
    assert typist.regenerations.sizes == {DIRECT: 500}
    assert counting.text == "I am at it, and still looking what there is to read. Ask again in a moment."
    assert further.text == "I am at it: 3 of about 12 steps are done (25 %). The old summaries are shown until then."


async def test_what_was_broken_off_is_shown_and_goes_on(typist: Typist) -> None:
    await said(typist)
    async with typist.store.write() as tx:
        building = await tx.pasts.begin_building(DIRECT, chunk_tokens=0)
        await tx.pasts.plan(DIRECT, [replace(a_chunk(1, state=ChunkState.PLANNED), generation=building)])

    shown, asked = await typist.type("/summary show"), await typist.type("/summary regenerate")

    assert "A new version is not complete yet (0 of 1 so far); `/summary regenerate` goes on with it." in shown.text
    assert asked.text.startswith("Shall I go on reading this conversation again")


@pytest.mark.parametrize("size", ["1", "100001"])
async def test_a_size_that_no_chunk_may_have_is_refused(typist: Typist, size: str) -> None:
    await said(typist)

    answer = await typist.type(f"/summary regenerate {size}")

    assert answer.text == f"{size} is no size of a chunk: it is a whole number from 100 to 100000 (tokens)."


async def test_where_nobody_spoke_there_is_nothing_to_write(typist: Typist) -> None:
    assert (await typist.type("/summary regenerate")).text == "Nobody has said anything here yet, so there is nothing to summarise."


async def test_in_a_group_everybody_may_read_and_only_admins_let_it_be_written_anew(typist: Typist) -> None:
    await said(typist, GROUP)

    shown = await typist.type("/summary show", asker=BO, conversation=GROUP)
    refused = await typist.type("/summary regenerate", asker=BO, conversation=GROUP)
    asked = await typist.type("/summary regenerate", asker=BO, conversation=GROUP, admin=True)

    assert shown.text.startswith("Nothing is summarised here yet.")
    assert refused.text.startswith("Only admins may use `/summary regenerate` here")
    assert asked.confirmation is not None
