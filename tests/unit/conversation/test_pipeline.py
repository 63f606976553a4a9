from dataclasses import replace

import pytest

from bot.conversation.notices import notices
from bot.domain.entity import EntityKind, EntityMention
from bot.domain.model import Finished, FinishReason
from bot.domain.persona import MemoryMode, MemoryPolicy
from bot.errors import AnswerFiltered, ContextOverflow, ModelRefused, ModelTrouble, ModelUnavailable, ToolsUnsupported
from bot.testing.bot import make_bot
from bot.testing.factories import DIRECT, GROUP, a_persona, a_scope
from bot.testing.scripted_model import ScriptedModel

ENGLISH, JAPANESE = notices("en"), notices("ja")

NOTHING = [Finished(FinishReason.STOP)]


async def test_model_without_tools_edits_memory_by_tags_in_the_same_turn() -> None:
    model = ScriptedModel(ToolsUnsupported("no tools"), "Noted.<mem_new>Likes tea</mem_new>")

    async with make_bot(model) as bot:
        await bot.say("I like tea")
        kept = [memory.text for memory in await bot.memories()]

    assert kept == ["Likes tea"]
    assert bot.replies == ["Noted."]
    assert model.prompts[1].tools == ()
    assert "<mem_new " in model.prompts[1].messages[0].text


async def test_persona_that_insists_on_tools_gets_no_tags() -> None:
    persona = replace(a_persona(), memory=MemoryPolicy(mode=MemoryMode.TOOLS))
    model = ScriptedModel("A tag: <mem_new>Likes tea</mem_new>")

    async with make_bot(model, personas=[persona]) as bot:
        await bot.say("hi")

        assert await bot.memories() == []


@pytest.mark.parametrize(
    ("problem", "notice"),
    [
        (ModelUnavailable("out"), ENGLISH.unavailable),
        (ModelUnavailable("busy", ModelTrouble.BUSY), ENGLISH.busy),
        (ModelRefused("no key"), ENGLISH.refused),
        (ModelRefused("no credit", ModelTrouble.CREDIT), ENGLISH.credit),
        (AnswerFiltered("filtered"), ENGLISH.filtered),
    ],
)
async def test_people_get_one_friendly_line_when_the_model_fails(problem: Exception, notice: str) -> None:
    model = ScriptedModel(problem, "Better now.")

    async with make_bot(model) as bot:
        await bot.say("hi")
        await bot.say("again")

    assert bot.replies == [notice, "Better now."]
    assert notice not in model.prompts[1].text


async def test_prompt_that_is_too_long_is_asked_again_with_half_the_history_and_the_window_is_remembered() -> None:
    model = ScriptedModel(*["Yes."] * 8, ContextOverflow("too long", limit=4000), "Shorter.", "Later.")

    async with make_bot(model) as bot:
        for _ in range(8):
            await bot.say("word " * 30)
        await bot.say("hi")
        await bot.say("and now?")

    refused, shorter = (len(prompt.messages) for prompt in model.prompts[8:10])
    assert bot.replies[-2:] == ["Shorter.", "Later."]
    assert refused - shorter == 8


async def test_prompt_is_shortened_twice_at_most() -> None:
    model = ScriptedModel(*[ContextOverflow("too long")] * 3, "Better.")

    async with make_bot(model) as bot:
        await bot.say("hi")
        await bot.say("again")

    assert bot.replies == [ENGLISH.too_long, "Better."]


async def test_notice_is_in_the_language_of_the_persona() -> None:
    persona = replace(a_persona(), language="ja")

    async with make_bot(ScriptedModel(ModelUnavailable("out")), personas=[persona]) as bot:
        await bot.say("こんにちは")

    assert bot.replies == [JAPANESE.unavailable]


async def test_silence_in_a_group_is_a_choice() -> None:
    async with make_bot(ScriptedModel(NOTHING)) as bot:
        await bot.say("hm", conversation=GROUP)

        assert bot.replies == []
        assert bot.platform.composing_now == 0


async def test_silence_in_a_direct_chat_is_asked_about_once_more() -> None:
    async with make_bot(ScriptedModel("", "Here I am.", NOTHING, NOTHING)) as bot:
        await bot.say("hello?")
        await bot.say("hello??")
        async with bot.store.read() as tx:
            spent = await tx.usage.totals(DIRECT)

    assert bot.replies == ["Here I am.", ENGLISH.nothing]
    assert spent.prompt_tokens == 2


async def test_names_in_a_message_are_kept_with_its_row_and_sentence() -> None:
    async with make_bot(ScriptedModel("How lovely.")) as bot:
        await bot.say("Yesterday I met Keiko Sato in town.")
        await bot.settled()

        async with bot.store.read() as tx:
            found = await tx.entities.mentions(a_scope(DIRECT).audience, "keiko sato", limit=5)
    assert [mention for _, mention in found] == [EntityMention("Keiko Sato", EntityKind.PERSON, "Yesterday I met Keiko Sato in town.")]


async def test_fact_of_a_failed_turn_is_kept_when_the_model_had_stored_it() -> None:
    model = ScriptedModel("<mem_new>Likes tea</mem_new>", ModelUnavailable("out"))

    async with make_bot(model) as bot:
        await bot.say("I like tea")

        assert [memory.text for memory in await bot.memories()] == ["Likes tea"]
        assert bot.replies == [ENGLISH.unavailable]


async def test_usage_is_summed_a_conversation() -> None:
    async with make_bot(ScriptedModel("One.", "Two.")) as bot:
        await bot.say("a")
        await bot.say("b")

        async with bot.store.read() as tx:
            totals = await tx.usage.totals(DIRECT)
    assert totals.prompt_tokens == 2
