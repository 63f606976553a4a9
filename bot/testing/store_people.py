"""What every store must keep of people's wishes, and let go of with time; part of `bot.testing.store_contract`."""

import asyncio
from datetime import timedelta

from bot.domain.chat import Audience, ConversationKey
from bot.domain.entity import EntityKind, EntityMention, name_key
from bot.domain.message import MessageState, ReplyTarget
from bot.domain.past import Chunk, ChunkState
from bot.domain.privacy import Hidden
from bot.ports.people import Expired
from bot.ports.store import Store, Transaction
from bot.testing.clock import START
from bot.testing.factories import DIRECT, GROUP, a_scope, incoming, kind_of

HERE = a_scope(GROUP).audience
YEAR = timedelta(days=365)


async def say(tx: Transaction, text: str, *, days_ago: int = 0, conversation: ConversationKey = GROUP, waits: bool = False) -> int:
    """Store a message that was sent some days ago, and return its row."""
    message = incoming(text, message_id=text, conversation=conversation, sent_at=START - timedelta(days=days_ago))
    stored = await tx.messages.record(message, MessageState.WAITING if waits else MessageState.HEARD)
    assert stored is not None
    return stored.id


async def summarise(tx: Transaction, first: int, last: int, *, days_ago: int, state: ChunkState = ChunkState.DONE) -> None:
    """Store a chunk of messages that ended some days ago."""
    ended = START - timedelta(days=days_ago)
    await tx.pasts.plan(GROUP, [Chunk(0, GROUP, 0, first, last, 1, ended, ended, "They talked.", state)])


async def expired(store: Store, *, days: int = 90, margin: int = 30, after: int = 0, limit: int = 100) -> Expired:
    """Return what may go."""
    old = START - timedelta(days=days)
    async with store.read() as tx:
        return await tx.expiry.expired(GROUP, before=old, unsummarised_before=old - timedelta(days=margin), after=after, limit=limit)


class OptOutContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_wish_is_noted_once_and_taken_back_once(self, store: Store) -> None:
        async with store.write() as tx:
            assert await tx.people.opt_out("discord", "ada", START)
            assert not await tx.people.opt_out("discord", "ada", START + YEAR)
            assert await tx.people.out("discord", ["ada", "bo"]) == {"ada"}
            assert await tx.people.out("telegram", ["ada"]) == frozenset()
            assert await tx.people.out("discord", []) == frozenset()

        async with store.write() as tx:
            assert await tx.people.opt_in("discord", "ada")
            assert not await tx.people.opt_in("discord", "ada")
            assert await tx.people.out("discord", ["ada"]) == frozenset()

    async def test_those_who_opted_out_are_known_by_the_names_they_bear_in_an_audience(self, store: Store) -> None:
        async with store.write() as tx:
            row = await say(tx, "hello")
            await tx.entities.add(
                HERE, row, [EntityMention("Ada Lee", EntityKind.PERSON, "", "ada"), EntityMention("Bo", EntityKind.PERSON, "", "bo")]
            )
            assert await tx.people.hidden(HERE) == Hidden()
            await tx.people.opt_out("telegram", "ada", START)
            assert await tx.people.hidden(HERE) == Hidden()
            await tx.people.opt_out("discord", "ada", START)

        async with store.read() as tx:
            assert await tx.people.hidden(HERE) == Hidden(
                frozenset({"ada"}), frozenset({name_key("Ada Lee")}), frozenset({("ada", name_key("Ada Lee"))})
            )
            assert await tx.people.hidden(a_scope(DIRECT).audience) == Hidden()
            assert await tx.people.hidden(Audience(HERE.kind, "discord:club:other:")) == Hidden()

    async def test_a_place_is_told_once(self, store: Store) -> None:
        async def tell() -> bool:
            async with store.write() as tx:
                return await tx.people.introduce("discord", "club", START)

        assert sorted(await asyncio.gather(*(tell() for _ in range(5)))) == [False] * 4 + [True]
        async with store.write() as tx:
            assert await tx.people.introduce("telegram", "club", START)


