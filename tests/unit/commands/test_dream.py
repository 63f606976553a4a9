"""Admins let a persona dream, read what came of it and take it back."""

from dataclasses import replace
from uuid import uuid4

import pytest

from bot.domain.chat import MemoryScope
from bot.domain.job import DREAM, JobRecord, JobState
from bot.domain.memory import Level, Memory
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, GROUP, a_memory, a_scope
from tests.unit.commands.conftest import Typist

CLUB = a_scope(GROUP)
DAY = 86400.0
ADAS_TEA = replace(a_memory("Ada likes tea", number=1, subject=ADA), uses=3, importance=0.8)
ADAS_CAT = replace(a_memory("Ada has a cat", number=2, subject=ADA), importance=0.26)
FORGOTTEN = replace(a_memory("Ada saw a bus", number=3, subject=ADA), importance=0.03, level=Level.ARCHIVE)


async def know(typist: Typist, *memories: Memory, scope: MemoryScope | None = None) -> None:
    async with typist.store.write() as tx:
        for memory in memories:
            while await tx.memories.reserve_number(scope or memory.scope) < memory.number:
                pass
            await tx.memories.add(replace(memory, id=uuid4(), scope=scope) if scope else memory)


async def noted(typist: Typist, record: JobRecord) -> None:
    async with typist.store.write() as tx:
        await tx.nights.finish(record)


async def test_a_dream_tells_what_it_did_with_each_memory_and_why(typist: Typist) -> None:
    await know(typist, ADAS_TEA, ADAS_CAT, FORGOTTEN)
    typist.clock.move(seconds=2 * DAY)

    answer = await typist.type("/dream now")

    lines = answer.text.splitlines()
    assert lines[0] == "**Iris's dream of 2026-05-05 10:00** is done."
    assert lines[2].startswith("1 faded, 1 strengthened, 1 forgotten. ")
    assert "- `#1` “Ada likes tea” — used 3 times since the last dream: importance 0.76 → 0.83" in lines
    assert "- `#2` “Ada has a cat” — faded to 0.22: working → deep" in lines
    assert "- `#3` “Ada saw a bus” — weaker than 0.02 and idle for a day: forgotten" in lines
    assert lines[-1] == "`/dream undo` takes it back."
    assert answer.private


async def test_a_dry_dream_shows_the_same_and_changes_nothing(typist: Typist) -> None:
    await know(typist, ADAS_TEA, ADAS_CAT, FORGOTTEN)
    typist.clock.move(seconds=2 * DAY)

    answer = await typist.type("/dream now dry")

    assert answer.text.startswith("**Iris's dream** would do this:\n\n1 faded, 1 strengthened, 1 forgotten. ")
    assert "- `#2` faded: faded to 0.22" in answer.text
    assert "undo" not in answer.text
    assert await typist.memories() == [ADAS_TEA, ADAS_CAT, FORGOTTEN]
    assert (await typist.type("/dream report")).text.startswith("Iris has not dreamt about this place yet.")


async def test_undo_puts_everything_back_once(typist: Typist) -> None:
    await know(typist, ADAS_TEA, ADAS_CAT, FORGOTTEN)
    typist.clock.move(seconds=2 * DAY)
    await typist.type("/dream now")

    undone = await typist.type("/dream undo")
    again = await typist.type("/dream undo")

    assert undone.text == "The dream is taken back: 3 memories are as before it."
    assert again.text == "The last dream here is taken back already, or changed nothing. `/dream report` tells more."
    assert await typist.memories() == [ADAS_TEA, ADAS_CAT, FORGOTTEN]
    assert "was taken back." in (await typist.type("/dream report")).text


async def test_a_dream_that_changed_nothing_leaves_nothing_to_take_back(typist: Typist) -> None:
    await know(typist, replace(ADAS_TEA, uses=0))
    dreamt = await typist.type("/dream now")

    undone = await typist.type("/dream undo")

    assert "Nothing had to change. " in dreamt.text
    assert "undo" not in dreamt.text
    assert undone.text.startswith("The last dream here is taken back already, or changed nothing.")


async def test_a_dream_soon_after_another_says_when_the_next_may_come(typist: Typist) -> None:
    await know(typist, ADAS_TEA)
    await typist.type("/dream now")
    typist.clock.move(seconds=600)

    answer = await typist.type("/dream now")

    assert answer.text == (
        "Iris has just dreamt about this place. Another dream may come from 11:00 on (`/memory policy dream_hours` is 1)."
    )
    assert (await typist.type("/dream report")).text.startswith("**Iris's dream of 2026-05-03 10:00** is done.")


