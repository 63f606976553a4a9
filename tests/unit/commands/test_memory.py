"""People look after what a persona remembers about them."""

import re
from dataclasses import replace

import pytest

from bot.commands.memory import MOST_PINNED
from bot.domain.command import Choice, CommandCall, Confirmation
from bot.domain.memory import Level
from bot.domain.message import MessageState, Person
from bot.domain.text import utf16_length
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_memory, a_scope, incoming, kind_of
from tests.unit.commands.conftest import Typist

CLUB = a_scope(GROUP)
ADMIN_OF_NOTHING = Person("group-anonymous", "Group", is_service=True)


async def test_nothing_remembered_says_how_to_add_something(typist: Typist) -> None:
    answer = await typist.type("/memory list")

    assert answer.text == "Iris remembers nothing about you here yet. Tell it something, or type `/memory add I like tea`."
    assert answer.private


async def test_the_list_shows_numbers_strength_and_what_to_do_next(typist: Typist) -> None:
    await typist.remember("Ada likes tea", "Ada has a cat")

    answer = await typist.type("/memory list")

    assert answer.text == (
        "**What Iris remembers about you here**\n\n"
        "- `#1` ▰▰▰▰▱ Ada likes tea (working, new)\n"
        "- `#2` ▰▰▰▰▱ Ada has a cat (working, new)\n\n"
        "`/memory edit 1 new text` changes one, `/memory forget 1` deletes one, `/memory pin 1` keeps one."
    )


async def test_a_memory_is_shown_as_data_not_as_markup(typist: Typist) -> None:
    await typist.remember("- **bold** <@1> @everyone\n# head")

    answer = await typist.type("/memory list")

    assert "`#1` ▰▰▰▰▱ \\- \\*\\*bold\\*\\* \\<@\u200b1\\> @\u200beveryone # head (" in answer.text


async def test_a_long_list_comes_in_pages_that_fit_a_message_and_leave_nothing_out(typist: Typist) -> None:
    await typist.remember(*(f"fact {number} " + "x" * 150 for number in range(1, 31)))
    shown: list[str] = []
    line = "/memory list"

    while line:
        text = (await typist.type(line)).text
        assert utf16_length(text) <= 2000
        shown += re.findall(r"fact (\d+) ", text)
        line = next(iter(re.findall(r"`(/memory list after:\d+)` shows more", text)), "")

    assert shown == [str(number) for number in range(1, 31)]


async def test_a_page_behind_the_last_says_so(typist: Typist) -> None:
    await typist.remember("Ada likes tea")

    answer = await typist.type("/memory list 7")

    assert answer.text == "There is nothing after #7. `/memory list` starts from the beginning."


async def test_in_a_group_people_see_what_is_about_them_or_said_by_them(typist: Typist) -> None:
    await typist.remember("said by Ada", scope=CLUB, author=ADA)
    await typist.remember("about Ada", scope=CLUB, author=BO, subject=ADA)
    await typist.remember("Bo's own", scope=CLUB, author=BO, subject=BO)

    ada = await typist.type("/memory list", conversation=GROUP)
    bo = await typist.type("/memory list", conversation=GROUP, asker=BO)

    assert re.findall(r"`#(\d)`", ada.text) == ["1", "2"]
    assert re.findall(r"`#(\d)`", bo.text) == ["2", "3"]


async def test_b01_two_members_of_one_group_keep_facts_of_their_own(typist: Typist) -> None:
    await typist.type("/memory add call me Ana", conversation=GROUP, asker=ADA)
    await typist.type("/memory add call me Bo", conversation=GROUP, asker=BO)

    ana, bo = [await typist.type("/memory list", conversation=GROUP, asker=asker) for asker in (ADA, BO)]

    assert ("call me Ana" in ana.text, "call me Bo" in ana.text) == (True, False)
    assert ("call me Ana" in bo.text, "call me Bo" in bo.text) == (False, True)