class PassingContract:
    """One test a sentence of the port's docstrings."""

    async def test_what_passes_stands_in_no_history_while_it_waits(self, store: Store) -> None:
        async with store.write() as tx:
            heard, asked = await say(tx, "heard"), await say(tx, "asked", waits=True)
            await tx.people.pass_by(GROUP, [asked], START)
            await tx.people.pass_by(GROUP, [asked], START)

        async with store.read() as tx:
            assert await tx.people.passing(GROUP) == {asked}
            assert await tx.people.passing(DIRECT) == frozenset()
            assert await tx.people.passing_conversations() == [GROUP]
            assert [message.id for message in await tx.messages.history(GROUP, limit=9)] == [heard]
            assert [message.id for message in await tx.messages.page(GROUP, limit=9)] == [heard]
            assert await tx.messages.several(GROUP, [asked]) == []
            assert [message.id for message in await tx.messages.waiting(GROUP)] == [asked]

    async def test_it_goes_with_its_answer_once_that_is_sent(self, store: Store) -> None:
        async with store.write() as tx:
            asked = await say(tx, "asked", waits=True)
            await tx.people.pass_by(GROUP, [asked], START)
            assert await tx.people.let_go(GROUP, START) == 0
            target = ReplyTarget(GROUP, kind_of(GROUP), "asked")
            reply = await tx.messages.record_reply(target, "iris", "Iris", "answer", at=START)
            entry = await tx.outbox.put(target, "answer", reply.id)
            await tx.messages.set_state([asked], MessageState.DONE)
            await tx.people.pass_by(GROUP, [reply.id], START)
            assert await tx.people.let_go(GROUP, START) == 1
            await tx.outbox.remove(entry.id)
            assert await tx.people.let_go(GROUP, START) == 1

        async with store.write() as tx:
            assert await tx.messages.several(GROUP, [asked, reply.id]) == []
            assert await tx.people.passing_conversations() == []
            assert await tx.messages.record(incoming("again", message_id="asked", conversation=GROUP), MessageState.WAITING) is None


class ExpiryContract:
    """One test a sentence of the port's docstrings."""

    async def test_conversations_come_in_order_a_few_at_once(self, store: Store) -> None:
        async with store.write() as tx:
            for text, place in (("one", GROUP), ("two", DIRECT), ("three", GROUP)):
                await say(tx, text, conversation=place)

        places = sorted([GROUP, DIRECT], key=str)
        async with store.read() as tx:
            assert await tx.expiry.conversations(limit=9) == places
            assert await tx.expiry.conversations(limit=1) == places[:1]
            assert await tx.expiry.conversations(after=str(places[0]), limit=9) == places[1:]

    async def test_what_is_old_and_summarised_may_go_and_what_is_not_waits_longer(self, store: Store) -> None:
        async with store.write() as tx:
            rows = [await say(tx, f"{days}", days_ago=days) for days in (130, 121, 119, 100, 95, 91, 10)]
            await summarise(tx, rows[3], rows[3], days_ago=100)
            await summarise(tx, rows[4], rows[4], days_ago=95, state=ChunkState.PARKED)
            await summarise(tx, rows[5], rows[6], days_ago=10)

        assert (await expired(store)).rows == [rows[0], rows[1], rows[3]]
        assert (await expired(store, days=5)).rows == rows

    async def test_what_waits_or_is_to_be_sent_stays(self, store: Store) -> None:
        async with store.write() as tx:
            await say(tx, "waits", days_ago=300, waits=True)
            unsent = await say(tx, "unsent", days_ago=300)
            await tx.outbox.put(ReplyTarget(GROUP, kind_of(GROUP)), "unsent", unsent)

        assert (await expired(store)).rows == []

    async def test_windows_follow_each_other_and_end_with_what_is_new(self, store: Store) -> None:
        async with store.write() as tx:
            rows = [await say(tx, f"{number}", days_ago=300 if number < 4 else 0) for number in range(8)]

        first = await expired(store, limit=2)
        second = await expired(store, after=rows[1], limit=2)
        assert first == Expired(rows[:2], rows[1])
        assert second == Expired(rows[2:4], rows[3])
        assert await expired(store, after=rows[3], limit=2) == Expired((), None)

    async def test_what_goes_takes_the_sentences_that_name_somebody_along(self, store: Store) -> None:
        async with store.write() as tx:
            old, new = await say(tx, "Rex barks", days_ago=300), await say(tx, "Rex sleeps")
            for row, sentence in ((old, "Rex barks"), (new, "Rex sleeps")):
                await tx.entities.add(HERE, row, [EntityMention("Rex", EntityKind.OTHER, sentence)])
            assert await tx.expiry.remove(GROUP, [old]) == 1
            assert await tx.expiry.remove(DIRECT, [new]) == 0

        async with store.read() as tx:
            (facts,) = await tx.entities.known(HERE, {"rex"})
            assert facts.sentences == ("Rex sleeps",)
            assert await tx.messages.get(HERE, old) is None
            assert await tx.messages.get(HERE, new) is not None
