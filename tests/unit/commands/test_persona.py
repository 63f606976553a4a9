"""People see who can speak, and admins choose who does."""

from dataclasses import replace

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.command import Choice, CommandCall
from bot.testing.factories import ADA, DIRECT, GROUP, kind_of
from tests.unit.commands.conftest import Typist

THREAD = replace(GROUP, thread_id="t1")
OTHER_CHANNEL = replace(GROUP, channel_id="kitchen")


async def speaks(typist: Typist, conversation: ConversationKey) -> str:
    """Return the id of the persona that speaks there."""
    (line,) = [line for line in (await typist.type("/persona list", conversation=conversation)).text.splitlines() if "speaks here" in line]
    return line.split("`")[1]


async def test_the_list_shows_everybody_and_who_speaks_here(typist: Typist) -> None:
    answer = await typist.type("/persona list")

    assert answer.text == (
        "**Personas**\n\n"
        "- **Iris** (`iris`) — A \\*calm\\* florist. ← speaks here\n"
        "- **Rose Red** (`rose`)\n"
        "- **Rose Red** (`rose-2`)\n\n"
        "`/persona show` with a name tells more; admins choose one with `/persona use`, and make one with `/persona create`."
    )


async def test_a_persona_is_introduced_with_its_greeting_and_what_it_does(typist: Typist) -> None:
    answer = await typist.type("/persona show")

    assert answer.text == (
        "**Iris** (`iris`)\n\nA \\*calm\\* florist.\n\n> Good day.\n\n"
        "- Language: `en`, time zone: `UTC`\n- Memory: on\n- Answers in groups to: iris"
    )


async def test_another_persona_is_introduced_by_name_whatever_the_case(typist: Typist) -> None:
    assert "(`iris`)" in (await typist.type("/persona show IRIS")).text
    assert "- Memory: off\n- Tools: `roll_dice`" in (await typist.type("/persona show rose")).text


async def test_a_persona_that_is_not_there_names_the_nearest(typist: Typist) -> None:
    answer = await typist.type("/persona show Irsi")

    assert answer.text == "There is no persona “Irsi”. Did you mean `iris`? `/persona list` shows all."


async def test_a_name_that_two_bear_must_be_said_by_id(typist: Typist) -> None:
    answer = await typist.type("/persona show rose red")

    assert answer.text == "Several personas are called “rose red”. Say which one by its id: `rose`, `rose-2`."


async def test_an_admin_chooses_who_speaks_in_this_channel_and_only_there(typist: Typist) -> None:
    answer = await typist.type("/persona use rose", conversation=GROUP, admin=True)

    assert answer.text == "**Rose Red** speaks here from now on, with a memory of its own."
    assert not answer.private
    assert [await speaks(typist, place) for place in (GROUP, THREAD, OTHER_CHANNEL, DIRECT)] == ["rose", "rose", "iris", "iris"]


async def test_in_a_thread_the_choice_is_for_that_thread(typist: Typist) -> None:
    await typist.type("/persona use rose", conversation=THREAD, admin=True)

    assert [await speaks(typist, place) for place in (THREAD, GROUP)] == ["rose", "iris"]


async def test_the_whole_server_can_be_chosen_for_and_a_channel_keeps_its_own(typist: Typist) -> None:
    await typist.type("/persona use rose-2 here", conversation=GROUP, admin=True)

    answer = await typist.type("/persona use rose place:server", conversation=GROUP, admin=True)

    assert "**Rose Red** speaks everywhere in this server from now on" in answer.text
    assert answer.text.endswith("This place has a choice of its own and stays with **Rose Red**; `/persona use` with `here` changes that.")
    assert [await speaks(typist, place) for place in (GROUP, OTHER_CHANNEL, DIRECT)] == ["rose-2", "rose", "iris"]


async def test_in_a_direct_chat_both_places_are_this_chat(typist: Typist) -> None:
    answer = await typist.type("/persona use rose server")

    assert "speaks here from now on" in answer.text
    assert await speaks(typist, DIRECT) == "rose"


@pytest.mark.parametrize("line", ["/persona use rose", "/persona use rose server"])
async def test_a_member_who_is_no_admin_changes_nothing(typist: Typist, line: str) -> None:
    answer = await typist.type(line, conversation=GROUP)

    assert answer.text.startswith("Only admins may use `/persona use` here")
    assert await speaks(typist, GROUP) == "iris"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/persona use nobody-like-that", "There is no persona “nobody-like-that”. `/persona list` shows all."),
        (
            "/persona use rose everywhere",
            "“everywhere” is no place: `here` means this channel or thread, `channel` the channel with its threads, `category` all "
            "channels of its category, `server` the whole server or group. Type `dm` in a direct chat.",
        ),
    ],
)
async def test_a_choice_that_cannot_be_made_says_why_in_private(typist: Typist, line: str, said: str) -> None:
    answer = await typist.type(line, conversation=GROUP, admin=True)

    assert (answer.text, answer.private) == (said, True)
    assert await speaks(typist, GROUP) == "iris"


@pytest.mark.parametrize(
    ("option", "typed", "values"),
    [("persona", "", ["iris", "rose", "rose-2"]), ("persona", "RO", ["rose", "rose-2"]), ("persona", "x", []), ("place", "s", ["server"])],
)
async def test_names_and_places_are_suggested_while_they_are_typed(typist: Typist, option: str, typed: str, values: list[str]) -> None:
    call = CommandCall(("persona", "use"), {}, ADA, GROUP, kind_of(GROUP), asker_is_admin=True)

    choices = await typist.desk.suggest(call, option, typed)

    assert [choice.value for choice in choices] == values


async def test_a_suggestion_tells_who_it_is(typist: Typist) -> None:
    call = CommandCall(("persona", "show"), {}, ADA, GROUP, kind_of(GROUP))

    assert await typist.desk.suggest(call, "name", "iris") == [Choice("Iris – A *calm* florist.", "iris")]


async def test_a_category_is_chosen_for_where_the_platform_tells_one_and_a_choice_is_taken_back(typist: Typist) -> None:
    refused = await typist.type("/persona use rose category", conversation=GROUP, admin=True)
    async with typist.store.write() as tx:
        await tx.places.note(GROUP, "garden")
    await typist.type("/persona use rose category", conversation=GROUP, admin=True)
    before = await speaks(typist, THREAD)

    freed = await typist.type("/persona free category", conversation=GROUP, admin=True)
    again = await typist.type("/persona free category", conversation=GROUP, admin=True)

    assert (refused.private, before, await speaks(typist, THREAD)) == (True, "rose", "iris")
    assert freed.text == "The choice for this place is taken back. **Iris** speaks here now."
    assert again.text.startswith("Nothing was chosen for that place itself.")


async def test_a_persona_greets_once_where_it_is_new_and_knows_that_it_did(typist: Typist) -> None:
    for line in ("/persona use rose", "/persona use iris here no", "/persona use rose"):
        await typist.type(line, conversation=GROUP, admin=True)

    async with typist.store.read() as tx:
        said, unsent = await tx.messages.history(GROUP, limit=9), await tx.outbox.unsent(GROUP)
    assert [(line.persona_id, line.text) for line in said] == [("rose", "Ahoy!")]
    assert [entry.text for entry in unsent] == ["Ahoy!"]
