"""Admins let further personas answer in a place, and send them away again."""

import asyncio
from dataclasses import replace

import pytest

from bot.domain.chat import ConversationKey
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import ADA, DIRECT, GROUP, a_persona
from bot.testing.scripted_model import ScriptedModel

THREAD, KITCHEN = replace(GROUP, thread_id="t1"), replace(GROUP, channel_id="kitchen")
CAST = (a_persona(), a_persona("rose", name="Rose", greeting="Ahoy."), a_persona("tom", name="Tom"))


async def here(bot: Bot, place: ConversationKey = GROUP) -> list[str]:
    """Return who answers in a place, the one whose place it is first."""
    listed = (await bot.command("persona list", conversation=place)).text.splitlines()
    host = [line.split("`")[1] for line in listed if "← speaks here" in line]
    return host + [line.split("`")[1] for line in listed if "← a guest here" in line]


async def does(bot: Bot, line: str, place: ConversationKey = GROUP) -> str:
    """Type a command as an admin and return the answer."""
    return (await bot.command(f"persona {line}", conversation=place, admin=True)).text


async def test_a_guest_greets_answers_to_its_name_and_goes() -> None:
    async with make_bot(ScriptedModel("Arr.", "A calm hello."), personas=CAST) as bot:
        invited = await does(bot, "invite rose")
        await bot.quiet()
        again = await does(bot, "invite rose")
        own = await does(bot, "invite iris")
        await bot.say("Rose, hello", conversation=GROUP)
        gone = await does(bot, "dismiss rose")
        await bot.say("Rose, hello", conversation=GROUP)

        assert invited.startswith("**Rose** answers here too from now on, with a memory of its own:")
        assert invited.endswith("All else is for **Iris**.")
        assert (again, own) == ("**Rose** answers there already.", "**Iris** answers there already.")
        assert gone == "**Rose** answers here no longer; what it remembers stays. Here now: **Iris**."
        assert bot.replies == ["**Rose**\nAhoy.", "**Rose**\nArr.", "A calm hello."]
        assert (await does(bot, "dismiss rose")).startswith("**Rose** is no guest there.")


async def test_a_narrower_place_keeps_its_own_list_and_goes_back_to_the_wider_one() -> None:
    async with make_bot(ScriptedModel(), personas=CAST) as bot:
        await does(bot, "invite rose server no")
        await does(bot, "invite tom here no", THREAD)
        everywhere = [await here(bot, place) for place in (GROUP, THREAD, KITCHEN)]
        await does(bot, "dismiss rose", THREAD)
        alone = await here(bot, THREAD)
        await does(bot, "dismiss tom", THREAD)
        nobody = await here(bot, THREAD)
        await does(bot, "invite rose here no", THREAD)
        async with bot.store.read() as tx:
            kept = await tx.settings.all("discord", "club")
        elsewhere = await does(bot, "dismiss rose server", KITCHEN)

        assert everywhere == [["iris", "rose"], ["iris", "rose", "tom"], ["iris", "rose"]]
        assert (alone, nobody) == (["iris", "tom"], ["iris"])
        assert kept == {"persona.guests": "rose"}
        assert elsewhere.endswith("Here now: **Iris**.")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        pytest.param("invite nobody", "There is no persona “nobody”.", id="unknown"),
        pytest.param("invite rose moon", "“moon” is no place", id="no place"),
        pytest.param("invite rose category", "This channel is in no category", id="no category"),
    ],
)
async def test_what_cannot_be_is_refused_in_words(line: str, answer: str) -> None:
    async with make_bot(ScriptedModel(), personas=CAST) as bot:
        assert (await does(bot, line)).startswith(answer)
        assert await here(bot) == ["iris"]


async def test_members_invite_nobody_and_everybody_may_in_their_own_chat() -> None:
    async with make_bot(ScriptedModel("Arr."), personas=CAST) as bot:
        refused = await bot.command("persona invite rose", conversation=GROUP, asker=ADA)
        await does(bot, "invite rose", DIRECT)
        await bot.quiet()
        await bot.say("hey Rose!")

        assert await here(bot) == ["iris"]
        assert bot.replies == ["**Rose**\nAhoy.", "**Rose**\nArr."]
    assert "admin" in refused.text


@pytest.mark.parametrize("again", [pytest.param("dismiss", id="went"), pytest.param("schedule", id="hours")])
async def test_what_several_admins_change_at_once_is_all_kept(store_url: str, again: str) -> None:
    crowd = [a_persona(f"p{number}", name=f"P{number}") for number in range(1, 5)]
    line = {"dismiss": "dismiss {}", "schedule": "schedule {} 22:00 06:00 UTC"}[again]
    async with make_bot(ScriptedModel(), personas=[a_persona(), *crowd], database=store_url) as bot:
        await asyncio.gather(*(does(bot, f"invite {persona.id} here no") for persona in crowd))
        invited = await here(bot)
        await asyncio.gather(*(does(bot, line.format(persona.id)) for persona in crowd))

        hours = await does(bot, "schedule")
        assert sorted(invited) == ["iris", "p1", "p2", "p3", "p4"]
        assert (await here(bot) == ["iris"]) is (again == "dismiss")
        assert all((f"`{persona.id}`" in hours) is (again == "schedule") for persona in crowd)


async def test_a_place_takes_a_few_guests() -> None:
    crowd = [a_persona(f"p{number}", name=f"P{number}") for number in range(10)]
    async with make_bot(ScriptedModel(), personas=crowd) as bot:
        said = [await does(bot, f"invite p{number} here no") for number in range(1, 10)]

    assert said[-1] == "A place takes at most 8 guests. Let one go with `/persona dismiss` first."