@pytest.mark.parametrize(
    "line",
    [
        "/memory list",
        "/memory search locker code",
        "/memory forget 1",
        "/memory edit 1 gone",
        "/memory pin 1",
        "/memory history 1",
        "/memory why",
    ],
)
async def test_b03_b06_what_was_said_in_a_direct_chat_is_out_of_reach_in_a_group(typist: Typist, line: str) -> None:
    await typist.remember("The locker code is 4471")

    answer = await typist.type(line, conversation=GROUP)

    assert "4471" not in answer.text
    assert [memory.text for memory in await typist.memories()] == ["The locker code is 4471"]


async def test_a_search_finds_own_memories_by_their_words(typist: Typist) -> None:
    await typist.remember("Ada likes tea", "Ada has a cat")

    answer = await typist.type("/memory search cats")

    assert answer.text == "**Found for “cats”**\n\n- `#2` ▰▰▰▰▱ Ada has a cat (working, new)"


async def test_a_search_without_results_echoes_the_words_harmlessly(typist: Typist) -> None:
    answer = await typist.type("/memory search **dragons** @everyone")

    assert answer.text == (
        "Nothing about “\\*\\*dragons\\*\\* @\u200beveryone” is remembered here. Try other words; `/memory list` shows all."
    )


async def test_in_a_group_a_search_finds_nobody_elses_memories(typist: Typist) -> None:
    await typist.remember("Bo's cat is grey", scope=CLUB, author=BO, subject=BO)
    await typist.remember("Ada's cat is black", scope=CLUB, author=ADA, subject=ADA)

    answer = await typist.type("/memory search cat", conversation=GROUP)

    assert "black" in answer.text
    assert "grey" not in answer.text


async def test_what_is_added_is_stored_with_who_said_it_and_a_line_in_the_journal(typist: Typist) -> None:
    answer = await typist.type('/memory add "I like *green* tea"')

    (memory,) = await typist.memories()
    assert (memory.text, memory.author, memory.subject, memory.created_at) == ("I like *green* tea", ADA, ADA, typist.clock.now())
    async with typist.store.read() as tx:
        (entry,) = await tx.memories.journal(a_scope(), limit=5)
    assert (entry.actor, entry.reason, entry.after) == ("person:ada", "/memory add", memory)
    assert answer.text == "Remembered as `#1`: I like \\*green\\* tea"


async def test_a_text_of_500_characters_is_taken_and_one_more_is_refused_with_the_count(typist: Typist) -> None:
    taken = await typist.type("/memory add " + "😀" * 500)
    refused = await typist.type("/memory add " + "x" * 501)

    assert taken.text.startswith("Remembered as `#1`")
    assert refused.text == "A memory holds at most 500 characters; this text has 501. Shorten it."
    assert len(await typist.memories()) == 1


async def test_an_edit_changes_the_text_and_says_so(typist: Typist) -> None:
    await typist.remember("Ada likes tea")
    typist.clock.move(seconds=60)

    changed = await typist.type("/memory edit #1 Ada likes coffee")
    again = await typist.type("/memory edit 1 Ada likes coffee")

    (memory,) = await typist.memories()
    assert (memory.text, memory.updated_at) == ("Ada likes coffee", typist.clock.now())
    assert changed.text == "Changed. `#1` is now: Ada likes coffee"
    assert again.text == "`#1` says exactly that already."


async def test_an_edit_that_is_too_long_leaves_the_old_text(typist: Typist) -> None:
    await typist.remember("Ada likes tea")

    answer = await typist.type("/memory edit 1 " + "x" * 501)

    assert "this text has 501" in answer.text
    assert [memory.text for memory in await typist.memories()] == ["Ada likes tea"]


async def test_forgetting_asks_first_and_the_button_carries_it_out(typist: Typist) -> None:
    await typist.remember("Ada likes tea", "Ada has a cat")

    question = await typist.type("/memory forget 2")
    asked_only = len(await typist.memories())
    assert question.confirmation is not None
    answer = await typist.type(question.confirmation.line, confirmed=True)

    assert question.confirmation == Confirmation("Forget it", "memory forget 2")
    assert "> Ada has a cat" in question.text
    assert asked_only == 2
    assert [memory.text for memory in await typist.memories()] == ["Ada likes tea"]
    assert answer.text.startswith("Forgotten: `#2` is deleted.")


