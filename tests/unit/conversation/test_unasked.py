from datetime import timedelta

from bot.conversation.unasked import MOST_ASKED, Unasked
from bot.domain.message import MessageState, ReplyTarget
from bot.ports.store import Store
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.databases import DATABASES
from bot.testing.factories import GROUP, incoming, kind_of


async def answer(store: Store, clock: FrozenClock, number: int, *, addressed: bool) -> None:
    async with store.write() as tx:
        await tx.messages.record(
            incoming("hello", message_id=str(number), conversation=GROUP, addressed=addressed, sent_at=clock.now()), MessageState.DONE
        )
        await tx.messages.record_reply(ReplyTarget(GROUP, kind_of(GROUP)), "iris", "Iris", "Hi.", at=clock.now())


async def test_answers_that_nobody_asked_for_are_counted_also_from_before_this_process_began() -> None:
    store, clock = SqlStore(DATABASES.fresh()), FrozenClock()
    await store.open()
    await answer(store, clock, 1, addressed=False)
    clock.move(seconds=3600)
    await answer(store, clock, 2, addressed=False)
    await answer(store, clock, 3, addressed=True)
    unasked = Unasked(clock)

    async with store.read() as tx:
        assert await unasked.full_until(tx, GROUP, 2) is None
        unasked.answered(GROUP)
        assert await unasked.full_until(tx, GROUP, 2) == clock.now() + timedelta(hours=1)
    await store.close()


def test_a_model_is_asked_a_few_times_an_hour() -> None:
    clock = FrozenClock()
    unasked = Unasked(clock)

    for _ in range(MOST_ASKED):
        assert unasked.may_ask(GROUP)
        unasked.asked(GROUP)
    assert not unasked.may_ask(GROUP)
    clock.move(seconds=3600)

    assert unasked.may_ask(GROUP)


def test_a_wish_to_speak_is_known_for_an_hour() -> None:
    clock = FrozenClock()
    unasked = Unasked(clock)
    unasked.wishes(GROUP, 1)

    known = [unasked.has_wished(GROUP, 1), unasked.has_wished(GROUP, 2)]
    clock.move(seconds=3600)

    assert [*known, unasked.has_wished(GROUP, 1)] == [True, False, False]
