"""Memory edits of a running turn, kept until its reply is committed."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.domain.memory import EditOrigin, Forget, Load, Memory, MemoryEdit, Remember, Revise, Tag
from bot.domain.message import StoredMessage
from bot.domain.terms import terms
from bot.domain.text import text_key
from bot.domain.turn import Turn
from bot.errors import ToolRetry
from bot.memory.edit import MemoryEditor, memory_text
from bot.memory.grounding import grounded, is_placeholder
from bot.memory.likeness import repeated
from bot.ports.store import Store, Transaction

log = structlog.get_logger(__name__)

LOOK_BACK = 12
"""Messages before the turn on which a fact may rest."""
_NUMBER = re.compile(r"\d{1,18}")
_HANDLE = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class _Staged:
    edit: MemoryEdit
    origin: EditOrigin


class StagedEdits:
    """The MemoryEdits of one turn. What is staged is seen by later calls of the same turn, and by nobody else."""

    def __init__(self, store: Store, turn: Turn, *, reason: str, before: Sequence[StoredMessage] = ()) -> None:
        """Take the turn, and what was said before it: a fact that rests on the bot's own lines there is none."""
        self._store = store
        self._turn = turn
        self._heard = (*before[-LOOK_BACK:], *turn.messages)
        self._policy = turn.persona.memory
        self._reason = reason
        self._staged: list[_Staged] = []
        self._texts: dict[int, str | None] = {}

    @property
    def used(self) -> frozenset[int]:
        """Return the numbers that the model said it used."""
        return frozenset(staged.edit.number for staged in self._staged if isinstance(staged.edit, Tag))

    async def remember(self, text: str, *, importance: float | None = None, group: str = "") -> int:
        """Stage a new fact about whoever said it, and return its number; that of the old one when it repeats one."""
        kept = self._checked(text)
        if (number := self._staged_as(kept)) is not None:
            return number
        said = said_by(self._turn, kept)
        subject = said[-1].author
        async with self._store.write() as tx:
            known = await repeated(tx, self._turn.scope, kept, subject)
            number = known.number if known else await tx.memories.reserve_number(self._turn.scope)
        weight = self._policy.new_importance if importance is None or math.isnan(importance) else importance
        self._stage(Remember(number, kept, subject, weight, group), self._origin(said), text=kept)
        return number

    async def revise(self, name: str, text: str) -> bool:
        """Stage a new text; False when there is no such memory."""
        kept = self._checked(text)
        number = await self._number(name)
        if number is None:
            return False
        self._stage(Revise(number, kept), self._origin(said_by(self._turn, kept)), text=kept)
        return True

    async def forget(self, name: str) -> bool:
        """Stage a deletion; False when there is no such memory."""
        number = await self._number(name)
        if number is None:
            return False
        self._stage(Forget(number), self._origin(self._turn.messages), text=None)
        return True

    async def tag(self, name: str) -> bool:
        """Stage that a memory was used; False when there is no such memory."""
        number = await self._number(name)
        if number is None:
            return False
        self._stage(Tag(number), self._origin(self._turn.messages), text=self._texts[number])
        return True

    async def load(self, name: str) -> str | None:
        """Stage that a memory comes back, and return its text; None when there is no such memory."""
        number = await self._number(name)
        if number is None:
            return None
        self._stage(Load(number), self._origin(self._turn.messages), text=self._texts[number])
        return self._texts[number]

    async def apply(self, tx: Transaction, at: datetime) -> int:
        """Store what was staged, in order; return how many edits changed something."""
        editor = MemoryEditor(tx, self._turn.scope, self._policy, at)
        done = [await editor.apply(staged.edit, staged.origin) for staged in self._staged]
        return sum(done)

    def _checked(self, text: str) -> str:
        try:
            kept = memory_text(text)
        except ValueError as problem:
            raise ToolRetry(str(problem)) from problem
        if is_placeholder(kept):
            raise ToolRetry("That is the example from your instructions; write what the person said.")
        if not grounded(kept, self._heard):
            raise ToolRetry("No person said that here. Store only what people say, never your own words or another bot's.")
        return kept

    def _staged_as(self, text: str) -> int | None:
        """Return the number under which this turn has staged the same text already."""
        return next((number for number, known in self._texts.items() if known is not None and text_key(known) == text_key(text)), None)

    async def _number(self, name: str) -> int | None:
        """Return the number of the memory that the model names, as it stands after what is staged."""
        number = int(name) if _NUMBER.fullmatch(name) else 0
        if number not in self._texts:
            memory = await self._find(number, name)
            if memory is None:
                log.info("memory_not_found", persona=self._turn.persona.id)
                return None
            number = memory.number
            self._texts.setdefault(number, memory.text)
        return number if self._texts[number] is not None else None

    async def _find(self, number: int, name: str) -> Memory | None:
        async with self._store.read() as tx:
            memory = await tx.memories.get(self._turn.scope, number) if number else None
            if memory is None and _HANDLE.fullmatch(name):
                memory = await tx.memories.by_handle(self._turn.scope, name)
            return memory

    def _stage(self, edit: MemoryEdit, origin: EditOrigin, *, text: str | None) -> None:
        self._texts[edit.number] = text
        self._staged.append(_Staged(edit, origin))

    def _origin(self, said: Sequence[StoredMessage]) -> EditOrigin:
        return EditOrigin(
            actor=f"persona:{self._turn.persona.id}",
            reason=self._reason,
            author=said[-1].author,
            source_message_ids=tuple(message.id for message in said),
        )


def said_by(turn: Turn, text: str) -> Sequence[StoredMessage]:
    """Return the messages of the turn that a fact rests on: those of the one person whose words it shares most.

    In doubt they are those of whoever gets the answer.
    """
    wanted = terms(text)
    shared: dict[str, int] = {}
    for message in turn.messages:
        shared[message.author.id] = shared.get(message.author.id, 0) + len(wanted & terms(message.text))
    author = max(shared, key=lambda person: (shared[person], person == turn.asker.id))
    return [message for message in turn.messages if message.author.id == author]