async def test_pressing_the_button_twice_says_that_there_is_nothing_any_more(typist: Typist) -> None:
    await typist.remember("Ada likes tea")

    await typist.type("memory forget 1", confirmed=True)
    again = await typist.type("memory forget 1", confirmed=True)

    assert again.text == "You have no memory #1 here. `/memory list` shows yours with their numbers."


@pytest.mark.parametrize(
    "line", ["/memory edit {} mine now", "/memory forget {}", "/memory pin {}", "/memory unpin {}", "/memory history {}"]
)
@pytest.mark.parametrize("confirmed", [True, False])
async def test_somebody_elses_number_answers_as_if_it_did_not_exist(typist: Typist, line: str, confirmed: bool) -> None:
    await typist.remember("Bo's own", scope=CLUB, author=BO, subject=BO)

    others = await typist.type(line.format(1), conversation=GROUP, confirmed=confirmed)
    nobodys = await typist.type(line.format(99), conversation=GROUP, confirmed=confirmed)

    assert others.text.replace("#1", "#99") == nobodys.text
    assert others.confirmation is None
    assert [memory.text for memory in await typist.memories(CLUB)] == ["Bo's own"]


@pytest.mark.parametrize("line", ["/memory list", "/memory search tea", "/memory add I like tea", "/memory edit 1 tea", "/memory forget 1"])
async def test_somebody_who_is_nobody_in_particular_has_no_memories(typist: Typist, line: str) -> None:
    answer = await typist.type(line, asker=ADMIN_OF_NOTHING, conversation=GROUP)

    assert answer.text.startswith("You are writing anonymously or as a channel")
    assert answer.private
    assert await typist.memories(CLUB) == []


@pytest.mark.parametrize("line", ["/memory add I like tea", "/memory edit 1 tea"])
async def test_a_persona_without_memory_stores_nothing_and_says_so(typist: Typist, line: str) -> None:
    await typist.type("/persona use rose")

    answer = await typist.type(line)

    assert answer.text == "Rose Red's memory is switched off, so nothing is stored. `/persona list` shows who else could speak here."
    assert await typist.memories(a_scope(persona_id="rose")) == []


async def test_what_a_persona_holds_from_before_can_still_be_seen_and_forgotten(typist: Typist) -> None:
    await typist.remember("Ada likes tea", scope=a_scope(persona_id="rose"))
    await typist.type("/persona use rose")

    listed = await typist.type("/memory list")
    await typist.type("/memory forget 1", confirmed=True)
    empty = await typist.type("/memory list")

    assert listed.text.startswith("Rose Red's memory is switched off: it uses none of these.\n\n**What Rose Red")
    assert empty.text == "Rose Red's memory is switched off, and nothing is stored about you here."


async def test_each_persona_has_a_memory_of_its_own(typist: Typist) -> None:
    await typist.type("/memory add I like tea")
    await typist.type("/persona use rose-2")

    answer = await typist.type("/memory list", conversation=DIRECT)

    assert answer.text.startswith("Rose Red remembers nothing about you here yet.")


async def test_the_list_shows_strength_level_age_pin_and_what_is_no_longer_true(typist: Typist) -> None:
    old = replace(a_memory("Ada has a cat", number=1), importance=0.9, level=Level.DEEP, pinned=True)
    gone = replace(a_memory("Ada lives in Rome", number=2), level=Level.ARCHIVE, importance=0.6, ended_at=START)
    async with typist.store.write() as tx:
        for memory in (old, gone):
            await tx.memories.add(memory)
    typist.clock.move(seconds=20 * 86400)

    answer = await typist.type("/memory list")

    assert "- `#1` ▰▰▰▰▰ 📌 Ada has a cat (deep, 2 weeks old)\n" in answer.text
    assert "- `#2` ▰▱▱▱▱ Ada lives in Rome (archived, no longer true, 2 weeks old)\n" in answer.text