async def test_switched_off_dreams_do_not_come_on_command_either(typist: Typist) -> None:
    await know(typist, ADAS_TEA)
    await typist.type("/dream off")

    answer = await typist.type("/dream now")

    assert answer.text == "**Iris's dream** was skipped: dreams are switched off here; `/dream on` switches them on."
    assert await typist.memories() == [ADAS_TEA]


async def test_in_a_group_admins_read_of_others_memories_what_happened_but_no_text(typist: Typist) -> None:
    bos = replace(a_memory("Bo fears spiders", number=2, subject=BO), author=BO, importance=0.26)
    await know(typist, ADAS_TEA, bos, scope=CLUB)
    typist.clock.move(seconds=2 * DAY)

    answer = await typist.type("/dream now", conversation=GROUP, admin=True)
    report = await typist.type("/dream report", conversation=GROUP, admin=True)

    assert "- `#1` “Ada likes tea” — used" in answer.text
    assert "- `#2` — faded to 0.22: working → deep" in answer.text
    assert "spiders" not in answer.text + report.text
    assert report.text == answer.text


async def test_a_dream_of_one_place_leaves_all_others_as_they_are(typist: Typist) -> None:
    await know(typist, ADAS_TEA, ADAS_CAT)
    await know(typist, ADAS_TEA, ADAS_CAT, scope=a_scope(person=BO))
    before = await typist.memories(a_scope(person=BO))
    typist.clock.move(seconds=2 * DAY)

    await typist.type("/dream now")

    assert await typist.memories(a_scope(person=BO)) == before
    assert (await typist.type("/dream report", asker=BO)).text.startswith("Iris has not dreamt")
    assert (await typist.type("/dream undo", asker=BO)).text.startswith("Iris has not dreamt")


@pytest.mark.parametrize(
    ("state", "reason", "said"),
    [
        (
            JobState.REFUSED,
            "loses_too_much",
            "was refused as a whole, and nothing was changed: it would have lost more than a quarter of the memories in use.",
        ),
        (JobState.REFUSED, "over_budget", "nothing was changed: it cost more tokens than a dream may."),
        (JobState.FAILED, "RuntimeError", "failed: RuntimeError."),
        (JobState.FAILED, "interrupted", "failed: it was cut off in the middle;"),
    ],
)
async def test_a_dream_that_came_to_nothing_says_why(typist: Typist, state: JobState, reason: str, said: str) -> None:
    await noted(typist, JobRecord("1", DREAM, str(a_scope()), state, START, 2.5, reason, {"calls": 3, "tokens": 1200, "rejected": 2}))
    await noted(typist, JobRecord("2", DREAM, str(a_scope()), JobState.SKIPPED, typist.clock.now(), 0.0, "too_soon"))

    answer = await typist.type("/dream report")

    assert said in answer.text
    assert "The model was asked 3 times (1,200 tokens); 2 of its proposals were refused; 2.5 seconds." in answer.text


async def test_the_diary_is_quoted_and_the_cursor_is_nobodys_business(typist: Typist) -> None:
    counts = {"merged": 2, "seen_until": 17, "seen_number": 3}
    await noted(typist, JobRecord("1", DREAM, str(a_scope()), JobState.DONE, START, 1.0, "", counts, "I dreamt of *rain*."))

    answer = await typist.type("/dream report")

    assert answer.text == "**Iris's dream of 2026-05-03 10:00** is done.\n\n2 merged. 1.0 seconds.\n\n> I dreamt of \\*rain\\*."


async def test_a_long_report_comes_in_pages_that_fit_a_message(typist: Typist) -> None:
    await know(typist, *(replace(a_memory(f"fact {n} {'x' * 100}", number=n), uses=1) for n in range(1, 41)))

    answer = await typist.type("/dream now")
    pages = [(await typist.type(f"/dream report {number}")).text for number in range(1, 6)]

    assert [button.line for button in answer.buttons] == ["dream report 2"]
    assert all(len(text) <= 2000 for text in pages)
    assert sum(text.count("- `#") for text in pages) == 40


@pytest.mark.parametrize("word", ["now", "report", "undo", "schedule", "on", "off", "diary here"])
async def test_others_than_admins_are_refused_in_a_group(typist: Typist, word: str) -> None:
    await know(typist, ADAS_TEA, scope=CLUB)

    answer = await typist.type(f"/dream {word}", conversation=GROUP, asker=BO)

    assert answer.text.startswith("Only admins may use `/dream")
    assert [(memory.uses, memory.importance) for memory in await typist.memories(CLUB)] == [(3, 0.8)]


async def test_another_word_than_dry_is_refused(typist: Typist) -> None:
    await know(typist, ADAS_TEA)

    answer = await typist.type("/dream now deeply")

    assert answer.text == "“deeply” means nothing here: `/dream now` dreams, `/dream now dry` only shows what would happen."
    assert await typist.memories() == [ADAS_TEA]
