"""What was summed up of a conversation: the rolling summary and the last chunk summaries."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.chat import ConversationKey
from bot.domain.past import Chunk, ChunkState
from bot.domain.steps import Step, StepKind
from bot.memory.gate.border import Border
from bot.ports.store import Transaction
from bot.ports.tokens import TokenCounter

USUAL_COUNT = 3
ALL_CHUNKS = 10_000
CUT = " […]"
_SUMMARY = (StepKind.SUMMARY, StepKind.SUMMARY_UPDATED)
_RECENT = (StepKind.RECENT, StepKind.RECENT_UPDATED)


async def recent_chunks(
    tx: Transaction, conversation: ConversationKey, count: int, *, after: int = 0, before: int | None = None
) -> Sequence[Chunk]:
    """Return the last few chunks with a summary that begin after one row and before another, oldest first: 0 are three, -1 are all."""
    generation = (await tx.pasts.state(conversation)).generation
    limit = ALL_CHUNKS if count < 0 else count or USUAL_COUNT
    last = await tx.pasts.last_chunks(conversation, generation, before_row=before, limit=limit)
    if before is not None:
        # The one that the row falls into: what it sums up stands in the history only in part.
        within = await tx.pasts.chunks(conversation, generation, after_row=last[-1].last_row if last else after, limit=1)
        last = [*last, *(chunk for chunk in within if chunk.first_row < before and chunk.state is ChunkState.DONE)]
    return [chunk for chunk in last if chunk.first_row > after][-limit:]


async def summed_up(tx: Transaction, conversation: ConversationKey, readers: Sequence[Step], *, before: int) -> tuple[str, Sequence[Chunk]]:
    """Return the rolling summary of what lies before a row, and chunk summaries of what came between the two, as the readers ask.

    Both depend on nothing but the row and what was written: they stay the same until the history is trimmed.
    """
    text, through = "", 0
    if any(step.kind in _SUMMARY for step in readers):
        generation = (await tx.pasts.state(conversation)).generation
        summary = await tx.pasts.summary(conversation, generation, before_row=before)
        text, through = (summary.text, summary.through_row) if summary else ("", 0)
    recent = next((step for step in readers if step.kind in _RECENT), None)
    chunks = await recent_chunks(tx, conversation, recent.count, after=through, before=before) if recent else ()
    return text, chunks


def let_in(summary: str, chunks: Sequence[Chunk], border: Border) -> tuple[str, Sequence[Chunk]]:
    """Return a summary and chunks as they may be shown: they may have been written when the rules were others."""
    shown = [replace(chunk, summary=border.kept(chunk.summary)) for chunk in chunks]
    return border.kept(summary), [chunk for chunk in shown if chunk.summary]


def within_budget(summary: str, chunks: Sequence[Chunk], budget: int, tokens: TokenCounter) -> tuple[str, tuple[Chunk, ...]]:
    """Return what fits: at most half for the summary, cut at its end if need be, the rest for the newest chunks."""
    kept_summary = _cut(summary, budget // 2 if chunks else budget, tokens)
    budget -= tokens.count(kept_summary)
    kept: list[Chunk] = []
    for chunk in reversed(chunks):
        cost = tokens.count(chunk.summary)
        if cost <= budget:
            kept.append(chunk)
            budget -= cost
    return kept_summary, tuple(reversed(kept))


def _cut(text: str, limit: int, tokens: TokenCounter) -> str:
    size = tokens.count(text)
    if size <= limit:
        return text
    kept = text
    while kept and size > max(limit - tokens.count(CUT), 0):
        kept = kept[: int(len(kept) * min(limit / size, 0.95))].rstrip()
        size = tokens.count(kept)
    return kept + CUT if kept else ""
