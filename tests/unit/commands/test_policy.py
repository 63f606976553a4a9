"""Admins see and set how strongly a persona remembers in their server."""

from dataclasses import replace

import pytest

from bot.domain.command import Answer, CommandCall
from bot.domain.memory import Fold
from bot.domain.message import Person
from bot.domain.text import utf16_length
from bot.memory.policy import RULES
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_scope, kind_of
from tests.unit.commands.conftest import Typist

OTHER_ROOM = replace(GROUP, channel_id="kitchen")


async def told(typist: Typist, line: str) -> str:
    return (await typist.type(line, conversation=GROUP, admin=True)).text


async def test_all_values_are_shown_with_who_has_set_them(typist: Typist) -> None:
    await told(typist, "/memory policy decay_per_day 0.1")

    page = await told(typist, "/memory policy")

    assert [line.split("`")[1] for line in page.splitlines() if line.startswith("- ")] == list(RULES)
    assert "**How Iris remembers here**" in page
    assert "- `decay_per_day` 0.1 (**set here**)" in page
    assert "- `max_working` 40 (as usual)" in page
    assert "- `dream` true (as usual)" in page
    assert utf16_length(page) <= 2000


async def test_what_the_persona_sets_itself_is_marked(typist: Typist) -> None:
    await told(typist, "/persona use rose")

    assert "- `enabled` false (set by the persona)" in await told(typist, "/memory policy")


async def test_a_value_is_explained_with_what_is_allowed(typist: Typist) -> None:
    assert await told(typist, "/memory policy decay_per_day") == (
        "**decay_per_day** — importance that a memory loses in a day: a number from 0 to 1.\n\nHere it is 0.02 (as usual)."
    )


async def test_a_value_that_is_set_holds_in_the_whole_server_and_nowhere_else(typist: Typist) -> None:
    answer = await told(typist, "/memory policy max_pulled 7")

    here, next_door, elsewhere = [
        (await typist.type("/memory policy max_pulled", conversation=place, admin=True)).text for place in (GROUP, OTHER_ROOM, DIRECT)
    ]
    assert answer == "`max_pulled` is 7 here from now on; it was 3. `/memory policy max_pulled reset` takes that back."
    assert "Here it is 7 (**set here**)." in here
    assert next_door == here
    assert "Here it is 3 (as usual)." in elsewhere


async def test_each_person_has_a_policy_of_their_own_in_their_direct_chats(typist: Typist) -> None:
    await typist.type("/memory policy dream off", asker=ADA)

    ada, bo = [(await typist.type("/memory policy dream", asker=asker)).text for asker in (ADA, BO)]

    assert "Here it is false" in ada
    assert "Here it is true" in bo


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/memory policy decay_per_day 2", "decay_per_day is a number from 0 to 1, not '2'."),
        ("/memory policy decay_rate 0.1", "There is no “decay_rate” in a memory policy. Did you mean `decay_per_day`?"),
        ("/memory policy zzz", "There is no “zzz” in a memory policy. `/memory policy` shows all."),
        (
            "/memory policy archive_below 0.5",
            "That would not work: archive_below (0.5) must not be above demote_below (0.25). Change the other one first.",
        ),
    ],
)
async def test_what_does_not_work_is_refused_with_what_does(typist: Typist, line: str, said: str) -> None:
    assert await told(typist, line) == said
    assert "set here" not in await told(typist, "/memory policy")


async def test_what_was_set_can_be_taken_back(typist: Typist) -> None:
    for line in ("/memory policy preset seed", "/memory policy decay_per_day 0.1", "/memory policy pull off"):
        await told(typist, line)

    one = await told(typist, "/memory policy decay_per_day reset")
    everything = await told(typist, "/memory policy reset")
    nothing = [await told(typist, line) for line in ("/memory policy reset", "/memory policy pull reset")]

    assert one == "`decay_per_day` is 0.05 here again."
    assert everything == "Taken back: 2 values. Personas remember here as their own files say again."
    assert nothing == [
        "Nothing is set here, so there is nothing to take back.",
        "`pull` is not set here, so there is nothing to take back.",
    ]


async def test_what_is_added_weighs_as_much_as_the_policy_says(typist: Typist) -> None:
    await told(typist, "/memory policy new_importance 0.4")

    await typist.type("/memory add I like tea", conversation=GROUP)

    assert [memory.importance for memory in await typist.memories(a_scope(GROUP))] == [0.4]


async def test_a_new_value_lets_the_prompt_be_laid_down_anew_here(typist: Typist) -> None:
    async with typist.store.write() as tx:
        await tx.memories.set_fold(a_scope(GROUP), Fold(working=(1,)))

    await told(typist, "/memory policy working_tokens 200")

    async with typist.store.read() as tx:
        assert await tx.memories.fold(a_scope(GROUP)) is None


@pytest.mark.parametrize("asker", [ADA, Person("group-anonymous", "Group", is_service=True)])
async def test_others_than_admins_are_refused(typist: Typist, asker: Person) -> None:
    admin = asker.is_service
    answer = await typist.type("/memory policy decay_per_day 1", asker=asker, conversation=GROUP, admin=admin)

    assert answer.text.startswith(("Only admins may use", "You are writing anonymously"))
    assert "Here it is 0.02" in await told(typist, "/memory policy decay_per_day")


async def test_names_and_values_are_suggested(typist: Typist) -> None:
    def call(**options: str) -> CommandCall:
        return CommandCall(("memory", "policy"), options, ADA, GROUP, kind_of(GROUP), asker_is_admin=True)

    names = await typist.desk.suggest(call(), "name", "below")
    modes = await typist.desk.suggest(call(name="mode"), "value", "")
    switch = await typist.desk.suggest(call(name="dream"), "value", "t")
    number = await typist.desk.suggest(call(name="max_pulled"), "value", "")

    assert [choice.value for choice in names] == ["demote_below", "archive_below", "forget_below"]
    assert [choice.value for choice in modes] == ["automatic", "tools", "tags", "reset"]
    assert [choice.value for choice in switch] == ["true"]
    assert [choice.value for choice in number] == ["reset"]


async def test_the_answer_is_for_the_admin_alone(typist: Typist) -> None:
    answer: Answer = await typist.type("/memory policy", conversation=GROUP, admin=True)

    assert answer.private
