from bot.domain.message import ReplyTarget
from bot.memory.unremembered import post_unremembered
from bot.ports.store import Store
from bot.testing.clock import START
from bot.testing.factories import DIRECT, a_persona, kind_of


async def test_line_is_sent_and_stands_in_no_history(store: Store) -> None:
    async with store.write() as tx:
        await post_unremembered(tx, ReplyTarget(DIRECT, kind_of(DIRECT)), a_persona(), "Good night.", at=START)

        assert [entry.text for entry in await tx.outbox.unsent(DIRECT)] == ["Good night."]
        assert await tx.messages.history(DIRECT, limit=9) == []
