"""A look ahead of the background's work on a conversation: one transaction that tells which steps have anything to do."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.message import StoredMessage
from bot.domain.past import CorpusKey, CorpusKind, PastState, PastTally
from bot.memory.past.chunks import Checked, check
from bot.memory.past.index import Unindexed, unindexed
from bot.memory.past.learning import LEARNT_AT_ONCE, unrelated
from bot.memory.past.writers import TRIES, Wanted, Writers, wanted
from bot.ports.store import Transaction


@dataclass(frozen=True, slots=True)
class Ahead:
    """What was found at a look. What comes later rings."""

    state: PastState
    tally: PastTally
    words: Unindexed
    """What search does not know."""
    related: Sequence[StoredMessage]
    """What was not read for names."""
    has_unknown_structured: bool
    """Search does not know all structured memories."""
    checked: Checked | None
    """What may make chunks; None where no model writes any."""
    is_written: bool
    """The model has nothing to write."""

    @property
    def checked_row(self) -> int | None:
        """Return the row to be noted of a check that found nothing due; None where there is none."""
        return self.checked.last_row if self.checked and self.is_written and self.checked.has_new else None


async def look_ahead(writers: Writers) -> Ahead:
    """Return what is to be done."""
    steps = wanted(writers.persona.steps.writers) if writers.model is not None else Wanted()
    async with writers.store.read() as tx:
        state = await tx.pasts.state(writers.conversation)
        words = await unindexed(tx, writers)
        tally = await tx.pasts.tally(writers.conversation, state.generation, tries=TRIES)
        known = (await tx.corpora.documents(CorpusKey(writers.conversation, CorpusKind.STRUCTURED))).ids
        checked = await check(tx, writers, after=tally.last_row) if steps.chunks else None
        return Ahead(
            state,
            tally,
            words,
            related=await _related(tx, writers, state, words.page),
            has_unknown_structured=tally.last_structured > (int(known[-1]) if len(known) else 0),
            checked=checked,
            is_written=writers.model is None or _is_written(writers, steps, state, tally, checked),
        )


async def _related(tx: Transaction, writers: Writers, state: PastState, page: Sequence[StoredMessage]) -> Sequence[StoredMessage]:
    """Return what was not read for names; mostly it is what search does not know, too."""
    if state.indexed_row == state.related_row:
        return page[:LEARNT_AT_ONCE]
    return await unrelated(tx, writers)


def _is_written(writers: Writers, steps: Wanted, state: PastState, tally: PastTally, checked: Checked | None) -> bool:
    """Say whether no step has anything to write; where that is in doubt each looks for itself."""
    policy = writers.policy
    has_chunks = checked is not None and (checked.left_after is not None or checked.is_due(policy))
    summarises = steps.summary and (tally.has_torn or tally.unsummarised >= policy.summary_after)
    condenses = steps.chunks and policy.condense >= 2 and tally.done >= policy.condense + policy.condense_buffer
    reads = steps.structured and tally.unread > 0
    plans = steps.chunks and tally.planned > 0
    return not (state.building is not None or has_chunks or plans or reads or summarises or condenses)
