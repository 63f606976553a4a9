"""Imports: from the file of an export to what is remembered. Nothing that was erased comes back, nothing newer is overwritten."""

from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from bot.domain.chat import ConversationKey, space_of
from bot.domain.erasing import OneConversation, OneSpace
from bot.domain.memory import Memory
from bot.domain.persona import Personas
from bot.memory.erasing.guard import guarded
from bot.memory.export.bring_memories import MemoryImport
from bot.memory.export.bring_messages import Landed, MessageImport, here_in
from bot.memory.export.bring_settings import bring_binding, bring_settings
from bot.memory.export.outcome import ImportReport, Outcome, Thing
from bot.memory.export.parcel import AudienceBefore, Parcel, TalkBefore
from bot.ports.clock import Clock
from bot.ports.erasing import Erasable
from bot.ports.store import Store, Transaction

AT_ONCE = 100
"""Things in one transaction, so that chats go on between two."""
T = TypeVar("T")
Told = Callable[[int, int], None]


def _untold(done: int, total: int) -> None:
    """Tell nobody how far it is."""


@dataclass(slots=True)
class Importer:
    """Brings one file in. Without `writes` it only says what would become of each thing."""

    store: Store
    personas: Personas
    clock: Clock
    writes: bool = True
    told: Told = _untold
    report: ImportReport = field(default_factory=ImportReport)
    _landed: dict[str, Landed] = field(default_factory=dict)
    _done: int = 0
    _total: int = 0

    async def bring(self, parcel: Parcel) -> ImportReport:
        """Return what became of all. Raises Overtaken when something there is erased meanwhile: done again, it goes on from there."""
        self._total = sum(len(talk.messages) for talk in parcel.talks) + sum(len(each.memories) for each in parcel.audiences)
        buried = await self._buried(parcel)
        for talk in parcel.talks:
            await self._bring_talk(talk, buried, parcel.made_at)
        for part in parcel.audiences:
            await self._bring_audience(part, parcel.made_at)
        return self.report

    async def _buried(self, parcel: Parcel) -> Sequence[tuple[Memory, frozenset[str]]]:
        """Return the memories of the file that were erased: the messages that told them must not come back either."""
        known = [each for part in parcel.audiences for each in part.memories]
        async with self.store.read() as tx:
            erased = await tx.erasures.erased_at([each.memory.id for each in known])
        gone = [each for each in known if each.memory.id in erased]
        return [(each.memory, frozenset((*each.sources, *(ref for line in each.changes for ref in line.sources)))) for each in gone]

    async def _bring_talk(self, talk: TalkBefore, buried: Sequence[tuple[Memory, frozenset[str]]], made_at: datetime) -> None:
        store = await guarded(self.store, [talk.conversation])
        async with store.read() as tx:
            here = await here_in(tx, talk.conversation)
        self.report.note(Thing.DERIVED, Outcome.DERIVED, talk.left_out)
        if not here.fits(talk):
            self.report.note(Thing.MESSAGES, Outcome.OTHERWISE, len(talk.messages))
            return
        bringing = MessageImport(talk, here, self.clock.now(), buried, self.writes)
        for batch in _batches(talk.messages):
            async with self._transaction(store) as tx:
                done = [(said.ref, *await bringing.bring(tx, said)) for said in batch]
            for ref, outcome, landed in done:
                self._landed[ref] = landed
                self.report.note(Thing.MESSAGES, outcome)
            self._tell(len(batch))
        async with self._transaction(store) as tx:
            await self._bring_bindings(tx, talk, made_at)

    async def _bring_bindings(self, tx: Transaction, talk: TalkBefore, made_at: datetime) -> None:
        personas = await self._names(tx, talk.conversation)
        place = talk.conversation
        is_erased = await _went(tx, [OneSpace(place.platform, place.space_id), OneConversation(place)], made_at)
        for target, persona_id in talk.bindings:
            outcome = Outcome.ERASED if is_erased else await bring_binding(tx, target, persona_id, personas, writes=self.writes)
            self.report.note(Thing.PERSONAS, outcome)

    async def _bring_audience(self, part: AudienceBefore, made_at: datetime) -> None:
        store = await guarded(self.store, [part.audience])
        self.report.note(Thing.DERIVED, Outcome.DERIVED, part.left_out)
        async with store.read() as tx:
            personas = {**self._installed(), **{each: each for each in await self._own_personas(tx, part)}}
        bringing = MemoryImport(part.audience, personas, self._landed, self.clock.now(), self.writes)
        for memories in _batches(part.memories):
            async with self._transaction(store) as tx:
                outcomes = [await bringing.bring(tx, known) for known in memories]
            for outcome in outcomes:
                self.report.note(Thing.MEMORIES, outcome)
            self._tell(len(memories))
        for relations in _batches(part.relations):
            async with self._transaction(store) as tx:
                outcomes = [await bringing.relate(tx, relation, ref) for relation, ref in relations]
            for outcome in outcomes:
                self.report.note(Thing.RELATIONS, outcome)
        async with self._transaction(store) as tx:
            await self._bring_settings(tx, part, made_at)

    async def _bring_settings(self, tx: Transaction, part: AudienceBefore, made_at: datetime) -> None:
        platform, space_id = space_of(part.audience)
        if await _went(tx, [part.audience, OneSpace(platform, space_id)], made_at):
            self.report.note(Thing.SETTINGS, Outcome.ERASED, len(part.settings))
            return
        for outcome in await bring_settings(tx, part.audience, part.settings, writes=self.writes):
            self.report.note(Thing.SETTINGS, outcome)

    def _installed(self) -> Mapping[str, str]:
        return {persona_id: persona.name for persona_id, persona in self.personas.by_id.items()}

    async def _names(self, tx: Transaction, place: ConversationKey) -> Collection[str]:
        own = await tx.personas.all(place.platform, place.space_id)
        return {*self.personas.by_id, *(persona.id for persona in own)}

    async def _own_personas(self, tx: Transaction, part: AudienceBefore) -> Sequence[str]:
        """Return the personas of the space's own that the memories name."""
        wanted = {each.memory.scope.persona_id for each in part.memories} - set(self.personas.by_id)
        return [each for each in sorted(wanted) if await tx.personas.of_audience(part.audience, each) is not None]

    @asynccontextmanager
    async def _transaction(self, store: Store) -> AsyncIterator[Transaction]:
        async with store.write() if self.writes else store.read() as tx:
            yield tx

    def _tell(self, done: int) -> None:
        self._done += done
        self.told(self._done, self._total)


async def _went(tx: Transaction, things: Collection[Erasable], since: datetime) -> bool:
    """Say whether one of these was erased at that moment or later."""
    return any(since <= at for at in (await tx.erasures.erased_at(things)).values())


def _batches(things: Sequence[T]) -> Iterator[Sequence[T]]:
    return (things[start : start + AT_ONCE] for start in range(0, len(things), AT_ONCE))
