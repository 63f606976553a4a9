"""What people on Discord meet when something is in the way: rights, limits, time, and Discord itself."""

from dataclasses import replace

import pytest

from bot.domain.model import Finished, FinishReason
from bot.errors import ModelUnavailable
from bot.platforms.growing import Pace
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.clock import ManualClock
from tests.emulators.discord.interactions import CommandUnavailable
from tests.emulators.discord.objects import Overwrite
from tests.emulators.discord.permissions import Permission
from tests.scenario.discord_stage import IMPATIENT
from tests.scenario.walk.discord_walk import read, walk
from tests.scenario.walk.storyteller import Storyteller


async def test_a_button_works_for_whoever_it_was_shown_to_and_tells_others_so() -> None:
    async with walk(ScriptedModel()) as tea:
        page = await tea.run(tea.ada, "help")
        before = page.content
        told = await tea.discord.click(tea.bo, page, "Memory").answer()
        between = page.content
        await tea.press(tea.ada, page, "Memory")

    assert (told.content, told.ephemeral) == ("This button was shown to somebody else.", True)
    assert (between, page.content == before) == (before, False)


async def test_a_button_works_hours_after_it_was_shown() -> None:
    clock = ManualClock()
    async with walk(ScriptedModel(), discord_time=clock) as tea:
        await tea.run(tea.ada, "memory add", text="I collect stamps")
        question = await tea.run(tea.ada, "memory forget", number=1)
        clock.advance(5 * 3600)
        told = await tea.press(tea.ada, question, "Forget it")

    assert told.content.startswith("Forgotten: `#1` is deleted.")


async def test_a_press_that_discord_gave_up_on_has_still_done_its_work() -> None:
    clock = ManualClock()
    async with walk(ScriptedModel(), discord_time=clock) as tea:
        await tea.run(tea.ada, "memory add", text="I collect stamps")
        question = await tea.run(tea.ada, "memory forget", number=1)
        pressed = tea.discord.click(tea.ada, question, "Forget it")
        clock.advance(4)
        await tea.discord.changes.until(lambda: [call for call in tea.discord.calls if call.status == 404], "the refused answer")
        listed = await tea.run(tea.ada, "memory list")

    assert (pressed.failed, "remembers nothing about you" in listed.content) == (True, True)


async def test_an_answer_grows_to_its_end_although_discord_asks_it_to_slow_down() -> None:
    model = Storyteller("Once there was a kettle", " that sang.")
    async with walk(model, tuning=replace(IMPATIENT, draft=Pace(first=0.0, every=0.01, least=4))) as tea:
        tea.discord.member_says(tea.general, tea.ada, f"{tea.discord.bot.mention} tell me a story")
        answer = await tea.discord.bot_says(tea.general)
        tea.discord.rate_limit_next(0.05, method="PATCH", path=f"/channels/{tea.general.id}/messages", times=2)
        model.go_on.set()
        await tea.discord.changes.until(lambda: answer.content.endswith("sang."), "the end")
        await tea.quiet()

    assert [call.status for call in tea.discord.calls_to("PATCH", "/messages")].count(429) == 2
    assert [message.content for message in tea.discord.said_by_bot(tea.general)] == ["Once there was a kettle that sang."]


async def test_where_discord_hides_what_is_said_the_bot_answers_mentions_and_direct_chats(capsys: pytest.CaptureFixture[str]) -> None:
    async with walk(ScriptedModel("Here!", "Here, too!"), hears_all=False) as tea:
        tea.discord.member_says(tea.general, tea.bo, "among ourselves")
        public = await tea.talk(tea.ada, "are you there?")
        private = await tea.talk(tea.ada, "and here?", tea.discord.dm(tea.ada))

    assert [public.content, private.content] == ["Here!", "Here, too!"]
    assert "Switch on “Message Content Intent”" in "".join(capsys.readouterr())


async def test_a_bot_that_is_invited_again_soon_knows_what_it_knew() -> None:
    async with walk(ScriptedModel("Welcome back to you, too!")) as tea:
        await tea.run(tea.ada, "memory add", text="I bake scones")
        tea.discord.throws_bot_out(tea.guild)
        tea.discord.takes_bot_in(tea.guild)
        answer = await tea.talk(tea.ada, "welcome back!")
        listed = await tea.run(tea.ada, "memory list")

    assert (answer.content, "I bake scones" in listed.content) == ("Welcome back to you, too!", True)


async def test_what_is_for_admins_is_not_offered_to_members_and_refused_where_it_is() -> None:
    async with walk(ScriptedModel()) as tea:
        refused = await tea.run(tea.ada, "persona use", persona="iris")
        with pytest.raises(CommandUnavailable, match="may not use /speak"):
            await tea.run(tea.ada, "speak mode", value="every")

    assert refused.ephemeral
    assert read(refused).startswith("Only admins may use /persona use here")


async def test_a_channel_in_which_the_bot_may_not_write_says_so_to_who_uses_a_command_there() -> None:
    async with walk(ScriptedModel("lost", "Here I may.")) as tea:
        mute = tea.discord.channel(tea.guild, "rules", overwrites=[Overwrite(tea.guild.id, deny=Permission.SEND_MESSAGES)])
        tea.discord.member_says(mute, tea.boss, f"{tea.discord.bot.mention} hello?")
        await tea.quiet()
        named = await tea.run(tea.boss, "setup", mute)
        answer = await tea.talk(tea.ada, "and here?")

    assert (named.ephemeral, "Send Messages" in named.content, tea.discord.said_by_bot(mute)) == (True, True, [])
    assert answer.content == "Here I may."


async def test_a_model_that_does_not_answer_is_said_plainly_and_the_next_message_is_answered() -> None:
    filtered = [Finished(FinishReason.FILTERED)]
    async with walk(ScriptedModel(ModelUnavailable("out of reach"), filtered, "Here I am.")) as tea:
        said = [(await tea.talk(tea.ada, text)).content for text in ("hello?", "something wicked", "and now?")]

    assert said == [
        "I can't get my thoughts together right now. Please try again in a minute.",
        "Something keeps me from answering that. Could you put it another way?",
        "Here I am.",
    ]
