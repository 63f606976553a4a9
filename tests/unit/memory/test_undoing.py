from datetime import timedelta

from bot.domain.memory import EditOrigin, Forget, MemoryEdit, Remember, Revise
from bot.domain.persona import MemoryPolicy
from bot.domain.turn import run_of_turn
from bot.memory.edit import MemoryEditor
from bot.memory.undoing import TakenBack, edits_of, take_back_edits
from bot.ports.store import Transaction
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.databases import DATABASES
from bot.testing.factories import ADA, a_scope

BY_TURN = EditOrigin("persona:iris", "said in conversation", ADA, (7,), run_of_turn(7))
BY_HAND = EditOrigin("person:ada", "/memory edit", ADA)
UNDO = EditOrigin("person:ada", "/undo", ADA)


async def edited(tx: Transaction, minute: int, origin: EditOrigin, *edits: MemoryEdit) -> None:
    editor = MemoryEditor(tx, a_scope(), MemoryPolicy(), START + timedelta(minutes=minute))
    for edit in edits:
        await editor.apply(edit, origin)


async def test_all_that_a_turn_changed_is_as_before_but_for_what_changed_since_or_is_gone_for_good() -> None:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    async with store.write() as tx:
        for _ in range(5):
            await tx.memories.reserve_number(a_scope())
        await edited(tx, 0, BY_HAND, *(Remember(number, f"Ada likes {number}", ADA) for number in (1, 2, 3)))
        before = await tx.memories.get(a_scope(), 1)
        await edited(tx, 1, BY_TURN, Revise(1, "Ada likes tea"), Revise(1, "Ada likes coffee"), Revise(2, "Ada has a dog"))
        await edited(tx, 1, BY_TURN, Forget(3), Remember(4, "Ada has a cat", ADA))
        await edited(tx, 2, BY_HAND, Revise(2, "Ada has two dogs"))

        standing = await edits_of(tx, a_scope(), [7])
        done = await take_back_edits(tx, a_scope(), [7], UNDO, START + timedelta(minutes=3))
        again = await take_back_edits(tx, a_scope(), [7], UNDO, START + timedelta(minutes=4))
        left = {memory.number: memory.text for memory in await tx.memories.page(a_scope(), limit=9)}

        assert standing == 3
        assert done == TakenBack(restored=1, removed=1, skipped=1, lost=1)
        assert again == TakenBack(skipped=1, lost=1)
        assert left == {1: "Ada likes 1", 2: "Ada has two dogs"}
        assert await tx.memories.get(a_scope(), 1) == before
        last = (await tx.memories.journal(a_scope(), number=1, limit=1))[0]
        assert (last.actor, last.reason) == ("person:ada", "/undo")
    await store.close()
