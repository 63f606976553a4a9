"""What every store's Erasures must do; part of `bot.testing.store_contract`."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

from bot.domain.chat import Audience, AudienceKind, ConversationKey, ConversationKind
from bot.domain.entity import EntityKind, EntityMention
from bot.domain.erasing import (
    DeletedMessages,
    Departure,
    ErasedPlace,
    ErasurePlan,
    ErasureState,
    ErasureTarget,
    Kept,
    OneConversation,
    OneMemory,
    OnePerson,
    OneSpace,
)
from bot.domain.memory import EditOrigin, Remember, Revise
from bot.domain.message import MessageState, Quote, ReplyTarget, StoredMessage
from bot.domain.past import Chunk, ChunkState, Relation
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import MemoryEditor
from bot.ports.store import Store, Transaction
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_scope, incoming

SCOPE = a_scope(GROUP)
HERE = SCOPE.audience
LATER = START + timedelta(days=9)
"""When stamps of the start are let go."""


async def say(tx: Transaction, message_id: str, text: str = "hello", *, here: ConversationKey = GROUP, bo: bool = False) -> StoredMessage:
    """Record a message of Ada's, or of Bo's."""
    message = incoming(text, message_id=message_id, author=BO if bo else ADA, conversation=here)
    stored = await tx.messages.record(message, MessageState.HEARD)
    assert stored is not None
    return stored


async def remember(tx: Transaction, text: str, *rows: int, revised: str = "", by: int = 0) -> None:
    """Remember a fact that rests on messages, and revise it by another."""
    editor, number = MemoryEditor(tx, SCOPE, MemoryPolicy(), START), await tx.memories.reserve_number(SCOPE)
    await editor.apply(Remember(number, text, ADA), EditOrigin("persona:iris", "said", ADA, rows))
    if revised:
        await editor.apply(Revise(number, revised), EditOrigin("persona:iris", "said", ADA, (by,)))


class ErasureOrdersContract:
    """One test a sentence of the port's docstrings."""

    async def test_an_erasure_is_kept_with_all_it_needs_until_it_ends(self, store: Store) -> None:
        plan = ErasurePlan((ErasedPlace(GROUP, (HERE,), is_whole=True),), (HERE,), (Audience(AudienceKind.SPACE, "discord:club"),))
        targets: list[ErasureTarget] = [
            OneMemory(SCOPE, 3, "ada"),
            DeletedMessages(GROUP, ("1", "2")),
            OnePerson("discord", "ada", GROUP),
            OnePerson("discord", "ada", space_id="club"),
            OneConversation(replace(GROUP, discussion="「庭」")),
            OneSpace("discord", "club"),
        ]
        async with store.write() as tx:
            begun = [await tx.erasures.begin(target, plan, START) for target in targets]
            await tx.erasures.keep(replace(begun[0], counts={Kept.MESSAGES: 4}))
            await tx.erasures.end(begun[1].id)

        async with store.read() as tx:
            left = list(await tx.erasures.unfinished())
        assert left == [replace(begun[0], counts={Kept.MESSAGES: 4}), *begun[2:]]
        assert [erasure.target for erasure in left] == [targets[0], *targets[2:]]

    async def test_what_names_the_target_is_gone_when_the_tables_are_done(self, store: Store) -> None:
        async with store.write() as tx:
            begun = await tx.erasures.begin(OnePerson("discord", "ada"), ErasurePlan((ErasedPlace(GROUP, (HERE,)),)), START)
            done = replace(begun, target=None, plan=ErasurePlan(), state=ErasureState.WIPING)
            await tx.erasures.keep(done)

        async with store.read() as tx:
            assert list(await tx.erasures.unfinished()) == [done]

    async def test_its_messages_are_left_out_of_histories_from_the_beginning_on(self, store: Store) -> None:
        async with store.write() as tx:
            await say(tx, "1")
            bos = await say(tx, "2", bo=True)
            await tx.erasures.begin(OnePerson("discord", "ada", GROUP), ErasurePlan((ErasedPlace(GROUP, (HERE,)),)), START)

        async with store.read() as tx:
            assert list(await tx.messages.page(GROUP, limit=9)) == [bos]


class ErasureStampsContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_place_gets_a_new_stamp_and_no_other_does(self, store: Store) -> None:
        async with store.write() as tx:
            assert list(await tx.erasures.hold([str(GROUP), str(DIRECT)])) == [0, 0]
            await tx.erasures.stamp([str(GROUP)], START)

        async with store.read() as tx:
            group, direct = await tx.erasures.hold([str(GROUP)]), await tx.erasures.hold([str(DIRECT)])
        assert group[0]
        assert list(direct) == [0]

    async def test_no_stamp_comes_twice(self, store: Store) -> None:
        seen: list[int] = []
        for day in range(5):
            async with store.write() as tx:
                await tx.erasures.stamp([str(GROUP)], START + timedelta(days=9 * day))
                seen += await tx.erasures.hold([str(GROUP)])

        assert len(set(seen)) == 5

    async def test_of_two_writers_that_hold_a_place_the_second_waits_and_sees_the_new_stamp(self, store: Store) -> None:
        stamps = []

        async def hold_and_stamp() -> None:
            async with store.write() as tx:
                stamps.append((await tx.erasures.hold([str(GROUP)]))[0])
                await asyncio.sleep(0.01)
                await tx.erasures.stamp([str(GROUP)], START)

        await asyncio.gather(*(hold_and_stamp() for _ in range(4)))

        assert len(set(stamps)) == 4

    async def test_a_message_that_is_not_expected_is_never_recorded(self, store: Store) -> None:
        message = incoming("again", message_id="1", conversation=GROUP)
        discussed = replace(message, conversation=replace(GROUP, discussion="tea"))
        async with store.write() as tx:
            await tx.erasures.expect_none(GROUP, ["1"], START)
            assert await tx.messages.record(message, MessageState.HEARD) is None
            assert await tx.messages.record(discussed, MessageState.HEARD) is None
            assert await tx.messages.record(replace(message, conversation=DIRECT), MessageState.HEARD)
            await tx.erasures.expect_none(GROUP, ["2"], LATER)
            assert await tx.messages.record(message, MessageState.HEARD) is None
            assert await tx.erasures.erased_messages(GROUP, ["1", "2", "3", ""]) == {"1", "2"}

    async def test_a_quote_does_not_bring_an_erased_message_back(self, store: Store) -> None:
        quoting = replace(incoming("so?", message_id="2", author=BO, conversation=GROUP), quote=Quote("1", ADA, "secret"))
        async with store.write() as tx:
            await tx.erasures.expect_none(GROUP, ["1"], START)
            theirs = await tx.messages.record(quoting, MessageState.HEARD)
            other = await tx.messages.record(replace(quoting, message_id="4", quote=Quote("3", ADA, "hello")), MessageState.HEARD)

        assert theirs is not None
        assert other is not None
        assert (theirs.text, theirs.quote) == ("so?", None)
        assert other.quote == Quote("3", ADA, "hello")


