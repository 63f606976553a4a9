"""One turn, top to bottom: what happens when somebody writes "hi"."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import structlog

from bot.conversation.answering import Answering
from bot.conversation.bylines import NamedDraft, name_before
from bot.conversation.committing import Committed, Committing, Written, without_prompt
from bot.conversation.continuing import marked
from bot.conversation.files import FileReader
from bot.conversation.gathering import Gathering
from bot.conversation.generate import Generation
from bot.conversation.models import Models
from bot.conversation.notices import notices
from bot.conversation.remarks import remarked
from bot.conversation.running import MoreWasSaid, Writing
from bot.conversation.unasked import Unasked
from bot.conversation.urge import Urge
from bot.domain.extension import ToolContext
from bot.domain.message import OutboxEntry
from bot.domain.turn import Turn
from bot.memory.erasing.guard import unguarded
from bot.memory.reading.meaning import Meaning
from bot.memory.reading.reader import PastReader
from bot.memory.stage import StagedEdits
from bot.plugin.manager import PluginManager
from bot.ports.clock import Clock
from bot.ports.files import Documents, Transcriber
from bot.ports.metrics import Outcome, Stage
from bot.ports.platform import Draft, Platform
from bot.ports.store import Store
from bot.ports.tokens import TokenCounter
from bot.ports.watch import NO_WATCH, Watch
from bot.prompt.builder import PromptBuilder
from bot.tools.registry import Toolbox, offered

SPEAKS_UP_WITHIN = timedelta(minutes=15)
"""What the persona was to say of its own accord is left unsaid after this time."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Takes turns: from messages that wait for an answer to a reply in the outbox."""

    store: Store
    clock: Clock
    tokens: TokenCounter
    builder: PromptBuilder
    models: Models
    plugins: PluginManager
    platforms: Mapping[str, Platform]
    reader: PastReader | None = None
    """Reads the conversation's past; None searches it by words alone."""

    introduces: bool = False
    """Say once to each person, and in each group, that something is remembered, and how to see and erase it."""

    documents: Documents | None = None
    transcriber: Transcriber | None = None
    unasked: Unasked | None = None
    """Counts answers to what nobody addressed to the persona."""
    watch: Watch = NO_WATCH

    @property
    def urge(self) -> Urge:
        """Return what knows whether the persona has something to say where it may choose."""
        return Urge(self.store, self.models, self.tokens, self.unasked)

    @property
    def files(self) -> FileReader:
        """Return what looks at files."""
        return FileReader(self.platforms, self.documents, self.transcriber)

    @property
    def past(self) -> PastReader:
        """Return what reads the conversation's past."""
        return self.reader or PastReader(self.store, self.tokens, Meaning(None))

    @property
    def gathering(self) -> Gathering:
        """Return what gathers what a prompt is made of."""
        return Gathering(self.store, self.clock, self.tokens, self.builder, self.plugins, self.past)

    @property
    def answering(self) -> Answering:
        """Return what asks models for answers."""
        return Answering(self.models, self.builder)

    @property
    def committing(self) -> Committing:
        """Return what stores what came of a turn."""
        return Committing(self.store, self.clock, self.tokens, self.platforms, self.introduces)

    async def take(self, turn: Turn, writing: Writing | None = None) -> Sequence[OutboxEntry]:
        """Answer a turn. When this returns, the reply, memory edits and all else are committed; sending comes after.

        Return the reply as it stands in the outbox, where that is all there is to be sent; nothing where the outbox is to be looked at.

        When the writing is stopped, what was shown until then is the reply, and memory stays as it was. Raises MoreWasSaid when it
        begins anew: then nothing is committed.
        """
        writing = writing or Writing()
        writing.seen = partial(self._seen, turn)
        wish = await self.urge.wish(turn)
        writing.spent.usage.extend(wish.usage)
        silence = await self._too_late(turn) if wish.speaks else Generation("", ())
        if silence is not None:
            staged = StagedEdits(self.store, turn, reason="silence")
            await self._end(without_prompt(turn, replace(silence, usage=wish.usage), staged))
            return ()
        committed = await self._end(await self._answer(turn, writing))
        if committed is None:
            return ()
        if committed.report.reply and turn.is_unasked and self.unasked is not None:
            self.unasked.answered(turn.conversation)
        if not turn.is_passing:
            await self.plugins.reply_committed(committed.report)
        return committed.unsent

    async def _answer(self, turn: Turn, writing: Writing) -> Written:
        """Return what is to be committed, with the message that shows it. Raises MoreWasSaid when it begins anew."""
        async with self._composing(turn) as draft:
            name = await name_before(self.store, self.platforms[turn.conversation.platform], turn.target)
            writing.draft = NamedDraft(draft, name) if name else draft
            written = await writing.unless_stopped(self._write(turn, writing))
        if written is None and writing.begins_anew and not writing.is_stopped:
            await self._leave_off(turn, writing)
            raise MoreWasSaid
        written = self._stopped(turn, writing) if written is None else written.costing(writing.spent.usage)
        written = written.shown_in(draft.message_id)
        if (late := await self._too_late(turn)) is not None:
            written = replace(written, generation=replace(late, usage=written.generation.usage))
        return replace(written, generation=remarked(written.generation, written.staged.concerns, written.turn))

    async def _write(self, turn: Turn, writing: Writing) -> Written:
        tools = offered(self.plugins.tools, turn.persona)
        turn, images = await self.files.read(self.store, turn, sees=self.models.of(turn.persona).takes_images)
        with self.watch.traces.span("recall"):
            material = replace(await self.gathering.gather(turn, tuple(tool.spec for tool in tools)), images=images)
        staged = StagedEdits(self.store, turn, reason="said in conversation", before=material.history)
        toolbox = writing.toolbox = Toolbox(tools, ToolContext(turn, staged))
        with self.watch.traces.span("model"):
            generation = await self.answering.answer(material, toolbox, writing)
        return Written(generation, staged, material)

    async def _too_late(self, turn: Turn) -> Generation | None:
        """Return silence where the persona was to speak of its own accord and somebody spoke first, or the moment has passed."""
        if not turn.speaks_up:
            return None
        async with self.store.read() as tx:
            said = await tx.messages.history(turn.conversation, limit=1)
        is_first = bool(said) and said[-1].id <= turn.addressed.id
        is_now = self.clock.now() - turn.addressed.sent_at <= SPEAKS_UP_WITHIN
        return None if is_first and is_now else Generation("", ())

    async def _leave_off(self, turn: Turn, writing: Writing) -> None:
        """Note what an answer has cost that nobody is going to see."""
        log.info("turn_begins_anew", persona=turn.persona.id)
        async with self.store.write() as tx:
            for usage in writing.costs():
                await tx.usage.add(turn.conversation, turn.persona.id, usage, self.clock.now())

    def _stopped(self, turn: Turn, writing: Writing) -> Written:
        """Return what is left of an answer that somebody stopped."""
        log.info("turn_stopped", persona=turn.persona.id, shown=len(writing.shown))
        costs = writing.costs(reply_tokens=self.tokens.count(writing.shown))
        text = marked(writing.shown) if writing.shown.strip() else ""
        staged = StagedEdits(self.store, turn, reason="stopped")
        return without_prompt(turn, Generation(text, costs), staged)

    async def give_up(self, turn: Turn) -> None:
        """Close a turn that failed again and again with a notice, so that it does not hold up the next."""
        generation = Generation(notices(turn.persona.language).gave_up, (), is_notice=True)
        staged = StagedEdits(self.store, turn, reason="given up")
        if await self.committing.commit(without_prompt(turn, generation, staged)) is not None:
            self.watch.metrics.turn_ended(turn.conversation.platform, Outcome.GIVEN_UP)

    def _composing(self, turn: Turn) -> AbstractAsyncContextManager[Draft]:
        """Show that an answer is being written; which message shows it is kept, so that a crash leaves none behind unfinished."""

        async def keep(message_id: str) -> None:
            async with unguarded(self.store).write() as tx:  # a message that nobody knew of would stay unfinished for good
                await tx.outbox.set_draft(turn.conversation, message_id)

        posted = keep if turn.speaking.streams and not turn.speaks_up else None
        return self.platforms[turn.conversation.platform].composing(turn.target, draft_id=turn.draft_id, posted=posted)

    def _seen(self, turn: Turn) -> None:
        """Note that people see the first words of an answer, where they are shown any before it is done."""
        if turn.speaking.streams and not turn.speaks_up:
            seconds = (self.clock.now() - turn.addressed.sent_at).total_seconds()
            self.watch.metrics.reached(turn.conversation.platform, Stage.VISIBLE, seconds)

    async def _end(self, written: Written) -> Committed | None:
        """Commit a turn, and tell whoever looks on."""
        turn, generation = written.turn, written.generation
        with self.watch.traces.span("commit"):
            committed = await self.committing.commit(written)
        if committed is not None:
            outcome = Outcome.FAILED if generation.is_notice else Outcome.ANSWERED if generation.text else Outcome.SILENT
            log.info(
                "turn_ended",
                platform=turn.conversation.platform,
                outcome=outcome,
                messages=len(turn.messages),
                edits=committed.report.edits,
            )
            self.watch.metrics.turn_ended(turn.conversation.platform, outcome)
        return committed
