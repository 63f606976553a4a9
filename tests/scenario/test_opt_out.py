"""What happens to the words of somebody who opted out, and to what is known of them."""

from dataclasses import replace

from bot.conversation.inbox import FORWARDED_OF_NOBODY
from bot.domain.chat import ConversationKey
from bot.domain.memory import EditOrigin, Remember
from bot.domain.message import Attachment, MessageEdit, MessageState, Person, Quote, Role
from bot.domain.past import CorpusKey, CorpusKind
from bot.domain.privacy import Hidden
from bot.llm.embedders.hashing import HashingEmbedder
from bot.memory.edit import MemoryEditor
from bot.memory.hidden import hidden_there
from bot.memory.past.index import index_vectors
from bot.memory.past.writers import Writers
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_persona, a_scope, incoming
from bot.testing.scripted_model import ScriptedModel
from bot.testing.tokens import WordTokens

SECRET = "zirconium"
"""A word of Ada's, which is to be nowhere."""


async def opt_out(bot: Bot, person: Person = ADA) -> None:
    """Opt a person out."""
    async with bot.store.write() as tx:
        assert await tx.people.opt_out("discord", person.id, bot.clock.now())


async def lines_in(bot: Bot, conversation: ConversationKey = GROUP) -> list[str]:
    """Return all that is kept of what was said there."""
    async with bot.store.read() as tx:
        return [message.text for message in await tx.messages.history(conversation, limit=99)]


async def test_what_is_not_said_to_the_bot_is_not_recorded() -> None:
    async with make_bot(ScriptedModel("Yes.")) as bot:
        await opt_out(bot)

        await bot.say(f"I like {SECRET}", conversation=GROUP, addressed=False)
        await bot.say("Hello all", author=BO, conversation=GROUP, addressed=False)

        assert await lines_in(bot) == ["Hello all"]


async def test_a_question_is_answered_and_then_gone_with_its_answer() -> None:
    model = ScriptedModel(f"You like {SECRET}.<mem_new>Ada likes {SECRET}</mem_new>", "Hello Bo.")
    async with make_bot(model) as bot:
        await opt_out(bot)

        asked = await bot.say(f"I like {SECRET}, right?", conversation=GROUP)
        await bot.settled()

        assert bot.replies == [f"You like {SECRET}."]
        assert SECRET in model.prompts[0].text
        assert await lines_in(bot) == []
        assert await bot.memories_of(a_scope(GROUP)) == []
        async with bot.store.read() as tx:
            assert await tx.people.passing_conversations() == []
            assert len((await tx.corpora.documents(CorpusKey(GROUP))).ids) == 0
            assert await tx.entities.page(a_scope(GROUP).audience, limit=9) == []
            assert await tx.messages.recalled(GROUP) == []

        await bot.receive(incoming("again", message_id=asked, conversation=GROUP))
        await bot.say("Hi", author=BO, conversation=GROUP)
        assert bot.replies[1:] == ["Hello Bo."]
        assert SECRET not in model.prompts[1].text


async def test_two_questions_at_once_share_no_answer_when_one_may_not_be_kept() -> None:
    model = ScriptedModel("For Bo.", "For Ada.")
    async with make_bot(model) as bot:
        await opt_out(bot)
        for author in (BO, ADA):
            await bot.app.inbox.receive(incoming(f"from {author.display_name}", message_id=author.id, author=author, conversation=GROUP))
        await bot.quiet()

        assert bot.replies == ["For Bo.", "For Ada."]
        assert "from Ada" not in model.prompts[0].text
        assert await lines_in(bot) == ["from Bo", "For Bo."]


async def test_what_was_kept_before_stands_in_no_prompt_and_comes_back_with_the_wish() -> None:
    model = ScriptedModel(f"I see.<mem_new>Ada likes {SECRET}</mem_new>", "Bo first.", "Bo again.")
    async with make_bot(model) as bot:
        await bot.say(f"I like {SECRET}", conversation=GROUP)
        await opt_out(bot)

        await bot.say("What does somebody like?", author=BO, conversation=GROUP)
        assert SECRET not in model.prompts[1].text

        async with bot.store.write() as tx:
            await tx.people.opt_in("discord", "ada")
        await bot.say("And now?", author=BO, conversation=GROUP)
        assert SECRET in model.prompts[2].text


