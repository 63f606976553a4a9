"""One turn, top to bottom: what happens when somebody writes "hi"."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import structlog

from bot.conversation.continuing import marked
from bot.conversation.files import FileReader
from bot.conversation.generate import Generation, Generator
from bot.conversation.introduction import introduce
from bot.conversation.long_answer import is_very_long
from bot.conversation.models import Models
from bot.conversation.notices import notices
from bot.conversation.remarks import remarked
from bot.conversation.running import MoreWasSaid, Writing
from bot.conversation.unasked import Unasked
from bot.conversation.urge import Urge, is_silence
from bot.conversation.voices import NamedDraft, name_before
from bot.domain.extension import ToolContext
from bot.domain.memory import Recall
from bot.domain.message import MessageState, OutboxEntry, StoredMessage
from bot.domain.model import Usage
from bot.domain.past import PastRecall
from bot.domain.persona import MemoryMode, Timestamps
from bot.domain.speaking import SpeakMode
from bot.domain.tool import ToolSpec
from bot.domain.turn import Turn, TurnReport
from bot.errors import ContextOverflow, ModelError, ModelRefused, ToolsUnsupported
from bot.memory.erasing.guard import unguarded
from bot.memory.erasing.rows import take_documents
from bot.memory.hidden import shown_recall, spoken_by_others
from bot.memory.reading.meaning import Meaning
from bot.memory.reading.reader import Asked, PastReader, past_notes_on
from bot.memory.recall import notes_on, recall
from bot.memory.stage import StagedEdits
from bot.memory.working import WorkingSet
from bot.plugin.manager import PluginManager
from bot.ports.clock import Clock
from bot.ports.files import Documents, Transcriber
from bot.ports.metrics import Outcome, Stage
from bot.ports.platform import Draft, Platform
from bot.ports.store import Store, Transaction
from bot.ports.tokens import TokenCounter
from bot.ports.watch import NO_WATCH, Watch
from bot.prompt.builder import Material, PromptBuilder
from bot.prompt.history import begins_anew
from bot.tools.registry import Toolbox, offered

WAITING_SPARE = 20
"""Messages that may have come in since the turn began, and are left out of its history."""
MOST_SHORTENED = 2
"""Times that a prompt is shortened because it is too long for its model."""
SPEAKS_UP_WITHIN = timedelta(minutes=15)
"""What the persona was to say of its own accord is left unsaid after this time."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Written:
    """What is to be committed of a turn."""

    generation: Generation
    staged: StagedEdits
    material: Material

    def costing(self, usage: Sequence[Usage]) -> "_Written":
        """Return it with all that the turn has cost."""
        return replace(self, generation=replace(self.generation, usage=tuple(usage)))


@dataclass(frozen=True, slots=True)
class _Committed:
    """What came of a turn."""

    report: TurnReport
    unsent: tuple[OutboxEntry, ...] = ()
    """The reply on its way out, where that is all there is to be sent."""


