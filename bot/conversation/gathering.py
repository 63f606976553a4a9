"""What a turn's prompt is made of: memories, what plugins add, history, and what comes back of what lies before it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from bot.domain.memory import Recall
from bot.domain.message import MessageState, StoredMessage
from bot.domain.past import PastRecall
from bot.domain.tool import ToolSpec
from bot.domain.turn import Turn
from bot.memory.hidden import shown_recall, spoken_by_others
from bot.memory.reading.reader import PastReader
from bot.memory.recall import recall
from bot.memory.working import WorkingSet
from bot.plugin.manager import PluginManager
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction
from bot.ports.tokens import TokenCounter
from bot.prompt.builder import Material, PromptBuilder
from bot.prompt.history import begins_anew

WAITING_SPARE = 20
"""Messages that may have come in since the turn began, and are left out of its history."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Gathering:
    """Gathers what a prompt is made of."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    builder: PromptBuilder
    plugins: PluginManager
    past: PastReader

    async def gather(self, turn: Turn, tools: tuple[ToolSpec, ...]) -> Material:
        """Return all that a turn's prompt is made of."""
        asked = await self.past.ask(turn)
        async with self.store.write() as tx:
            said = await _said_before(tx, turn)
            said = await spoken_by_others(tx, turn.conversation, said) if turn.is_group or not turn.is_passing else []
            remembered = await self._remembered(tx, turn)
        stable, fresh = await self.plugins.prompt_sections(turn)
        material = Material(turn, remembered, said, stable, fresh, tools=tools)
        history = self.builder.kept(material)
        if begins_anew(said, history, turn.persona.id):
            # The model reads the prompt afresh from here on anyway, so its memories are laid down anew at no further cost.
            async with self.store.write() as tx:
                await tx.memories.set_fold(turn.scope, None)
                material = replace(material, recall=await self._remembered(tx, turn))
        past = await self.past.recall(turn, asked, history, self.builder.budget(material, history))
        log.info("past_recalled", persona=turn.persona.id, history_left_out=len(said) - len(history), **_counts(past))
        return replace(material, history=history, past=past)

    async def _remembered(self, tx: Transaction, turn: Turn) -> Recall:
        if not turn.persona.memory.enabled:
            return Recall()
        working = WorkingSet(tx, turn.scope, turn.persona.memory, self.tokens, self.clock.now())
        return await shown_recall(tx, turn.scope.audience, await recall(working, turn.text))


async def _said_before(tx: Transaction, turn: Turn) -> Sequence[StoredMessage]:
    """Return what was said since somebody asked for a fresh start, without the turn: more messages than the history may hold."""
    floor = (await tx.pasts.state(turn.conversation)).history_floor
    current = {message.id for message in turn.messages}
    most = turn.persona.memory.history_messages + len(current) + WAITING_SPARE
    said = await tx.messages.history(turn.conversation, after=floor, limit=most)
    return [message for message in said if message.id not in current and message.state is not MessageState.WAITING]


def _counts(past: PastRecall) -> dict[str, int]:
    return {"excerpts": len(past.excerpts), "structured": len(past.structured), "entities": len(past.entities), "chunks": len(past.recent)}
