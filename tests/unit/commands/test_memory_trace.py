"""People see where an answer came from, and where a memory did."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.chat import ConversationKey, MemoryScope
from bot.domain.memory import EditOrigin, End, Level, Load, Pin, RecallNote, Remember, Revise, Settle, Tag
from bot.domain.message import MessageState, Person, ReplyTarget
from bot.domain.past import CorpusKind, PastNote, StructuredMemory
from bot.domain.text import utf16_length
from bot.memory.edit import MemoryEditor
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_scope, incoming, kind_of
from tests.unit.commands.conftest import IRIS, Typist

CLUB = a_scope(GROUP)
DAY = 86400


async def answered(typist: Typist, *notes: RecallNote, conversation: ConversationKey = DIRECT, persona_id: str = "iris") -> None:
    """Store an answer with the memories that stood in its prompt."""
    async with typist.store.write() as tx:
        target = ReplyTarget(conversation, kind_of(conversation))
        reply = await tx.messages.record_reply(target, persona_id, persona_id, "Hello.", at=typist.clock.now())
        await tx.messages.note_recalled(reply.id, notes)


async def edited(typist: Typist, *edits: object, actor: str = "persona:iris", scope: MemoryScope | None = None, sources: int = 0) -> None:
    origin = EditOrigin(actor, "said in conversation", ADA, (sources,) if sources else ())
    async with typist.store.write() as tx:
        for edit in edits:
            assert await MemoryEditor(tx, scope or a_scope(), IRIS.memory, typist.clock.now()).apply(edit, origin)  # type: ignore[arg-type]  # any edit


async def test_why_shows_what_stood_in_the_last_prompt_and_what_was_used(typist: Typist) -> None:
    await typist.remember("Ada likes tea", "Ada has a cat", "Ada sings")
    await answered(typist, RecallNote(3, "stood in the prompt by default"))
    await answered(typist, RecallNote(1, "stood in the prompt by default"), RecallNote(2, "shares words with the message", used=True))

    answer = await typist.type("/memory why")

    assert answer.text == (
        "**What Iris had in mind about you at the last answer here**\n\n"
        "- `#1` Ada likes tea — stood in the prompt by default\n"
        "- `#2` Ada has a cat — shares words with the message ✓ used"
    )
    assert answer.private


async def said(typist: Typist, text: str, *, conversation: ConversationKey = DIRECT) -> int:
    async with typist.store.write() as tx:
        message = await tx.messages.record(incoming(text, message_id=text[:9], conversation=conversation), MessageState.DONE)
    assert message is not None
    return message.id


async def recalled(typist: Typist, *past: PastNote, notes: Sequence[RecallNote] = (), conversation: ConversationKey = DIRECT) -> None:
    """Store an answer with what of the past stood in its prompt."""
    async with typist.store.write() as tx:
        target = ReplyTarget(conversation, kind_of(conversation))
        reply = await tx.messages.record_reply(target, "iris", "Iris", "Hello.", at=typist.clock.now())
        await tx.messages.note_recalled(reply.id, notes, past)


async def test_why_shows_what_came_back_of_this_conversation(typist: Typist) -> None:
    await typist.remember("Ada likes tea")
    row = await said(typist, "I am off to *Porto* tomorrow, " + "and that is long " * 20)
    async with typist.store.write() as tx:
        memory = StructuredMemory(0, DIRECT, 0, "Ada's trip", "She goes to Porto.", (), (), row, row, typist.clock.now())
        (kept,) = await tx.pasts.add_structured([memory])
    notes = [PastNote(CorpusKind.TURNS, row, "words: Porto"), PastNote(CorpusKind.STRUCTURED, kept.id, "meaning")]
    await recalled(typist, *notes, notes=[RecallNote(1, "stood in the prompt by default")])

    answer = await typist.type("/memory why")

    assert answer.text == (
        "**What Iris had in mind about you at the last answer here**\n\n"
        "- `#1` Ada likes tea — stood in the prompt by default\n\n"
        "**What came back to Iris of this conversation**\n\n"
        "- 2026-05-03 10:00, Ada: “I am off to \\*Porto\\* tomorrow, and that is long and that is long and that is long and that…”"
        " — words: Porto\n"
        "- 2026-05-03, in short: “Ada's trip” — meaning"
    )


async def test_why_shows_the_past_alone_where_no_memory_was_in_mind(typist: Typist) -> None:
    await recalled(typist, PastNote(CorpusKind.TURNS, await said(typist, "I like tea"), "words: tea"))

    answer = await typist.type("/memory why")

    assert answer.text.startswith("**What came back to Iris of this conversation**")


async def test_why_shows_no_past_of_another_conversation(typist: Typist) -> None:
    elsewhere = await said(typist, "A secret", conversation=GROUP)
    await recalled(typist, PastNote(CorpusKind.TURNS, elsewhere, "words: secret"))

    answer = await typist.type("/memory why")

    assert "secret" not in answer.text


async def test_why_fits_one_message_with_memories_and_past(typist: Typist) -> None:
    await typist.remember(*(f"Fact {number}: " + "tea " * 60 for number in range(1, 30)))
    rows = [await said(typist, f"{number} " + "porridge " * 60) for number in range(20)]
    notes = [RecallNote(number, "stood in the prompt by default") for number in range(1, 30)]
    await recalled(typist, *(PastNote(CorpusKind.TURNS, row, "words: porridge") for row in rows), notes=notes)

    answer = await typist.type("/memory why")

    assert utf16_length(answer.text) <= 2000
    assert "Fact 1" in answer.text
    assert "porridge" in answer.text


async def test_why_says_when_there_was_nothing(typist: Typist) -> None:
    answer = await typist.type("/memory why")

    assert answer.text == "Iris had none of your memories in mind at the last answer here. `/memory list` shows all there are."


async def test_why_shows_nobody_what_was_in_mind_about_others(typist: Typist) -> None:
    await typist.remember("Bo's own", scope=CLUB, author=BO, subject=BO)
    await typist.remember("Ada's own", scope=CLUB, author=ADA, subject=ADA)
    await answered(typist, RecallNote(1, "by default"), RecallNote(2, "by default"), conversation=GROUP)

    answer = await typist.type("/memory why", conversation=GROUP)

    assert "Ada's own" in answer.text
    assert "Bo's" not in answer.text
    assert "#1" not in answer.text


async def test_why_is_about_the_persona_that_answered_last(typist: Typist) -> None:
    await typist.remember("Ada likes tea")
    await typist.remember("Ada told Rose a secret", scope=a_scope(persona_id="rose-2"))
    await answered(typist, RecallNote(1, "by default"), persona_id="iris")
    await typist.type("/persona use rose-2 here no")

    answer = await typist.type("/memory why")

    assert "Ada likes tea" in answer.text
    assert "secret" not in answer.text


async def test_history_shows_who_changed_what_when_and_why(typist: Typist) -> None:
    await edited(typist, Remember(1, "Ada likes tea", ADA))
    typist.clock.move(seconds=10 * DAY)
    await edited(typist, Revise(1, "Ada likes *green* tea"))
    await typist.type("/memory pin 1")

    answer = await typist.type("/memory history 1")

    assert answer.text == (
        "**How `#1` came to be**\n\n> Ada likes \\*green\\* tea\n\n"
        "- 2026-05-13 10:00, you (/memory pin): pinned\n"
        "- 2026-05-13 10:00, Iris (said in conversation): “Ada likes tea” became “Ada likes \\*green\\* tea”; importance 0.55 → 0.80\n"
        "- 2026-05-03 10:00, Iris (said in conversation): added “Ada likes tea”"
    )


async def test_history_tells_every_kind_of_change(typist: Typist) -> None:
    await edited(typist, Remember(1, "Ada likes tea", ADA, importance=0.5))
    await edited(typist, Settle(1, Level.DEEP), Settle(1, Level.ARCHIVE), actor="dream")
    await edited(typist, Load(1), actor="recall")
    await edited(typist, Tag(1), actor="plugin:dice")
    await edited(typist, Pin(1, pinned=True), Pin(1, pinned=False), actor="person:bo")
    await edited(typist, End(1), actor="operator")

    lines = (await typist.type("/memory history 1")).text.splitlines()[4:]

    why = "(said in conversation)"
    assert [line.partition(", ")[2] for line in lines] == [
        f"the operator {why}: no longer true since then",
        f"somebody else {why}: no longer pinned",
        f"somebody else {why}: pinned",
        f"plugin dice {why}: importance 0.50 → 0.60",
        f"recall {why}: archived → working",
        f"a dream {why}: deep → archived",
        f"a dream {why}: working → deep",
        f"Iris {why}: added “Ada likes tea”",
    ]


async def test_history_links_the_messages_it_rests_on(typist: Typist) -> None:
    async with typist.store.write() as tx:
        said = await tx.messages.record(incoming("I like tea", message_id="77", conversation=GROUP), MessageState.DONE)
    assert said is not None
    await edited(typist, Remember(1, "Ada likes tea", ADA), scope=CLUB, sources=said.id)

    answer = await typist.type("/memory history 1", conversation=GROUP)

    assert "(said in conversation, [source](https://discord.com/channels/club/lounge/77)): added" in answer.text


async def test_history_of_a_forgotten_memory_is_gone_with_it(typist: Typist) -> None:
    await typist.remember("Ada likes tea")
    await typist.type("/memory forget 1", confirmed=True)

    answer = await typist.type("/memory history 1")

    assert answer.text == "You have no memory #1 here. `/memory list` shows yours with their numbers."


async def test_anonymous_people_see_neither(typist: Typist) -> None:
    nobody = replace(Person("group-anonymous", "Group"), is_service=True)

    answers = [await typist.type(line, asker=nobody, conversation=GROUP) for line in ("/memory why", "/memory history 1")]

    assert all(answer.text.startswith("You are writing anonymously") for answer in answers)


async def test_show_tells_all_about_one_memory(typist: Typist) -> None:
    async with typist.store.write() as tx:
        await tx.messages.record(incoming("I like tea", message_id="77", conversation=GROUP), MessageState.DONE)
    await edited(typist, Remember(1, "Ada likes *tea*", ADA), scope=CLUB, sources=1)
    typist.clock.move(seconds=DAY)
    await edited(typist, Tag(1), Pin(1, pinned=True), scope=CLUB)

    shown = await typist.type("/memory show 1", conversation=GROUP)
    others = await typist.type("/memory show 1", conversation=GROUP, asker=BO)

    assert shown.private
    assert shown.text.startswith(
        "**Memory `#1`**\n\n> Ada likes \\*tea\\*\n\n- Said by: Ada\n- About: Ada\n- Level: working ▰▰▰▰▱ 📌 pinned\n"
    )
    for line in (
        "- Since: 2026-05-03 10:00",
        "- Last used: 2026-05-04 10:00",
        "- Read it again: https://discord.com/channels/club/lounge/77",
    ):
        assert line in shown.text.splitlines()
    assert "tea" not in others.text


async def test_why_shows_nothing_of_others_who_have_opted_out_since(typist: Typist) -> None:
    row = await said(typist, "I like tea", conversation=GROUP)
    await recalled(typist, PastNote(CorpusKind.TURNS, row, "words: tea"), conversation=GROUP)
    assert "tea" in (await typist.type("/memory why", conversation=GROUP, asker=BO)).text
    async with typist.store.write() as tx:
        await tx.people.opt_out("discord", "ada", typist.clock.now())

    assert "tea" not in (await typist.type("/memory why", conversation=GROUP, asker=BO)).text
    assert "tea" in (await typist.type("/memory why", conversation=GROUP)).text
