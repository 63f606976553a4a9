from bot.commands.exchange import Exchange, last_exchange
from bot.domain.message import MessageState, ReplyTarget
from bot.ports.store import Transaction
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import DIRECT, incoming, kind_of


async def written(tx: Transaction, *lines: str) -> None:
    """Write lines: those of the persona begin with a star, those that wanted no answer with a dash."""
    for number, line in enumerate(lines):
        if line.startswith("*"):
            await tx.messages.record_reply(ReplyTarget(DIRECT, kind_of(DIRECT)), "iris", "Iris", line, at=START)
        else:
            state = MessageState.HEARD if line.startswith("-") else MessageState.DONE
            await tx.messages.record(incoming(line, message_id=f"{line}-{number}"), state)


def told(exchange: Exchange | None) -> tuple[list[str], list[str], bool] | None:
    if exchange is None:
        return None
    return [said.text for said in exchange.asked], [said.text for said in exchange.answers], exchange.is_last


async def test_an_exchange_is_what_was_asked_since_the_answer_before_and_all_lines_that_answer_it(store: SqlStore) -> None:
    async with store.write() as tx:
        assert await last_exchange(tx, DIRECT) is None
        await written(tx, "*Welcome.")
        greeting = told(await last_exchange(tx, DIRECT))
        await written(tx, "one", "*1")
        answered = told(await last_exchange(tx, DIRECT))
        await written(tx, "-by the way", "two", "three", "*23", "*and on")
        gone_on = told(await last_exchange(tx, DIRECT))
        await written(tx, "-later")
        later = told(await last_exchange(tx, DIRECT))
        await written(tx, "silent")
        silence = told(await last_exchange(tx, DIRECT))

    assert greeting == ([], ["*Welcome."], True)
    assert answered == (["one"], ["*1"], True)
    assert gone_on == (["two", "three"], ["*23", "*and on"], True)
    assert later == (["two", "three"], ["*23", "*and on"], False)
    assert silence == (["silent"], [], True)
