"""Storing what came of a turn: memory edits, the reply in the outbox, the messages' new state, in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import structlog

from bot.conversation.generate import Generation
from bot.conversation.introduction import introduce
from bot.conversation.long_answer import is_very_long
from bot.domain.memory import Recall
from bot.domain.message import MessageState, OutboxEntry
from bot.domain.model import Usage
from bot.domain.turn import Turn, TurnReport
from bot.memory.erasing.rows import take_documents
from bot.memory.reading.reader import past_notes_on
from bot.memory.recall import notes_on
from bot.memory.stage import StagedEdits
from bot.memory.working import WorkingSet
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.store import Store, Transaction
from bot.ports.tokens import TokenCounter
from bot.prompt.builder import Material

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Written:
    """What is to be committed of a turn."""

    generation: Generation
    staged: StagedEdits
    material: Material

    @property
    def turn(self) -> Turn:
        """Return the turn, with what was read of its files."""
        return self.material.turn

    def costing(self, usage: Sequence[Usage]) -> "Written":
        """Return it with all that the turn has cost."""
        return replace(self, generation=replace(self.generation, usage=tuple(usage)))

    def shown_in(self, message_id: str) -> "Written":
        """Return it with the message that shows the unfinished answer; empty when none does."""
        return replace(self, material=replace(self.material, turn=replace(self.turn, draft_id=message_id)))


def without_prompt(turn: Turn, generation: Generation, staged: StagedEdits) -> Written:
    """Return what is to be committed of a turn for which no model was asked, or whose answer was stopped."""
    return Written(generation, staged, Material(turn, Recall(), ()))


@dataclass(frozen=True, slots=True)
class Committed:
    """What came of a turn."""

    report: TurnReport
    unsent: tuple[OutboxEntry, ...] = ()
    """The reply on its way out, where that is all there is to be sent."""


class _TurnWasTaken(Exception):
    """Another process has answered what a turn was to answer."""


@dataclass(frozen=True, slots=True)
class Committing:
    """Commits turns."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    platforms: Mapping[str, Platform]
    introduces: bool
    """Say once to each person, and in each group, that something is remembered."""

    async def commit(self, written: Written) -> Committed | None:
        """Store all that the turn brought; None when another process had answered it meanwhile."""
        turn, generation, now = written.turn, written.generation, self.clock.now()
        unsent: tuple[OutboxEntry, ...] = ()
        try:
            async with self.store.write() as tx:
                await _take_what_waits(tx, turn)
                edits = 0 if turn.is_passing or turn.goes_on else await written.staged.apply(tx, now)
                working = WorkingSet(tx, turn.scope, turn.persona.memory, self.tokens, now)
                await working.trim(keep=[hit.memory.number for hit in written.material.recall.fresh])
                for usage in generation.usage:
                    await tx.usage.add(turn.conversation, turn.persona.id, usage, now)
                if generation.text:
                    reply, is_alone = await self._put_reply(tx, turn, generation)
                    unsent = (reply,) if is_alone and not turn.is_passing else ()
                    if not turn.is_passing:
                        notes = notes_on(written.material.recall, written.staged.used)
                        await tx.messages.note_recalled(reply.message_row, notes, past_notes_on(written.material.past))
        except _TurnWasTaken:
            log.warning("turn_was_taken", platform=turn.conversation.platform, messages=len(turn.messages))
            return None
        return Committed(TurnReport(turn, generation.text, edits, generation.usage), unsent)

    async def _put_reply(self, tx: Transaction, turn: Turn, generation: Generation) -> tuple[OutboxEntry, bool]:
        """Put the reply into the outbox; say whether it stands there alone, as far as this turn goes."""
        persona = turn.persona
        row = await tx.messages.record_reply(
            turn.target, persona.id, persona.name, generation.text, at=self.clock.now(), history_start=generation.history_start
        )
        if generation.is_notice:
            await tx.messages.set_state([row.id], MessageState.FAILED)
        if turn.is_passing:
            await tx.people.pass_by(turn.conversation, [row.id], row.sent_at)
        platform = self.platforms[turn.conversation.platform]
        as_file = turn.speaking.long_as_file and is_very_long(platform, generation.sent)
        entry = await tx.outbox.put(turn.target, generation.sent, row.id, draft_id=turn.draft_id, as_file=as_file)
        introduces = self.introduces and not turn.is_passing and not generation.is_notice
        has_introduced = introduces and await introduce(tx, turn, self.clock.now())
        # Somebody may have been shown meanwhile that the answer will come: such a notice is to be taken away.
        return entry, not (has_introduced or await tx.outbox.draft(turn.conversation))


async def _take_what_waits(tx: Transaction, turn: Turn) -> None:
    """Let what is answered wait no more. Raises _TurnWasTaken when some of it does not wait."""
    rows = [message.id for message in turn.messages if message.state is MessageState.WAITING]
    if not turn.goes_on:
        if not await tx.messages.settle(rows):
            raise _TurnWasTaken
        return
    if not set(rows) <= {message.id for message in await tx.messages.waiting(turn.conversation)}:
        raise _TurnWasTaken
    await take_documents(tx, turn.conversation, rows)
    await tx.expiry.remove(turn.conversation, rows)
