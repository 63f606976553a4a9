"""Several personas in one place: who answers what, how people see it, and that neither knows what the other does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.conversation.bylines import bold_name
from bot.domain.casting import GUESTS
from bot.domain.message import Byline, Person, Quote, ReplyTarget, Role
from bot.domain.persona import Avatar
from bot.domain.speaking import PREFIX
from bot.ports.platform import GetPicture
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import ADA, BO, GROUP, a_persona, incoming
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel

IRIS = a_persona(voice="You are Iris the florist.")
ROSE = replace(a_persona("rose", name="Rose", voice="You are Rose the pirate."), triggers=("captain",))


class ShowingPlatform(RecordingPlatform):
    """Shows who speaks by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: list[Avatar | None] = []

    async def shows_byline(self, target: ReplyTarget, picture: GetPicture) -> bool:
        """Say so, and fetch the picture."""
        self.pictures.append(await picture())
        return target.byline is not None


@asynccontextmanager
async def shared(model: ScriptedModel, *, burst_seconds: float = 0.0, platform: RecordingPlatform | None = None) -> AsyncIterator[Bot]:
    """Run a bot with a guest in its group."""
    async with make_bot(model, personas=[IRIS, ROSE], burst_seconds=burst_seconds, platform=platform) as bot:
        async with bot.store.write() as tx:
            await tx.settings.set("discord", "club", GUESTS, "rose")
        yield bot


def lines(model: ScriptedModel, number: int) -> list[tuple[Role, str]]:
    return [(message.role, message.text) for message in model.prompts[number].messages if message.role is not Role.SYSTEM]


async def test_each_answers_what_is_for_it_and_sees_the_other_as_somebody_else() -> None:
    model = ScriptedModel("Arr.", "Roses are red.", "Arr again.")

    async with shared(model) as bot:
        await bot.say("Rose, hello", conversation=GROUP)
        await bot.say("and what about tea?", conversation=GROUP)
        await bot.receive(replace(incoming("go on", conversation=GROUP), quote=Quote("sent-1", Person("1", "Baku", is_bot=True), "")))

    assert bot.replies == ["**Rose**\nArr.", "**Iris**\nRoses are red.", "**Rose**\nArr again."]
    assert lines(model, 2) == [
        (Role.USER, "Ada (id ada): Rose, hello"),
        (Role.ASSISTANT, "Arr."),
        (Role.USER, "Ada (id ada): and what about tea?"),
        (Role.USER, "Iris (id iris): Roses are red."),
        (Role.USER, "Ada (id ada): [in reply to Baku (id 1): ]\n  go on"),
    ]
    assert "the florist" in model.prompts[1].text
    assert "the pirate" not in model.prompts[1].text


async def test_a_burst_for_two_personas_becomes_two_turns() -> None:
    model = ScriptedModel("Arr to both.", "Tea it is.")

    async with shared(model, burst_seconds=1.5) as bot:
        for number, (author, text) in enumerate([(ADA, "captain?"), (BO, "Rose, me too"), (ADA, "tea, anybody?")]):
            await bot.app.inbox.receive(incoming(text, message_id=str(number), author=author, conversation=GROUP))
        await bot.quiet()

    assert bot.replies == ["**Rose**\nArr to both.", "**Iris**\nTea it is."]
    assert [sent.target.reply_to for sent in bot.platform.sent] == ["1", "2"]


async def test_what_one_was_told_never_stands_in_the_prompt_of_the_other() -> None:
    model = ScriptedModel("Aye.<mem_new>Ada hides gold on Elm Isle</mem_new>", "Hm.", "Yes.<mem_new>Ada grows figs</mem_new>", "Aye aye.")

    async with shared(model) as bot:
        await bot.say("Rose, I hide gold on Elm Isle", conversation=GROUP)
        await bot.command("new", conversation=GROUP, admin=True)
        await bot.say("where is my gold, do you know?", conversation=GROUP)
        await bot.say("I grow figs", conversation=GROUP)
        await bot.command("new", conversation=GROUP, admin=True)
        await bot.say("Rose, what do I grow?", conversation=GROUP)
        kept = {each: [memory.text for memory in await bot.memories(GROUP, persona_id=each)] for each in ("iris", "rose")}

    assert kept == {"iris": ["Ada grows figs"], "rose": ["Ada hides gold on Elm Isle"]}
    assert "memories>" in model.prompts[3].text
    assert "Elm Isle" in model.prompts[3].text
    assert "memory id" not in model.prompts[1].text
    assert "figs</" not in model.prompts[3].text