async def test_others_claims_about_them_are_not_kept() -> None:
    model = ScriptedModel("Oh.<mem_new>Ada hates tea</mem_new>")
    async with make_bot(model) as bot:
        await bot.say("Hello", conversation=GROUP, addressed=False)
        await bot.settled()
        await opt_out(bot)

        await bot.say("Ada hates tea. Ada lives in Rome.", author=BO, conversation=GROUP)
        await bot.settled()

        assert await bot.memories_of(a_scope(GROUP)) == []
        async with bot.store.read() as tx:
            assert await tx.relations.about(a_scope(GROUP).audience, {"ada"}, limit=9) == []
            (facts,) = await tx.entities.known(a_scope(GROUP).audience, {"ada"})
            assert facts.sentences == ()


async def test_their_words_are_not_kept_as_a_quote_either() -> None:
    async with make_bot(ScriptedModel("Fine.")) as bot:
        await opt_out(bot)
        message = incoming("Look", author=BO, conversation=GROUP)

        await bot.receive(replace(message, quote=Quote("m0", ADA, SECRET)))

        async with bot.store.read() as tx:
            said = await tx.messages.history(GROUP, limit=9)
        assert [(line.text, line.quote) for line in said if line.role is Role.USER] == [("Look", None)]


async def test_no_writer_keeps_a_memory_about_them_or_by_them() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await opt_out(bot)
        async with bot.store.write() as tx:
            editor = MemoryEditor(tx, a_scope(GROUP), bot.personas.get(None).memory, bot.clock.now())
            about = await editor.apply(Remember(1, "likes tea", ADA), EditOrigin("dream", "night", BO))
            by = await editor.apply(Remember(2, "Tea is good", None), EditOrigin("persona:iris", "said", ADA))
            other = await editor.apply(Remember(3, "likes tea", BO), EditOrigin("persona:iris", "said", BO))

        assert (about, by, other) == (False, False, True)


async def test_a_restart_in_the_middle_lets_go_of_what_was_left(database_url: str) -> None:
    async with make_bot(ScriptedModel("Hello."), database=database_url) as bot:
        await opt_out(bot)
        await bot.say("Hello")
        async with bot.store.write() as tx:
            left = await tx.messages.record(incoming(SECRET, message_id="left"), MessageState.DONE)
            assert left is not None
            await tx.people.pass_by(DIRECT, [left.id], bot.clock.now())

    async with make_bot(ScriptedModel(), database=database_url) as bot:
        await bot.quiet()

        async with bot.store.read() as tx:
            assert await tx.messages.get(a_scope().audience, left.id) is None


async def test_a_line_of_before_that_they_change_is_gone() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.receive(incoming("I like tea", message_id="1", conversation=GROUP, addressed=False))
        await opt_out(bot)

        await bot.app.inbox.edit(MessageEdit(GROUP, "1", f"I like {SECRET}"))

        assert await lines_in(bot) == []


async def test_a_word_that_calls_the_bot_by_chance_sends_nothing_of_theirs_to_a_model() -> None:
    async with make_bot(ScriptedModel(), personas=[replace(a_persona(), triggers=("iris",))]) as bot:
        await opt_out(bot)

        await bot.say(f"I saw an iris and {SECRET}", conversation=GROUP, addressed=False)

        assert await lines_in(bot) == []
        assert bot.replies == []


async def test_lines_of_before_go_to_no_embedder() -> None:
    embedder = HashingEmbedder()
    model = ScriptedModel("Hello.", "Hello again.")
    async with make_bot(model) as bot:
        await bot.say(f"I like {SECRET}", conversation=GROUP, addressed=False)
        await bot.say("Hello all", author=BO, conversation=GROUP)
        await bot.settled()
        await opt_out(bot)
        writers = Writers(bot.store, bot.clock, WordTokens(), embedder, None, a_persona(), GROUP)

        assert await index_vectors(writers, CorpusKind.TURNS) == 2

        async with bot.store.read() as tx:
            assert {person.id for person in (await tx.corpora.documents(CorpusKey(GROUP))).people} == {"bo", "iris"}


