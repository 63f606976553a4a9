"""Memory edits of a running turn, kept until its reply is committed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.memory import EditOrigin, Forget, MemoryEdit, Remember, Revise
from bot.domain.message import StoredMessage
from bot.domain.terms import terms
from bot.domain.turn import Turn
from bot.errors import ToolRetry
from bot.memory.edit import apply_edit, memory_text
from bot.ports.store import Store, Transaction


@dataclass(frozen=True, slots=True)
class _Staged:
    edit: MemoryEdit
    origin: EditOrigin


class StagedEdits:
    """The MemoryEdits of one turn. What is staged is seen by later calls of the same turn, and by nobody else."""

    def __init__(self, store: Store, turn: Turn, reason: str) -> None:
        self._store = store
        self._turn = turn
        self._reason = reason
        self._staged: list[_Staged] = []
        self._alive: dict[int, bool] = {}

    async def remember(self, text: str) -> int:
        """Stage a new fact about whoever said it and return its number."""
        kept = _checked(text)
        async with self._store.write() as tx:
            number = await tx.memories.reserve_number(self._turn.scope)
        origin = self._origin(kept)
        self._stage(Remember(number, kept, subject=origin.author), origin, alive=True)
        return number

    async def revise(self, number: int, text: str) -> bool:
        """Stage a new text; False when there is no such memory."""
        kept = _checked(text)
        if not await self._exists(number):
            return False
        self._stage(Revise(number, kept), self._origin(kept), alive=True)
        return True

    async def forget(self, number: int) -> bool:
        """Stage a deletion; False when there is no such memory."""
        if not await self._exists(number):
            return False
        self._stage(Forget(number), self._origin(""), alive=False)
        return True

    async def apply(self, tx: Transaction, at: datetime) -> int:
        """Store what was staged, in order; return how many edits changed something."""
        done = [await apply_edit(tx, self._turn.scope, staged.edit, staged.origin, at) for staged in self._staged]
        return sum(done)

    async def _exists(self, number: int) -> bool:
        if number in self._alive:
            return self._alive[number]
        if number < 1:
            return False
        async with self._store.read() as tx:
            return await tx.memories.get(self._turn.scope, number) is not None

    def _stage(self, edit: MemoryEdit, origin: EditOrigin, *, alive: bool) -> None:
        self._alive[edit.number] = alive
        self._staged.append(_Staged(edit, origin))

    def _origin(self, text: str) -> EditOrigin:
        said = said_by(self._turn, text)
        return EditOrigin(
            actor=f"persona:{self._turn.persona.id}",
            reason=self._reason,
            author=said[-1].author,
            source_message_ids=tuple(message.id for message in said),
        )


def _checked(text: str) -> str:
    try:
        return memory_text(text)
    except ValueError as problem:
        raise ToolRetry(str(problem)) from problem


def said_by(turn: Turn, text: str) -> Sequence[StoredMessage]:
    """Return the messages of the turn that a fact rests on: those of the one person whose words it shares most, in doubt the last."""
    wanted = set(terms(text))
    shared: dict[str, int] = {}
    for message in turn.messages:
        shared[message.author.id] = shared.get(message.author.id, 0) + len(wanted.intersection(terms(message.text)))
    last = turn.asker.id
    author = max(shared, key=lambda person: (shared[person], person == last))
    return [message for message in turn.messages if message.author.id == author]
