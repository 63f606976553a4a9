"""Dreams that are told: their diary is posted where the admins want to read it."""

from dataclasses import dataclass
from typing import Protocol

import structlog

from bot.domain.chat import AudienceKind, ConversationKey, ConversationKind, MemoryScope, parse_key, space_of
from bot.domain.job import JobRecord, JobState
from bot.domain.message import ReplyTarget
from bot.domain.night import diary_setting
from bot.domain.persona import Persona
from bot.memory.dreams.dream import DreamReport
from bot.memory.unremembered import post_unremembered
from bot.ports.clock import Clock
from bot.ports.queue import TurnQueue
from bot.ports.store import Store, Transaction

log = structlog.get_logger(__name__)


class Dreamer(Protocol):
    """Dreams about one scope, by `persona.memory`."""

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False, run: str = "") -> DreamReport:
        """Return all that was done, or with `dry_run` would be; a run that was given an id, and was cut off, is gone on with."""
        ...


@dataclass(frozen=True, slots=True)
class ToldDreams:
    """A Dreamer whose diaries are posted. What stands in them is no part of the history, so that no fact ever comes from it."""

    dreams: Dreamer
    store: Store
    clock: Clock
    queue: TurnQueue

    async def about(self, persona: Persona, scope: MemoryScope, run: str = "") -> JobRecord:
        """Dream about one scope and return the record."""
        return (await self.report(persona, scope, run=run)).record

    async def report(self, persona: Persona, scope: MemoryScope, *, dry_run: bool = False, run: str = "") -> DreamReport:
        """Dream about one scope, and tell of it when something came of it that was not told before."""
        async with self.store.read() as tx:
            before = await tx.nights.get(run) if run else None
        report = await self.dreams.report(persona, scope, dry_run=dry_run, run=run)
        is_told = before is not None and before.diary
        if report.record.diary and report.record.state is JobState.DONE and not (dry_run or is_told):
            await self._post(persona, scope, report.record.diary)
        return report

    async def _post(self, persona: Persona, scope: MemoryScope, diary: str) -> None:
        async with self.store.write() as tx:
            settings = await tx.settings.all(*space_of(scope.audience))
            place = settings.get(diary_setting(scope.audience))
            if place is None:
                return
            conversation = parse_key(place)
            await self._put(tx, persona, conversation, scope, f"🌙 {diary}")
            await self.queue.ask(tx, conversation)
        log.info("diary_posted", persona=persona.id, platform=conversation.platform)

    async def _put(self, tx: Transaction, persona: Persona, conversation: ConversationKey, scope: MemoryScope, text: str) -> None:
        kind = ConversationKind.DIRECT if scope.audience.kind is AudienceKind.PERSON else ConversationKind.GROUP
        await post_unremembered(tx, ReplyTarget(conversation, kind), persona, text, at=self.clock.now())