CY = Person("cy", "Cyril Young")
"""Never writes; others name him by mention, or pass his words on."""


async def hidden_in_group(bot: Bot) -> Hidden:
    """Return who is hidden in the group."""
    async with bot.store.read() as tx:
        return await hidden_there(tx, a_scope(GROUP).audience)


async def test_nothing_is_learned_of_somebody_who_never_wrote_there_and_is_mentioned() -> None:
    model = ScriptedModel("Oh.<mem_new>Cyril Young hates tea</mem_new><mem_new>Cyril lives in Rome</mem_new>")
    async with make_bot(model) as bot:
        await opt_out(bot, CY)
        told = incoming("@Cyril Young hates tea. Cyril lives in Rome. I like jam.", author=BO, conversation=GROUP)

        await bot.receive(replace(told, mentioned=(CY,)))
        await bot.app.inbox.edit(MessageEdit(GROUP, "m1", "@Cyril Young hates tea. Cyril lives in Rome. I like plums.", (CY,)))
        await bot.settled()

        assert await bot.memories_of(a_scope(GROUP)) == []
        async with bot.store.read() as tx:
            assert await tx.relations.about(a_scope(GROUP).audience, {"cyril", "cyril young"}, limit=9) == []
            assert [facts.sentences for facts in await tx.entities.known(a_scope(GROUP).audience, {"cyril young"})] == [()]
            writers = Writers(bot.store, bot.clock, WordTokens(), None, None, a_persona(), GROUP)
            assert [message.text for message in await writers.said(tx, 1, 99)] == ["Oh."]


async def test_who_was_mentioned_before_they_opted_out_is_hidden_by_name_and_a_members_name_stays_theirs() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.receive(replace(incoming("@Cyril Young", author=BO, conversation=GROUP, addressed=False), mentioned=(CY,)))
        await opt_out(bot, CY)
        assert (await hidden_in_group(bot)).named_in("Cyril Young hates tea")

        other = Person("other", "Cyril")
        await bot.say("Hello", author=other, conversation=GROUP, addressed=False)
        await bot.settled()
        again = incoming("@Cyril Young", message_id="m2", author=BO, conversation=GROUP, addressed=False)
        await bot.receive(replace(again, mentioned=(CY,)))
        assert not (await hidden_in_group(bot)).named_in("Cyril likes jam")


async def test_their_words_are_not_kept_when_somebody_passes_them_on() -> None:
    async with make_bot(ScriptedModel("Fine.", "Fine.")) as bot:
        await opt_out(bot, CY)
        passed_on = f"[Forwarded from Cyril Young]\n{SECRET}"
        file = Attachment("a.txt", "text/plain", 9, "", SECRET)

        await bot.receive(replace(incoming(passed_on, author=BO), attachments=(file,), forwarded_from=CY))
        await bot.app.inbox.edit(MessageEdit(DIRECT, "m1", f"{passed_on}!", forwarded_from=CY))
        quote = Quote("m1", BO, SECRET, forwarded_from=CY)
        await bot.receive(replace(incoming("See?", message_id="m2", author=BO), quote=quote))

        async with bot.store.read() as tx:
            said = [line for line in await tx.messages.history(DIRECT, limit=9) if line.role is Role.USER]
        assert [(line.text, line.quote) for line in said] == [(FORWARDED_OF_NOBODY, None), ("See?", None)]


async def test_what_somebody_passes_on_is_not_learned_as_their_own_word() -> None:
    async with make_bot(ScriptedModel()) as bot:
        for number, passed_on in enumerate(("[Forwarded from Ghost]\nI live in Rome.", "[forwarded message]\n> I live in Rome.")):
            await bot.receive(incoming(passed_on, message_id=str(number), author=BO, conversation=GROUP, addressed=False))
        await bot.say("I live in Oslo.", author=BO, conversation=GROUP, addressed=False)
        await bot.settled()

        async with bot.store.read() as tx:
            known = await tx.relations.about(a_scope(GROUP).audience, {"bo"}, limit=9)
        assert [relation.object for relation in known] == ["Oslo"]