async def test_a_memory_is_listed_with_the_message_it_comes_from(typist: Typist) -> None:
    async with typist.store.write() as tx:
        said = await tx.messages.record(incoming("I like tea", message_id="77", conversation=GROUP), MessageState.DONE)
        assert said is not None
        await tx.memories.add(replace(a_memory("Ada likes tea", scope=CLUB), source_message_ids=(said.id,)))

    answer = await typist.type("/memory list", conversation=GROUP)

    assert "Ada likes tea (working, new, [source](https://discord.com/channels/club/lounge/77))" in answer.text


async def test_what_is_known_already_is_not_added_twice(typist: Typist) -> None:
    await typist.type("/memory add I like tea")

    again = await typist.type("/memory add I  LIKE tea.")

    assert again.text == "I knew that already, and hold it more firmly now: I  LIKE tea.".replace("  ", " ")
    assert len(await typist.memories()) == 1


async def test_a_pinned_memory_does_not_fade_until_it_is_unpinned(typist: Typist) -> None:
    await typist.remember("Ada likes tea")

    pinned = await typist.type("/memory pin 1")
    again = await typist.type("/memory pin 1")
    (kept,) = await typist.memories()
    unpinned = await typist.type("/memory unpin 1")
    free = await typist.type("/memory unpin 1")

    assert (kept.pinned, (await typist.memories())[0].pinned) == (True, False)
    assert pinned.text == "📌 `#1` does not fade any more: Ada likes tea\n\n`/memory unpin 1` lets it."
    assert again.text == "`#1` is pinned already; `/memory unpin 1` lets it fade again."
    assert unpinned.text == "`#1` fades again unless it is used: Ada likes tea"
    assert free.text == "`#1` is not pinned; `/memory pin 1` keeps it from fading."


async def test_nobody_pins_so_much_that_it_crowds_out_the_rest(typist: Typist) -> None:
    await typist.remember(*(f"Ada owns book number {number}" for number in range(1, MOST_PINNED + 2)))

    answers = [await typist.type(f"/memory pin {number}") for number in range(1, MOST_PINNED + 2)]

    assert answers[-2].text.startswith("📌")
    assert answers[-1].text.startswith(f"You have pinned {MOST_PINNED} memories here")
    assert sum(memory.pinned for memory in await typist.memories()) == MOST_PINNED


async def test_a_number_is_found_by_what_the_memory_says_and_nobody_is_shown_those_of_others(typist: Typist) -> None:
    await typist.remember("Ada likes tea", "Ada has a cat", scope=CLUB, subject=ADA)
    await typist.remember("Bo has a cat", scope=CLUB, author=BO, subject=BO)
    call = CommandCall(("memory", "forget"), {}, ADA, GROUP, kind_of(GROUP))

    assert await typist.desk.suggest(call, "number", "cat") == [Choice("#2 Ada has a cat", "2")]
    assert [choice.value for choice in await typist.desk.suggest(call, "number", "")] == ["2", "1"]


async def test_what_another_persona_remembers_is_seen_and_forgotten_by_its_name(typist: Typist) -> None:
    await typist.remember("Ada likes jazz", scope=a_scope(persona_id="rose-2"))
    mine = await typist.type("/memory list")
    hers = await typist.type("/memory list persona:rose-2")
    found = await typist.type("/memory search jazz music persona:rose-2")
    asked = await typist.type("/memory forget 1 persona:rose-2")
    assert asked.confirmation is not None
    gone = await typist.type(f"/{asked.confirmation.line}", confirmed=True)
    nobody = await typist.type("/memory list persona:nobody")

    assert "jazz" not in mine.text
    assert "Ada likes jazz" in hers.text
    assert "Ada likes jazz" in found.text
    assert asked.confirmation.line == "memory forget 1 persona:rose-2"
    assert "Ada likes jazz" not in gone.text
    assert await typist.memories(a_scope(persona_id="rose-2")) == []
    assert nobody.text.startswith("There is no persona “nobody”.")
