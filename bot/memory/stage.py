"""Memory edits of a running turn, kept until its reply is committed."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from bot.domain.memory import EditOrigin, Forget, Load, Memory, MemoryEdit, Remember, Revise, Tag
from bot.domain.message import MessageState, Person, Role, StoredMessage
from bot.domain.pending import PendingMemory
from bot.domain.terms import terms
from bot.domain.text import text_key
from bot.domain.turn import Turn
from bot.errors import ToolFailed, ToolRetry
from bot.memory.edit import MemoryEditor, memory_text
from bot.memory.erasing.unsearched import leave_unfound, told_in
from bot.memory.gate.claims import attributed, may_change, safely_named, subject_of
from bot.memory.gate.door import Door
from bot.memory.gate.own_words import from_outside
from bot.memory.gate.texts import not_theirs, told_to_model
from bot.memory.gate.unseen import is_tricky, visible
from bot.memory.gate.verdict import Concern, Ruling, Verdict, refuse, wait
from bot.memory.gate.waiting import keep_pending
from bot.memory.grounding import grounded, is_placeholder
from bot.memory.hidden import hidden_there
from bot.memory.likeness import CANDIDATES, repeated
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
        self._found: dict[int, Memory] = {}
        self._people = (*before, *turn.messages)
        self._pending: list[PendingMemory] = []
        self._concerns: set[Concern] = set()

    @property
    def used(self) -> frozenset[int]:
        """Return the numbers that the model said it used."""
        return frozenset(staged.edit.number for staged in self._staged if isinstance(staged.edit, Tag))

    @property
    def concerns(self) -> frozenset[Concern]:
        """Return why texts of the turn were not stored."""
        return frozenset(self._concerns)

    async def remember(self, text: str, *, importance: float | None = None, group: str = "") -> int:
        """Stage a new fact about whoever said it, or whom they named, and return its number; that of the old one when it repeats one."""
        kept = self._checked(text)
        if (number := self._staged_as(kept)) is not None:
            return number
        weight = self._policy.new_importance if importance is None or math.isnan(importance) else importance
        return await self._tell(kept, said_by(self._turn, kept), importance=weight, group=group)

    async def revise(self, name: str, text: str) -> bool:
        """Stage a new text; False when there is no such memory. What somebody else said of themselves stays: it becomes a claim."""
        kept = self._checked(text)
        number = await self._number(name)
        if number is None:
            return False
        said = said_by(self._turn, kept)
        memory = self._found.get(number)
        if memory is not None and await self._is_of_others(memory, kept, said):
            await self._tell(kept, said, importance=self._policy.new_importance, changing=memory)
            return True
        async with self._store.write() as tx:
            verdict = await self._door(tx).admit_change(kept, said[-1].author, just_told=self._just_told(said))
        if verdict.ruling is not Ruling.ACCEPT:
            raise self._refused(verdict)
        self._stage(Revise(number, kept), self._origin(said), text=kept)
        return True

    async def forget(self, name: str) -> bool:
        """Stage a deletion; False when there is no such memory. Raises ToolFailed when not all who ask may have it deleted."""
        number = await self._number(name)
        if number is None:
            return False
        memory = self._found.get(number)
        if memory is not None and self._turn.is_group and not all(may_change(memory, asker) for asker in self._askers()):
            raise ToolFailed(not_theirs())
        if memory is not None:
            async with self._store.read() as tx:
                self._concerns |= {Concern.WORDS_STAY} if await told_in(tx, memory) else set()
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
        text = self._texts[number]
        self._stage(Load(number), self._origin(self._turn.messages), text=text)
        memory = self._found.get(number)
        return attributed(memory) if memory is not None and memory.text == text else text

    async def apply(self, tx: Transaction, at: datetime) -> int:
        """Store what was staged, in order; return how many edits changed something."""
        editor = MemoryEditor(tx, self._turn.scope, self._policy, at)
        done = []
        for staged in self._staged:
            if isinstance(staged.edit, Forget):
                await self._leave_unfound(tx, staged.edit.number)
            done.append(await editor.apply(staged.edit, staged.origin))
        for pending in self._pending:
            await keep_pending(tx, replace(pending, at=at))
        return sum(done)

    async def _leave_unfound(self, tx: Transaction, number: int) -> None:
        """Let the past no longer bring back what is about to be forgotten: a model may err, so the messages themselves stay."""
        memory = await tx.memories.get(self._turn.scope, number)
        if memory is not None:
            await leave_unfound(tx, memory)

    async def _tell(
        self, text: str, said: Sequence[StoredMessage], *, importance: float, group: str = "", changing: Memory | None = None
    ) -> int:
        """Stage a new fact and return its number. Raises ToolFailed where the gate does not let it in; what waits is kept apart."""
        author = safely_named(said[-1].author)
        async with self._store.write() as tx:
            verdict = await self._door(tx).admit(text, author, just_told=self._just_told(said))
            if verdict.ruling is Ruling.ACCEPT and from_outside(text, [message for message in self._heard if message.is_human]):
                verdict = wait(text, Concern.OUTSIDE)
            subject = await self._subject(tx, text, author)
            if verdict.ruling is Ruling.ACCEPT and changing is not None and (subject is None or subject.id == author.id):
                verdict, subject = wait(text, Concern.OTHERS), changing.subject
            known = await repeated(tx, self._turn.scope, text, subject) if verdict.ruling is Ruling.ACCEPT else None
            is_kept = verdict.ruling is not Ruling.REFUSE and known is None
            number = known.number if known else await tx.memories.reserve_number(self._turn.scope) if is_kept else 0
        if verdict.ruling is not Ruling.ACCEPT:
            if is_kept:
                self._pend(number, verdict, subject, said, importance=importance, group=group)
            raise self._refused(verdict)
        origin = replace(self._origin(said), author=author)
        self._stage(Remember(number, text, subject, importance, group), origin, text=text)
        return number

    async def _is_of_others(self, memory: Memory, text: str, said: Sequence[StoredMessage]) -> bool:
        """Say whether a new text would change what somebody else said, or make a fact about one person one about another."""
        author = said[-1].author
        if not self._turn.is_group:
            return False
        if not may_change(memory, author):
            return True
        async with self._store.read() as tx:
            subject = await self._subject(tx, text, author)
        owner = memory.subject or memory.author
        return subject is not None and subject.id not in {author.id, owner.id}

    async def _subject(self, tx: Transaction, text: str, author: Person) -> Person | None:
        if not self._turn.is_group:
            return author
        known = [memory for memory, _ in await tx.memories.search(self._turn.scope, text, limit=CANDIDATES)]
        people = [*(person for memory in known for person in (memory.subject, memory.author) if person is not None)]
        subject = subject_of(text, author, [*people, *(message.author for message in self._people)])
        return None if subject is None or subject.is_service else safely_named(subject)

    def _pend(
        self, number: int, verdict: Verdict, subject: Person | None, said: Sequence[StoredMessage], *, importance: float, group: str
    ) -> None:
        self._pending.append(
            PendingMemory(
                scope=self._turn.scope,
                number=number,
                text=verdict.text,
                author=safely_named(said[-1].author),
                subject=subject,
                source_message_ids=tuple(message.id for message in said),
                reason=verdict.concern,
                at=self._turn.started_at,
                importance=importance,
                group=group,
            )
        )

    def _askers(self) -> list[Person]:
        """Return all whom the turn answers. A deletion has no words of its own: who of them wanted it cannot be told."""
        asking = [message.author for message in self._turn.messages if message.state is not MessageState.HEARD]
        return asking or [message.author for message in self._turn.messages]

    def _door(self, tx: Transaction) -> Door:
        people = () if not self._turn.is_group else {message.author for message in self._people if message.role is Role.USER}
        return Door(tx, self._turn.scope, self._policy, self._turn.started_at, (self._turn.persona.name,), people)

    def _just_told(self, said: Sequence[StoredMessage]) -> list[str]:
        """Return the new facts that the turn has staged of the same speaker."""
        return [
            staged.edit.text
            for staged in self._staged
            if isinstance(staged.edit, Remember) and staged.origin.author.id == said[-1].author.id
        ]

    def _refused(self, verdict: Verdict) -> ToolFailed:
        self._concerns.add(verdict.concern)
        log.info("memory_not_taken", persona=self._turn.persona.id, ruling=verdict.ruling, concern=verdict.concern)
        return ToolFailed(told_to_model(verdict))

    def _checked(self, text: str) -> str:
        try:
            if is_tricky(text):
                raise self._refused(refuse("", Concern.UNSEEN))
            kept = memory_text(visible(text))
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
            self._found.setdefault(number, memory)
        return number if self._texts[number] is not None else None

    async def _find(self, number: int, name: str) -> Memory | None:
        async with self._store.read() as tx:
            memory = await tx.memories.get(self._turn.scope, number) if number else None
            if memory is None and _HANDLE.fullmatch(name):
                memory = await tx.memories.by_handle(self._turn.scope, name)
            if memory is None:
                return None
            hidden = await hidden_there(tx, memory.scope.audience, (memory.subject, memory.author))
            return None if hidden.hides_memory(memory) else memory

    def _stage(self, edit: MemoryEdit, origin: EditOrigin, *, text: str | None) -> None:
        self._texts[edit.number] = text
        self._staged.append(_Staged(edit, origin))

    def _origin(self, said: Sequence[StoredMessage]) -> EditOrigin:
        return EditOrigin(
            actor=f"persona:{self._turn.persona.id}",
            reason=self._reason,
            author=said[-1].author,
            source_message_ids=tuple(message.id for message in said),
            run=self._turn.run,
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