class _TurnWasTaken(Exception):
    """Another process has answered what a turn was to answer."""


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
            silence, staged = replace(silence, usage=wish.usage), StagedEdits(self.store, turn, reason="silence")
            await self._end(turn, silence, staged, Material(turn, Recall(), ()))
            return ()
        async with self._composing(turn) as draft:
            name = await name_before(self.store, self.platforms[turn.conversation.platform], turn.target)
            writing.draft = NamedDraft(draft, name) if name else draft
            written = await writing.unless_stopped(self._write(turn, writing))
        if written is None and writing.begins_anew and not writing.is_stopped:
            await self._leave_off(turn, writing)
            raise MoreWasSaid
        written = self._stopped(turn, writing) if written is None else written.costing(writing.spent.usage)
        turn = replace(written.material.turn, draft_id=draft.message_id)
        if (late := await self._too_late(turn)) is not None:
            written = replace(written, generation=replace(late, usage=written.generation.usage))
        generation = remarked(written.generation, written.staged.concerns, turn)
        committed = await self._end(turn, generation, written.staged, written.material)
        if committed is None:
            return ()
        if committed.report.reply and turn.is_unasked and self.unasked is not None:
            self.unasked.answered(turn.conversation)
        if not turn.is_passing:
            await self.plugins.reply_committed(committed.report)
        return committed.unsent

    async def _write(self, turn: Turn, writing: Writing) -> _Written:
        tools = offered(self.plugins.tools, turn.persona)
        turn, images = await self.files.read(self.store, turn, sees=self.models.of(turn.persona).takes_images)
        with self.watch.traces.span("recall"):
            asked = await self.past.ask(turn)
            material = replace(await self._gather(turn, asked, tuple(tool.spec for tool in tools)), images=images)
        staged = StagedEdits(self.store, turn, reason="said in conversation", before=material.history)
        toolbox = writing.toolbox = Toolbox(tools, ToolContext(turn, staged))
        with self.watch.traces.span("model"):
            generation = await self._generate(material, toolbox, writing)
        return _Written(generation, staged, material)

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

    def _stopped(self, turn: Turn, writing: Writing) -> _Written:
        """Return what is left of an answer that somebody stopped."""
        log.info("turn_stopped", persona=turn.persona.id, shown=len(writing.shown))
        costs = writing.costs(reply_tokens=self.tokens.count(writing.shown))
        text = marked(writing.shown) if writing.shown.strip() else ""
        staged = StagedEdits(self.store, turn, reason="stopped")
        return _Written(Generation(text, costs), staged, Material(turn, Recall(), ()))

    async def give_up(self, turn: Turn) -> None:
        """Close a turn that failed again and again with a notice, so that it does not hold up the next."""
        generation = Generation(notices(turn.persona.language).gave_up, (), is_notice=True)
        staged = StagedEdits(self.store, turn, reason="given up")
        if await self._commit(turn, generation, staged, Material(turn, Recall(), ())) is not None:
            self.watch.metrics.turn_ended(turn.conversation.platform, Outcome.GIVEN_UP)

    def _composing(self, turn: Turn) -> AbstractAsyncContextManager[Draft]:
        """Show that an answer is being written; which message shows it is kept, so that a crash leaves none behind unfinished."""

        async def keep(message_id: str) -> None:
            async with unguarded(self.store).write() as tx:  # a message that nobody knew of would stay unfinished for good
                await tx.outbox.set_draft(turn.conversation, message_id)

        posted = keep if turn.speaking.streams and not turn.speaks_up else None
        return self.platforms[turn.conversation.platform].composing(turn.target, draft_id=turn.draft_id, posted=posted)

    async def _gather(self, turn: Turn, asked: Asked, tools: tuple[ToolSpec, ...]) -> Material:
        """Return what the prompt is made of: memories, what plugins add, history, and what comes back of what lies before it."""
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
        return await shown_recall(tx, turn.scope.audience, await recall(self._working_set(tx, turn), turn.text))

    async def _generate(self, material: Material, toolbox: Toolbox, writing: Writing) -> Generation:
        """Return the answer, or a short notice when the model gives none. Empty means the persona chose silence."""
        lines = notices(material.turn.persona.language)
        try:
            generation = await self._ask(material, toolbox, writing)
            if not generation.text and not material.turn.is_group and not material.turn.speaks_up:
                generation = await self._ask(material, toolbox, writing)
        except ModelError as problem:
            event = "model_refused" if isinstance(problem, ModelRefused) else "model_unavailable"
            log.error(event, problem=str(problem), trouble=problem.trouble, conversation_kind=material.turn.kind)
            if material.turn.speaks_up or (material.turn.is_unasked and material.turn.speaking.mode is SpeakMode.CHOICE):
                return Generation("", ())  # whom nobody asked needs no excuse
            return Generation(lines.about(problem), (), is_notice=True)
        if material.turn.speaks_up:
            return replace(generation, text="") if is_silence(generation.text) else generation
        if not generation.text and not material.turn.is_group:
            return replace(generation, text=lines.nothing, is_notice=True)
        return generation

    async def _ask(self, material: Material, toolbox: Toolbox, writing: Writing, *, shortened: int = 0) -> Generation:
        """Return what the persona's model says; one that takes no tools edits memory by tags, one with a small window sees less history."""
        persona = material.turn.persona
        model = self.models.of(persona)
        by_tags = persona.memory.mode is MemoryMode.TAGS or (persona.memory.mode is MemoryMode.AUTOMATIC and not model.takes_tools)
        prompt = self.builder.build(replace(material, edits_by_tags=by_tags))
        log.info("prompt_built", persona=persona.id, memories_left_out=material.recall.left_out, tokens=prompt.counted)
        writing.cost = Usage(persona.model.name or model.name, prompt.counted, 0)
        stamped = persona.memory.timestamps is not Timestamps.NONE
        reads_tags = _reads_tags(material.turn)
        generator = Generator(model, toolbox, reads_tags=reads_tags, drops_stamps=stamped, show=writing.show, spent=writing.spent)
        try:
            generation = await generator.generate(prompt.request)
            self.builder.learn(material.turn, prompt, generation.usage)
            return replace(generation, history_start=prompt.history_start)
        except ToolsUnsupported:
            if by_tags or persona.memory.mode is MemoryMode.TOOLS:
                raise
            return await self._ask(material, toolbox, writing, shortened=shortened)
        except ContextOverflow as problem:
            if shortened == MOST_SHORTENED:
                raise
            self.builder.narrow(material.turn, prompt, limit=problem.limit, asked=problem.asked)
            log.warning("prompt_shortened", persona=persona.id, tokens=prompt.counted, limit=problem.limit, asked=problem.asked)
            return await self._ask(_shorter(material, shortened), toolbox, writing, shortened=shortened + 1)

    def _seen(self, turn: Turn) -> None:
        """Note that people see the first words of an answer, where they are shown any before it is done."""
        if turn.speaking.streams and not turn.speaks_up:
            seconds = (self.clock.now() - turn.addressed.sent_at).total_seconds()
            self.watch.metrics.reached(turn.conversation.platform, Stage.VISIBLE, seconds)

    async def _end(self, turn: Turn, generation: Generation, staged: StagedEdits, material: Material) -> _Committed | None:
        """Commit a turn, and tell whoever looks on."""
        with self.watch.traces.span("commit"):
            committed = await self._commit(turn, generation, staged, material)
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

    async def _commit(self, turn: Turn, generation: Generation, staged: StagedEdits, material: Material) -> _Committed | None:
        """Store all that the turn brought, in one transaction; None when another process had answered it meanwhile."""
        now, unsent = self.clock.now(), tuple[OutboxEntry, ...]()
        try:
            async with self.store.write() as tx:
                await _take_what_waits(tx, turn)
                edits = 0 if turn.is_passing or turn.goes_on else await staged.apply(tx, now)
                await self._working_set(tx, turn).trim(keep=[hit.memory.number for hit in material.recall.fresh])
                for usage in generation.usage:
                    await tx.usage.add(turn.conversation, turn.persona.id, usage, now)
                if generation.text:
                    reply, is_alone = await self._put_reply(tx, turn, generation)
                    unsent = (reply,) if is_alone and not turn.is_passing else ()
                    if not turn.is_passing:
                        notes = notes_on(material.recall, staged.used)
                        await tx.messages.note_recalled(reply.message_row, notes, past_notes_on(material.past))
        except _TurnWasTaken:
            log.warning("turn_was_taken", platform=turn.conversation.platform, messages=len(turn.messages))
            return None
        return _Committed(TurnReport(turn, generation.text, edits, generation.usage), unsent)

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

    def _working_set(self, tx: Transaction, turn: Turn) -> WorkingSet:
        return WorkingSet(tx, turn.scope, turn.persona.memory, self.tokens, self.clock.now())


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


async def _said_before(tx: Transaction, turn: Turn) -> list[StoredMessage]:
    """Return what was said since somebody asked for a fresh start, without the turn: more messages than the history may hold."""
    floor = (await tx.pasts.state(turn.conversation)).history_floor
    current = {message.id for message in turn.messages}
    most = turn.persona.memory.history_messages + len(current) + WAITING_SPARE
    said = await tx.messages.history(turn.conversation, after=floor, limit=most)
    return [message for message in said if message.id not in current and message.state is not MessageState.WAITING]


def _shorter(material: Material, shortened: int) -> Material:
    """Return half the history; the second time, nothing that comes back of the past either."""
    history = material.history[(len(material.history) + 1) // 2 :]
    return replace(material, history=history, past=PastRecall() if shortened else material.past)


def _counts(past: PastRecall) -> dict[str, int]:
    return {"excerpts": len(past.excerpts), "structured": len(past.structured), "entities": len(past.entities), "chunks": len(past.recent)}


def _reads_tags(turn: Turn) -> bool:
    """Say whether tags are taken for what they are; where nothing may be kept they are taken out all the same."""
    policy = turn.persona.memory
    return turn.is_passing or (policy.enabled and policy.mode is not MemoryMode.TOOLS)
