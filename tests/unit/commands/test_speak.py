from dataclasses import replace

import pytest

from bot.domain.command import Answer, Choice, CommandCall
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import ADA, DIRECT, GROUP, kind_of
from bot.testing.scripted_model import ScriptedModel

THREAD = replace(GROUP, thread_id="t1")


async def speak(bot: Bot, line: str) -> Answer:
    return await bot.command(f"speak {line}", conversation=GROUP, admin=True)


async def settings(bot: Bot) -> dict[str, str]:
    async with bot.store.read() as tx:
        return dict(await tx.settings.all(GROUP.platform, GROUP.space_id))


async def test_what_holds_is_shown_with_where_it_comes_from_and_a_button_for_each_mode() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await speak(bot, "mode every server")
        await speak(bot, "limit 5")
        answer = await speak(bot, "show")

    assert "`mode`: **every** – what I answer in a group (set for everywhere)" in answer.text
    assert "`limit`: **5** – answers an hour that nobody asked me for (set here)" in answer.text
    assert "`streams`: **on** – people see my answers grow (as usual)" in answer.text
    assert [(button.line, button.chosen) for button in answer.buttons] == [
        ("speak mode mentions here", False),
        ("speak mode names here", False),
        ("speak mode every here", True),
        ("speak mode choice here", False),
    ]
    assert all(len(button.line.encode()) <= 40 for button in answer.buttons)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        pytest.param("mode every", {"speak.mode@lounge": "every"}, id="here"),
        pytest.param("mode every channel", {"speak.mode@lounge": "every"}, id="channel"),
        pytest.param("mode choice category", {"speak.mode@halls": "choice"}, id="category"),
        pytest.param("mode choice server", {"speak.mode": "choice"}, id="server"),
        pytest.param("words tea, green tea server", {"speak.words": "tea, green tea"}, id="several words"),
        pytest.param('words "tea, dream" channel', {"speak.words@lounge": "tea, dream"}, id="quoted"),
        pytest.param("quiet 23:00-8 Europe/Berlin", {"speak.quiet@lounge": "23:00-08:00 Europe/Berlin"}, id="zone"),
        pytest.param("quiet 23-8", {"speak.quiet@lounge": "23:00-08:00 UTC"}, id="the persona's zone"),
        pytest.param("quiet off", {"speak.quiet@lounge": "off"}, id="off"),
    ],
)
async def test_a_value_is_set_for_the_place_that_was_chosen(line: str, kept: dict[str, str]) -> None:
    async with make_bot(ScriptedModel()) as bot:
        async with bot.store.write() as tx:
            await tx.places.note(GROUP, "halls")
        await speak(bot, line)

        assert await settings(bot) == kept


async def test_reset_takes_a_value_back_and_tells_what_holds() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await speak(bot, "mode every server")
        await speak(bot, "mode choice")
        answer = await speak(bot, "mode reset here")

        assert await settings(bot) == {"speak.mode": "every"}
    assert answer.text.endswith("Here it is **every**, set for everywhere.")


async def test_in_a_thread_the_thread_comes_first() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("speak mode every", conversation=THREAD, admin=True)
        await bot.command("speak mode names channel", conversation=THREAD, admin=True)

        assert await settings(bot) == {"speak.mode@lounge/t1": "every", "speak.mode@lounge": "names"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        pytest.param("mode loud", "`mode` is one of mentions, names, every, choice, not “loud”.", id="value"),
        pytest.param("mode every category", "This channel is in no category.", id="category"),
    ],
)
async def test_what_does_not_work_is_told_and_changes_nothing(line: str, told: str) -> None:
    async with make_bot(ScriptedModel()) as bot:
        answer = await speak(bot, line)

        assert answer.text.startswith(told)
        assert await settings(bot) == {}


async def test_members_may_not_set_it() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("speak mode every", conversation=GROUP)

        assert await settings(bot) == {}


async def test_in_a_direct_chat_it_holds_for_the_asker_alone() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("speak streams off", conversation=DIRECT)
        shown = await bot.command("speak", conversation=DIRECT)

        assert await settings(bot) == {}
    assert "`streams`: **off** – people see my answers grow (set here)" in shown.text.replace("set for everywhere", "set here")
    assert shown.buttons == ()


async def test_a_mode_is_suggested_with_what_it_means() -> None:
    async with make_bot(ScriptedModel()) as bot:
        call = CommandCall(("speak", "mode"), {}, ADA, GROUP, kind_of(GROUP), asker_is_admin=True)

        choices = await bot.app.inbox.suggest(call, "value", "e")

    assert choices == [Choice("every – Every message", "every")]
