"""Bringing memories back in, each into the audience that it comes from."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.chat import Audience, AudienceKind, parse_key, space_of
from bot.domain.erasing import OnePerson, OneSpace, erasures_of
from bot.domain.memory import JournalEntry, Memory
from bot.domain.message import Person
from bot.domain.past import Relation
from bot.domain.pending import MOST_PENDING, PendingMemory
from bot.domain.text import text_key
from bot.memory.edit import memory_text
from bot.memory.export.bring_messages import Landed
from bot.memory.export.outcome import Outcome
from bot.memory.export.parcel import ChangeBefore, KnownBefore
from bot.memory.gate.judge import judged
from bot.memory.gate.verdict import Concern, Ruling, Verdict, refuse
from bot.memory.hidden import hidden_there, hides_relation, may_remember
from bot.memory.shares import SHARED
from bot.ports.erasing import Erasable
from bot.ports.store import Transaction

IMPORTED = "imported from a file"
_ACTOR = re.compile(r"(?:persona|person|plugin):\S{1,200}|operator|dream")
_PREDICATE = re.compile(r"[a-z][a-z_]{0,39}")
_SAME_KIND = 100


@dataclass(frozen=True, slots=True)
class MemoryImport:
    """Decides for the memories and relations of one audience, and stores what may come in."""

    audience: Audience
    personas: Mapping[str, str]
    """The names of the personas that are here, by id."""
    landed: Mapping[str, Landed]
    now: datetime
    writes: bool

    async def bring(self, tx: Transaction, known: KnownBefore) -> Outcome:
        """Return what becomes of a memory."""
        outcome, verdict = await self._outcome(tx, known)
        if not self.writes or outcome not in {Outcome.ADDED, Outcome.WAITS}:
            return outcome
        number = await tx.memories.reserve_number(known.memory.scope)
        memory = replace(known.memory, number=number, text=verdict.text, source_message_ids=self._rows(known.sources))
        if outcome is Outcome.WAITS:
            await self._wait(tx, memory, verdict.concern)
            return outcome
        await tx.memories.add(memory)
        await tx.memories.write_journal([*(self._line(memory, each) for each in known.changes), _arrival(memory, self.now)])
        await tx.memories.set_fold(memory.scope, None)
        return outcome

    async def relate(self, tx: Transaction, relation: Relation, ref: str) -> Outcome:
        """Return what becomes of a relation: it has to rest on a message that is here and says it."""
        source = self.landed.get(ref)
        people = (relation.subject_person, relation.object_person)
        if (source is not None and source.is_erased) or await self._went_with(tx, people, relation.valid_from):
            return Outcome.ERASED
        if source is None or not source.is_of(self.audience) or relation.evidence not in source.text:
            return Outcome.NO_SOURCE
        hidden = await hidden_there(tx, self.audience, [Person(person, "") for person in people if person])
        if hides_relation(relation, hidden):
            return Outcome.OPTED_OUT
        if not _PREDICATE.fullmatch(relation.predicate) or judged(relation.evidence).ruling is not Ruling.ACCEPT:
            return Outcome.GATE
        is_new = await self._add(tx, replace(relation, source_row=source.row))
        return Outcome.ADDED if is_new else Outcome.KNOWN

    async def _add(self, tx: Transaction, relation: Relation) -> bool:
        """Add a relation unless the same holds, or held from the same moment on."""
        subject, thing, person = relation.subject, relation.object, relation.subject_person
        same = await tx.relations.timeline(self.audience, subject, relation.predicate, thing=thing, person_id=person, limit=_SAME_KIND)
        if any(each.valid_from == relation.valid_from or each.valid_to is None for each in same):
            return False
        return not self.writes or await tx.relations.add(self.audience, relation)

    async def _outcome(self, tx: Transaction, known: KnownBefore) -> tuple[Outcome, Verdict]:
        memory, nothing = known.memory, refuse("", Concern.NONE)
        if await tx.erasures.known_ids([memory.id]):
            return Outcome.KNOWN, nothing
        if await self._is_erased(tx, known):
            return Outcome.ERASED, nothing
        refused = {
            Outcome.FUTURE: memory.created_at > self.now,
            Outcome.NO_PERSONA: memory.scope.persona_id not in self.personas,
            Outcome.COPY: any(change.reason == SHARED for change in known.changes),
        }
        if any(refused.values()):
            return next(outcome for outcome, holds in refused.items() if holds), nothing
        if not await may_remember(tx, memory.scope, memory.text, (memory.subject, memory.author)):
            return Outcome.OPTED_OUT, nothing
        return await self._judged(tx, memory)

    async def _judged(self, tx: Transaction, memory: Memory) -> tuple[Outcome, Verdict]:
        """Return what the gate before memory says, and whether the same is remembered already."""
        verdict = self._verdict(memory.scope.persona_id, memory.text)
        if verdict.ruling is Ruling.REFUSE:
            return Outcome.GATE, verdict
        if await tx.memories.same_text(memory.scope, verdict.text):
            return Outcome.KNOWN, verdict
        if verdict.ruling is Ruling.ACCEPT:
            return Outcome.ADDED, verdict
        waiting = await tx.pending.page(memory.scope, limit=MOST_PENDING)
        is_waiting = any(text_key(each.text) == text_key(verdict.text) for each in waiting)
        return (Outcome.KNOWN if is_waiting else Outcome.WAITS), verdict

    def _verdict(self, persona_id: str, text: str) -> Verdict:
        try:
            kept = memory_text(text)
        except ValueError:
            return refuse("", Concern.NONE)
        is_private = self.audience.kind is AudienceKind.PERSON
        return judged(kept, bot_names=(self.personas.get(persona_id, persona_id),), private=is_private)

    async def _is_erased(self, tx: Transaction, known: KnownBefore) -> bool:
        """Say whether a memory was erased, or somebody or something that it is of, or a message that it ever rested on."""
        memory = known.memory
        if await tx.erasures.erased_at([memory.id]):
            return True
        refs = {*known.sources, *(ref for change in known.changes for ref in change.sources)}
        if any(self.landed[ref].is_erased for ref in refs if ref in self.landed):
            return True
        people = [memory.author.id, *([memory.subject.id] if memory.subject else [])]
        return await self._went_with(tx, people, memory.created_at)

    async def _went_with(self, tx: Transaction, people: Iterable[str], at: datetime) -> bool:
        things: list[Erasable] = [self.audience]
        platform, space_id = space_of(self.audience)
        things += [OneSpace(platform, space_id), OnePerson(platform, space_id.removeprefix("person:"))]
        for person in filter(None, people):
            things += [OnePerson(platform, person), OnePerson(platform, person, space_id=space_id)]
            if self.audience.kind is AudienceKind.CONVERSATION:
                things += erasures_of(parse_key(self.audience.id), person)
        return any(at <= erased for erased in (await tx.erasures.erased_at(things)).values())

    def _rows(self, refs: Iterable[str]) -> tuple[int, ...]:
        found = [self.landed[ref] for ref in refs if ref in self.landed]
        return tuple(dict.fromkeys(each.row for each in found if each.row and each.is_of(self.audience)))

    def _line(self, memory: Memory, change: ChangeBefore) -> JournalEntry:
        """Return a line of the journal. A text that the gate does not let in is left out of it."""
        before, after = (
            replace(memory, text=verdict.text)
            if (verdict := self._verdict(memory.scope.persona_id, text)).ruling is Ruling.ACCEPT
            else None
            for text in (change.before, change.after)
        )
        actor = change.actor if _ACTOR.fullmatch(change.actor) else "operator"
        sources, at = self._rows(change.sources), min(change.at, self.now)
        return JournalEntry(memory.id, memory.scope, memory.number, actor, change.reason, before, after, sources, at)

    async def _wait(self, tx: Transaction, memory: Memory, concern: Concern) -> None:
        await tx.pending.add(
            PendingMemory(
                scope=memory.scope,
                number=memory.number,
                text=memory.text,
                author=memory.author,
                subject=memory.subject,
                source_message_ids=memory.source_message_ids,
                reason=concern,
                at=memory.created_at,
                importance=memory.importance,
                group=memory.group,
            )
        )


def _arrival(memory: Memory, at: datetime) -> JournalEntry:
    return JournalEntry(memory.id, memory.scope, memory.number, "operator", IMPORTED, memory, memory, memory.source_message_ids, at)
