import pytest

from bot.domain.chat import BindingTarget, ConversationKey
from bot.domain.command import Answer, CommandCall
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import ADA, DIRECT, GROUP, a_persona, kind_of
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel


class Lacking(RecordingPlatform):
    """A platform whose bot may not do everything."""

    async def missing_rights(self, conversation: ConversationKey) -> list[str]:
        """Return two rights."""
        return ["Send Messages in Threads", "Add Reactions (optional)"]


async def step(bot: Bot, line: str, conversation: ConversationKey = GROUP) -> Answer:
    answer = await bot.command(f"setup {line}".strip(), conversation=conversation, admin=True)
    assert all(0 < len(button.line.encode()) <= 40 for button in answer.buttons)
    assert len(answer.buttons) <= 20
    return answer


def chosen(answer: Answer) -> list[str]:
    return [button.line for button in answer.buttons if button.chosen]


async def test_missing_rights_come_first_by_their_names() -> None:
    async with make_bot(ScriptedModel(), platform=Lacking("discord")) as bot:
        answer = await step(bot, "")

    assert answer.text.startswith("**Set-up 1 of 5: What I may do here**\n\nHere I lack these rights:\n- Send Messages in Threads\n")
    assert [button.line for button in answer.buttons] == ["setup rights", "setup persona", "setup leave"]


async def test_every_step_leads_on_back_and_out_and_the_end_sums_up() -> None:
    async with make_bot(ScriptedModel()) as bot:
        line, seen = "setup", []
        while line != "setup end":
            answer = await bot.command(line, conversation=GROUP, admin=True)
            seen.append(answer.text.splitlines()[0])
            assert answer.buttons[-1].line == "setup leave"
            line = answer.buttons[-2].line
        end, left = await step(bot, "end"), await step(bot, "leave")

    assert seen == [
        "**Set-up 1 of 5: What I may do here**",
        "**Set-up 2 of 5: Who speaks**",
        "**Set-up 3 of 5: When I speak**",
        "**Set-up 4 of 5: What I know where**",
        "**Set-up 5 of 5: Language and time zone**",
    ]
    assert "- `/persona use`: **Iris** – who speaks here (as usual)" in end.text
    assert [button.line for button in end.buttons] == ["setup home", "setup rights", "settings"]
    assert left.buttons == ()


async def test_choices_are_those_of_the_commands_and_hold_everywhere() -> None:
    async with make_bot(ScriptedModel(), personas=[a_persona(), a_persona("otto", name="Otto")]) as bot:
        persona = await step(bot, "persona otto")
        speak = await step(bot, "speak names")
        home = await step(bot, "home de")
        zone = await step(bot, "home Europe/Vienna")
        async with bot.store.read() as tx:
            settings = dict(await tx.settings.all(GROUP.platform, GROUP.space_id))
            bound = await tx.bindings.find([BindingTarget(GROUP.platform, GROUP.space_id)])

    assert bound == "otto"
    assert settings == {"speak.mode": "names", "language": "de", "time_zone": "Europe/Vienna"}
    assert "✓ **Otto** speaks everywhere in this server from now on" in persona.text
    assert chosen(persona) == ["setup persona otto"]
    assert chosen(speak) == ["setup speak names"]
    assert "setup home Europe/Zurich" in [button.line for button in home.buttons]
    assert chosen(zone) == ["setup home de", "setup home Europe/Vienna"]
    assert bot.replies == []


async def test_rooms_share_only_after_a_question() -> None:
    async with make_bot(ScriptedModel()) as bot:
        question = await step(bot, "memory server")
        before = chosen(await step(bot, "memory"))
        await step(bot, "memory server yes")
        typed = chosen(await step(bot, "memory"))
        agreed = await bot.command("setup memory server", conversation=GROUP, admin=True, confirmed=True)
        back = chosen(await step(bot, "memory channel"))

    assert question.confirmation is not None
    assert question.confirmation.line == "setup memory server"
    assert [button.line for button in question.buttons] == ["setup speak", "setup home", "setup leave"]
    assert before == typed == back == ["setup memory channel"]
    assert chosen(agreed) == ["setup memory server"]


async def test_many_personas_come_a_few_at_once() -> None:
    long_id = "a-persona-with-a-name-of-32-signs"[:32]
    async with make_bot(ScriptedModel(), personas=[a_persona(f"p-{number:02}") for number in range(20)] + [a_persona(long_id)]) as bot:
        first, last = await step(bot, "persona"), await step(bot, "persona +3")
        await step(bot, f"persona {long_id}"[:34])
        async with bot.store.read() as tx:
            bound = await tx.bindings.find([BindingTarget(GROUP.platform, GROUP.space_id)])

    assert [button.line for button in first.buttons if button.turns] == ["setup persona +2", "setup rights", "setup speak", "setup leave"]
    assert "setup persona p-19" in [button.line for button in last.buttons]
    assert bound == long_id


@pytest.mark.parametrize("line", ["", "speak every", "nonsense"])
async def test_a_direct_chat_has_the_steps_that_it_needs(line: str) -> None:
    async with make_bot(ScriptedModel()) as bot:
        answer = await step(bot, line, DIRECT)
        home = await step(bot, "home ja", DIRECT)

    assert answer.text.startswith("**Set-up 1 of 2: Who speaks**\n\nChoose who speaks in our chat.")
    assert chosen(home)[0] == "setup home ja"


@pytest.mark.parametrize("line", ["persona nobody", "speak loudly", "memory everywhere", "home Europe/Nowhere"])
async def test_what_does_not_fit_is_told_and_nothing_is_set(line: str) -> None:
    async with make_bot(ScriptedModel()) as bot:
        answer = await step(bot, line)
        async with bot.store.read() as tx:
            assert await tx.settings.all(GROUP.platform, GROUP.space_id) == {}

    assert "leave" in answer.buttons[-1].line


async def test_set_up_is_for_admins() -> None:
    async with make_bot(ScriptedModel()) as bot:
        assert "Only admins may use" in (await bot.command("setup speak every", conversation=GROUP)).text
        async with bot.store.read() as tx:
            assert await tx.settings.all(GROUP.platform, GROUP.space_id) == {}


async def test_steps_are_suggested_as_far_as_there_are_any_here() -> None:
    async with make_bot(ScriptedModel()) as bot:
        group, direct = [
            await bot.app.inbox.suggest(CommandCall(("setup",), {}, ADA, place, kind_of(place), asker_is_admin=True), "step", "")
            for place in (GROUP, DIRECT)
        ]

    assert [choice.value for choice in group] == ["rights", "persona", "speak", "memory", "home"]
    assert [choice.value for choice in direct] == ["persona", "home"]