class ErasedMessagesContract:
    """One test a sentence of the port's docstrings."""

    async def test_messages_are_found_by_person_and_id_failed_ones_too(self, store: Store) -> None:
        async with store.write() as tx:
            one, two, three = await say(tx, "1"), await say(tx, "2", bo=True), await say(tx, "3")
            await tx.messages.set_state([one.id], MessageState.FAILED)
            reply = await tx.messages.record_reply(ReplyTarget(GROUP, ConversationKind.GROUP), "ada", "Ada the bot", "hi", at=START)

            theirs = await tx.erasures.said(GROUP, person_id="ada", limit=9)
            named = await tx.erasures.said(GROUP, message_ids=["2", "9"], limit=9)
            everything = await tx.erasures.said(GROUP, limit=3)

        assert [said.id for said in theirs] == [one.id, three.id]
        assert [said.id for said in named] == [two.id]
        assert [said.id for said in everything] == [one.id, two.id, three.id]
        assert reply.author.id == "ada"

    async def test_quotes_go_and_the_messages_around_them_stay(self, store: Store) -> None:
        async with store.write() as tx:
            one = await say(tx, "1", "secret")
            quoting = replace(incoming("so?", message_id="2", author=BO, conversation=GROUP), quote=Quote("1", ADA, "secret"))
            assert await tx.messages.record(quoting, MessageState.HEARD)
            taken = await tx.erasures.take_messages(GROUP, [one], at=START)

        async with store.read() as tx:
            (left,) = await tx.messages.page(GROUP, limit=9)
        assert (left.text, left.quote) == ("so?", None)
        assert taken.counts == {Kept.MESSAGES: 1, Kept.QUOTES: 1}

    async def test_unsent_answers_are_found_and_go_with_their_line(self, store: Store) -> None:
        target = ReplyTarget(GROUP, ConversationKind.GROUP, "1")
        async with store.write() as tx:
            await say(tx, "1")
            row = await tx.messages.record_reply(target, "iris", "Iris", "hi", at=START)
            await tx.outbox.put(target, "hi", row.id)
            answers = await tx.erasures.answers(GROUP, ["1"])
            await tx.erasures.take_messages(GROUP, answers, at=START)

            assert [answer.id for answer in answers] == [row.id]
            assert list(await tx.outbox.unsent(GROUP)) == []

    async def test_a_condensed_chunk_falls_apart_again_and_an_empty_one_goes(self, store: Store) -> None:
        async with store.write() as tx:
            rows = [await say(tx, str(number)) for number in range(4)]
            ids = [row.id for row in rows]
            parts = [Chunk(0, GROUP, 0, row, row, 1, START, START, f"about {row}", ChunkState.DONE) for row in ids[:3]]
            planned = await tx.pasts.plan(GROUP, parts)
            whole = Chunk(0, GROUP, 0, ids[0], ids[2], 3, START, START, "about all", ChunkState.DONE, depth=1)
            (one,) = await tx.pasts.plan(GROUP, [whole])
            for part in planned:
                await tx.pasts.put(replace(part, condensed_into=one.id))
            await tx.erasures.take_messages(GROUP, [rows[1]], at=START)

        async with store.read() as tx:
            left = await tx.pasts.chunks(GROUP, 0, limit=9)
        assert [(chunk.first_row, chunk.summary, chunk.state) for chunk in left] == [
            (ids[0], f"about {ids[0]}", ChunkState.DONE),
            (ids[2], f"about {ids[2]}", ChunkState.DONE),
        ]

    async def test_a_name_that_nothing_mentions_any_more_goes_and_others_are_counted_anew(self, store: Store) -> None:
        async with store.write() as tx:
            one, two = await say(tx, "1"), await say(tx, "2")
            await tx.entities.add(HERE, one.id, [_place("PARIS"), _place("Rome")])
            await tx.entities.add(HERE, two.id, [_place("Paris")])
            await tx.erasures.take_messages(GROUP, [one], at=START)

        async with store.read() as tx:
            left = await tx.entities.page(HERE, limit=9)
            assert not await tx.entities.known(HERE, ["rome"])
        assert [(facts.name, facts.mentions, facts.sentences) for facts in left] == [("Paris", 1, ("in Paris",))]

    async def test_what_a_message_had_ended_holds_again_unless_something_took_its_place(self, store: Store) -> None:
        async with store.write() as tx:
            rows = [await say(tx, str(number)) for number in range(4)]
            for row, place in zip(rows[:3], ("Paris", "Rome", "Oslo"), strict=True):
                held = await tx.relations.timeline(HERE, "Bo", "lives_in", limit=9)
                await tx.relations.end(HERE, [each.id for each in held], at=START, by_row=row.id)
                await tx.relations.add(HERE, Relation("Bo", "lives_in", place, START, row.id, f"in {place}"))
            await tx.erasures.take_messages(GROUP, [rows[1]], at=START)
            then = await tx.relations.timeline(HERE, "Bo", "lives_in", limit=9)
            await tx.erasures.take_messages(GROUP, [rows[2]], at=START)
            last = await tx.relations.timeline(HERE, "Bo", "lives_in", limit=9)

        assert [(relation.object, relation.valid_to is None) for relation in then] == [("Paris", False), ("Oslo", True)]
        assert [(relation.object, relation.valid_to is None) for relation in last] == [("Paris", False)]