async def test_a_persona_is_called_by_name_without_a_mention_and_by_nothing_less() -> None:
    model = ScriptedModel("Arr.", "Arr!", "Green ones.")

    async with shared(model) as bot:
        for text in ("a rose is a rose", "Rose, are you there?", "where is the captain", "hm"):
            await bot.say(text, conversation=GROUP, addressed=False)
        async with bot.store.write() as tx:
            await tx.settings.set("discord", "club", f"{PREFIX}mode", "names")
        await bot.say("which leaves has a rose", conversation=GROUP, addressed=False)

    assert bot.replies == ["**Rose**\nArr.", "**Rose**\nArr!", "**Rose**\nGreen ones."]


async def test_drafts_bear_the_name_and_a_platform_that_shows_it_gets_none() -> None:
    model, showing = ScriptedModel("Arr, matey.", "Hello."), ShowingPlatform()

    async with shared(ScriptedModel("Arr, matey.")) as bot:
        await bot.say("Rose, hello", conversation=GROUP)
        drafts = bot.platform.drafts
    async with shared(model, platform=showing) as bot:
        async with bot.store.write() as tx:
            await tx.personas.set_avatar("discord", "club", "rose", Avatar("image/png", b"png"))
        await bot.say("Rose, hello", conversation=GROUP)
        await bot.say("hello")

    assert drafts[-1] == "**Rose**\nArr, matey."
    assert bot.replies == ["Arr, matey.", "Hello."]
    assert [sent.target.byline for sent in bot.platform.sent] == [Byline("rose", "Rose"), None]
    assert showing.pictures == [Avatar("image/png", b"png")] * 2


async def test_what_another_bot_says_in_a_personas_name_makes_none_answer() -> None:
    model = ScriptedModel("never")
    echo = Person("9", "Rose", is_bot=True, is_service=True)

    async with shared(model) as bot:
        for addressed in (True, False):
            await bot.say("Iris, what do you say?", author=echo, conversation=GROUP, addressed=addressed)

    assert (bot.replies, model.prompts) == ([], [])


def test_a_name_cannot_break_out_of_its_line() -> None:
    assert bold_name(Byline("x", "The *Great*\n# [One](x)")) == "**The \\*Great\\* \\# \\[One\\](x)**\n"


async def test_a_new_answer_more_of_it_and_taking_it_back_are_of_the_persona_that_spoke() -> None:
    model = ScriptedModel("Arr.<mem_new>Ada sails</mem_new>", "Tea.<mem_new>Ada has tea</mem_new>", "Green tea.", "With milk.")

    async with shared(model, burst_seconds=1.5) as bot:
        for number, text in enumerate(("Rose, I sail", "and I have tea")):
            await bot.app.inbox.receive(incoming(text, message_id=str(number), conversation=GROUP))
        await bot.quiet()
        await bot.command("regenerate", conversation=GROUP)
        await bot.quiet()
        kept = {each: [memory.text for memory in await bot.memories(GROUP, persona_id=each)] for each in ("iris", "rose")}
        await bot.command("continue", conversation=GROUP)
        await bot.quiet()
        await bot.command("undo", conversation=GROUP, confirmed=True)
        async with bot.store.read() as tx:
            left = [(line.role, line.text) for line in await tx.messages.history(GROUP, limit=9)]

    assert bot.replies == ["**Rose**\nArr.", "**Iris**\nTea.", "**Iris**\nGreen tea.", "**Iris**\nWith milk."]
    assert kept == {"iris": [], "rose": ["Ada sails"]}
    assert left == [(Role.USER, "Rose, I sail"), (Role.ASSISTANT, "Arr.")]
