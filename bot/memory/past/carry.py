"""Keeping what was written about messages that are no longer kept themselves."""

from dataclasses import replace

from bot.domain.chat import ConversationKey
from bot.domain.past import ChunkState
from bot.memory.past.writers import PAGE
from bot.ports.store import Transaction


async def carry_over(tx: Transaction, conversation: ConversationKey, building: int) -> int:
    """Take summaries and structured memories into a new, empty generation that nothing could write again; return how many chunks.

    They are those of stretches of which no message is left.
    """
    shown = (await tx.pasts.state(conversation)).generation
    if await tx.pasts.count(conversation, building) or shown == building:
        return 0
    first = await tx.messages.page(conversation, limit=1)
    end, after, carried = (first[0].id if first else None), 0, 0
    while page := await tx.pasts.chunks(conversation, shown, states=(ChunkState.DONE,), after_row=after, limit=PAGE):
        after = page[-1].first_row
        gone = [chunk for chunk in page if end is None or chunk.last_row < end]
        # What they were condensed of is dropped with the old generation, so they count as first summaries from now on.
        await tx.pasts.plan(
            conversation, [replace(chunk, generation=building, depth=0, condensed_into=None, is_read=True) for chunk in gone]
        )
        carried += len(gone)
    after = 0
    while some := await tx.pasts.structured_page(conversation, shown, after=after, limit=PAGE):
        after = some[-1].id
        await tx.pasts.add_structured([replace(each, generation=building) for each in some if end is None or each.last_row < end])
    return carried