class ErasedMemoriesContract:
    """One test a sentence of the port's docstrings."""

    async def test_memories_are_found_by_their_own_messages_and_by_those_of_their_journal(self, store: Store) -> None:
        async with store.write() as tx:
            one, two, three = await say(tx, "1"), await say(tx, "2"), await say(tx, "3")
            await remember(tx, "Lives in Paris", one.id, revised="Lives in Rome", by=two.id)
            await remember(tx, "Likes tea", three.id)
            resting = await tx.erasures.resting(HERE, [two.id])
            elsewhere = await tx.erasures.resting(a_scope(DIRECT).audience, [two.id])

        assert [(each.number, each.rows, each.texts, each.before) for each in resting] == [
            (1, frozenset({one.id, two.id}), ("Lives in Paris", "Lives in Rome"), ("Lives in Paris",))
        ]
        assert not elsewhere

    async def test_a_memory_that_stays_rests_on_less_and_says_nothing_of_before(self, store: Store) -> None:
        async with store.write() as tx:
            one, two = await say(tx, "1"), await say(tx, "2")
            await remember(tx, "Lives in Paris", one.id, revised="Lives in Rome", by=two.id)
            (resting,) = await tx.erasures.resting(HERE, [one.id])
            counts = await tx.erasures.trim(resting, [one.id])

            (memory,) = await tx.memories.page(SCOPE, limit=9)
            journal = await tx.memories.journal(SCOPE, limit=9)
        assert (memory.text, memory.source_message_ids) == ("Lives in Rome", ())
        assert [(line.before, line.after and line.after.text) for line in journal] == [(None, "Lives in Rome"), (None, None)]
        assert counts == {Kept.REVISIONS: 2}

    async def test_a_memory_goes_with_its_journal_and_a_line_says_so(self, store: Store) -> None:
        async with store.write() as tx:
            await remember(tx, "Lives in Paris", 1, revised="Lives in Rome", by=2)
            (memory,) = await tx.memories.page(SCOPE, limit=9)
            counts = await tx.erasures.take_memory(SCOPE, 1, memory.id, START)
            again = await tx.erasures.take_memory(SCOPE, 9, uuid4(), START)

            journal = await tx.memories.journal(SCOPE, limit=9)
            assert await tx.memories.count(SCOPE) == 0
        assert [(line.number, line.before, line.after, line.actor) for line in journal] == [(1, None, None, "erased")]
        assert counts == {Kept.MEMORIES: 1, Kept.REVISIONS: 2}
        assert not any(again.values())


class ErasedPlacesContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_person_is_found_where_they_spoke_were_quoted_or_are_known(self, store: Store) -> None:
        kitchen, hall = (ConversationKey("discord", "club", name) for name in ("kitchen", "hall"))
        async with store.write() as tx:
            await say(tx, "1")
            quoting = replace(incoming("so?", message_id="2", author=BO, conversation=kitchen), quote=Quote("x", ADA, "hm"))
            assert await tx.messages.record(quoting, MessageState.HEARD)
            row = await say(tx, "3", here=hall, bo=True)
            await tx.entities.add(a_scope(hall).audience, row.id, [EntityMention("Ada", EntityKind.PERSON, "", "ada")])
            await say(tx, "4", here=ConversationKey("discord", "club", "attic"), bo=True)

            found = await tx.erasures.conversations(OnePerson("discord", "ada"))
            nowhere = await tx.erasures.conversations(OnePerson("telegram", "ada"))

        assert set(found) == {GROUP, kitchen, hall}
        assert not nowhere

    async def test_people_of_direct_chats_are_told_and_those_of_groups_are_not(self, store: Store) -> None:
        async with store.write() as tx:
            await say(tx, "1")
            await say(tx, "1", here=DIRECT)

            assert list(await tx.erasures.people_in_direct(DIRECT)) == ["ada"]
            assert list(await tx.erasures.people_in_direct(GROUP)) == []

    async def test_a_space_that_was_left_is_noted_once_until_the_bot_is_back(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.erasures.left("discord", "club", START)
            await tx.erasures.left("discord", "club", LATER)
            await tx.erasures.left("discord", "pub", LATER)
            assert list(await tx.erasures.departures()) == [Departure("discord", "club", START), Departure("discord", "pub", LATER)]
            await tx.erasures.joined("discord", "club")
            await tx.erasures.joined("discord", "nowhere")

        async with store.read() as tx:
            assert list(await tx.erasures.departures()) == [Departure("discord", "pub", LATER)]

    async def test_wiping_leaves_everything_that_is_there(self, store: Store) -> None:
        async with store.write() as tx:
            said = await say(tx, "1")

        assert await store.wipe() == 0
        async with store.read() as tx:
            assert await tx.messages.several(said.conversation, [said.id]) == [said]


class TombstonesContract:
    """One test a sentence of the port's docstrings."""

    async def test_what_was_erased_is_known_for_good_with_the_last_time(self, store: Store) -> None:
        space, other = OneSpace("discord", "club"), OneSpace("discord", "pub")
        person, elsewhere = OnePerson("discord", "ada", GROUP), OnePerson("discord", "ada")
        async with store.write() as tx:
            await tx.erasures.begin(space, ErasurePlan((ErasedPlace(GROUP, (HERE,), is_whole=True),), (HERE,)), LATER)
            await tx.erasures.begin(space, ErasurePlan(), START)
            await tx.erasures.begin(person, ErasurePlan((ErasedPlace(DIRECT, ()),)), START)

            known = await tx.erasures.erased_at([space, other, person, elsewhere, OneConversation(GROUP), OneConversation(DIRECT), HERE])

        assert known == {space: LATER, OneConversation(GROUP): LATER, HERE: LATER, person: START}

    async def test_a_memory_that_was_taken_or_buried_is_known_by_its_id(self, store: Store) -> None:
        faded, unknown = uuid4(), uuid4()
        async with store.write() as tx:
            await remember(tx, "likes tea", 1)
            (memory,) = await tx.memories.page(SCOPE, limit=1)
            assert await tx.erasures.known_ids([memory.id, unknown]) == {memory.id}
            await tx.erasures.take_memory(SCOPE, 1, memory.id, START)
            await tx.erasures.bury(faded, LATER)

            assert await tx.erasures.erased_at([memory.id, faded, unknown]) == {memory.id: START, faded: LATER}
            assert not await tx.erasures.known_ids([memory.id])

    async def test_a_quote_of_somebody_who_was_erased_is_kept_of_what_is_here_only(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.erasures.begin(OnePerson("discord", "ada"), ErasurePlan(), START)
            await say(tx, "new")
            quotes = [
                await tx.messages.record(
                    replace(incoming("so?", message_id=f"on {old}", author=BO, conversation=GROUP), quote=Quote(old, who, "hm")),
                    MessageState.HEARD,
                )
                for old, who in (("old", ADA), ("new", ADA), ("other", BO))
            ]

        assert [said is not None and said.quote is not None for said in quotes] == [False, True, True]


class ErasuresContract(
    ErasureOrdersContract, ErasureStampsContract, ErasedMessagesContract, ErasedMemoriesContract, ErasedPlacesContract, TombstonesContract
):
    """All of it."""


def _place(name: str) -> EntityMention:
    return EntityMention(name, EntityKind.PLACE, f"in {name}")
