"""Where a text is let into the memory of one scope, or not: the verdict on the text, then what its speaker has told before."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.chat import AudienceKind, MemoryScope
from bot.domain.message import Person
from bot.domain.pending import MOST_PENDING
from bot.domain.persona import MemoryPolicy
from bot.memory.gate.about_bot import ties_bot_to_others
from bot.memory.gate.judge import judged
from bot.memory.gate.pieces import MOST_PIECES, order_of_pieces
from bot.memory.gate.verdict import Concern, Ruling, Verdict, refuse, wait
from bot.ports.store import Transaction

DAY = timedelta(days=1)
PRIVATE_SHARE = 10
"""In private, where it crowds out nobody, a person may tell so many times as much."""


@dataclass(frozen=True, slots=True)
class Door:
    """Lets new texts into one scope."""

    tx: Transaction
    scope: MemoryScope
    policy: MemoryPolicy
    at: datetime
    bot_names: Collection[str] = ()
    """What the persona is called."""
    others: Collection[Person] = ()
    """Who else has spoken there lately; in private nobody."""

    async def admit(self, text: str, author: Person, *, just_told: Sequence[str] = ()) -> Verdict:
        """Return what becomes of a new fact; `just_told` is what its speaker has told in the same turn and nobody has stored yet."""
        verdict = self._judged(text, author)
        if verdict.ruling is not Ruling.ACCEPT:
            return verdict
        if await self._has_told_enough(author, len(just_told)):
            return refuse(verdict.text, Concern.LIMIT)
        return await self.admit_change(text, author, just_told=just_told)

    async def admit_change(self, text: str, author: Person, *, just_told: Sequence[str] = ()) -> Verdict:
        """Return what becomes of a new text for a fact that is there already: no day's limit counts it."""
        verdict = self._judged(text, author)
        if verdict.ruling is not Ruling.ACCEPT:
            return verdict
        lately = await self.tx.memories.told_by(self.scope, author.id, since=self.at - DAY, limit=MOST_PIECES)
        waiting = [pending for pending in await self.tx.pending.page(self.scope, limit=MOST_PENDING) if pending.author.id == author.id]
        before = sorted([*((memory.created_at, memory.text) for memory in lately), *((each.at, each.text) for each in waiting)])
        pieces = [*(told for _, told in before), *just_told, verdict.text]
        concern = order_of_pieces(pieces, self.bot_names)
        return verdict if concern is Concern.NONE else wait(verdict.text, concern)

    def _judged(self, text: str, author: Person) -> Verdict:
        verdict = judged(text, bot_names=self.bot_names, private=self._is_private)
        if verdict.ruling is not Ruling.ACCEPT or self._is_private:
            return verdict
        names = {person.display_name for person in self.others if person.id != author.id and len(person.display_name) > 1}
        return wait(verdict.text, Concern.ORDER) if ties_bot_to_others(text, names, self.bot_names) else verdict

    @property
    def _is_private(self) -> bool:
        return self.scope.audience.kind is AudienceKind.PERSON

    async def _has_told_enough(self, author: Person, just_told: int) -> bool:
        most = self.policy.memories_a_day * (PRIVATE_SHARE if self._is_private else 1)
        if not most:
            return False
        return await self.tx.memories.count_told_by(self.scope, author.id, since=self.at - DAY) + just_told >= most
