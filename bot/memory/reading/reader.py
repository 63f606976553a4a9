"""What a conversation's past brings to a turn, in two steps: what the turn asks, and what comes back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.by_text import ByText
from bot.domain.message import StoredMessage
from bot.domain.past import CorpusKey, CorpusKind, PastBudget, PastNote, PastRecall
from bot.domain.persona import Persona
from bot.domain.steps import NOTHING_FOUND, Step, StepKind
from bot.domain.turn import Turn
from bot.memory.gate.border import Border, judged_texts
from bot.memory.graph import KnownNames, known_in, neighbours
from bot.memory.hidden import shown_past
from bot.memory.reading import names, summaries
from bot.memory.reading.found import Search, come_back, widened
from bot.memory.reading.keywords import Wanted, found_text, keyword_search
from bot.memory.reading.meaning import Meaning, Sense
from bot.memory.reading.update import UpdateFirst
from bot.memory.search.question import Question, asked
from bot.ports.store import Store, Transaction
from bot.ports.tokens import TokenCounter

LONGEST_QUESTION = 2000
"""Characters of what was said that are searched for."""
KEYWORD_SECTION = "found by keywords"


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What a turn looks for in the past."""

    question: Question | None = None
    sense: Sense | None = None


@dataclass(frozen=True, slots=True)
class PastReader:
    """Reads a conversation's past before an answer."""

    store: Store
    tokens: TokenCounter
    meaning: Meaning
    update_first: UpdateFirst | None = None
    """None lets all readers be fast ones."""
    judged: ByText[bool] = field(default_factory=judged_texts)

    async def ask(self, turn: Turn) -> Asked:
        """Return what the turn asks, for `recall`; readers that write first do so now."""
        if self.update_first is not None and _reads_past(turn.persona):
            await self.update_first(turn.persona, turn.conversation)
        question = await self._question(turn) if _searches(turn.persona) else None
        return Asked(question, await self.meaning.of((question.statement or question.text) if question else ""))

    async def recall(self, turn: Turn, what: Asked, history: Sequence[StoredMessage], budget: PastBudget) -> PastRecall:
        """Return what comes back of what was said before the history that the prompt shows, and before the turn."""
        if not _reads_past(turn.persona):
            return PastRecall()
        before = history[0].id if history else turn.messages[0].id
        async with self.store.read() as tx:
            summary, recent = await summaries.summed_up(tx, turn.conversation, turn.persona.steps.readers, before=before)
            known = await self._names(tx, turn)
            found = await self._search(tx, turn, what, known, before=before)
            excerpts, structured = await come_back(found, self.tokens, budget=budget.found, most=_most(turn.persona)) if found else ((), ())
            sections = await self._keywords(tx, turn, before)
            summary, chunks = summaries.within_budget(*summaries.let_in(summary, recent, self._border(turn)), budget.summaries, self.tokens)
            shown = names.within_budget(known, turn.persona.memory.entity_tokens, self.tokens)
            past = PastRecall(summary, chunks, shown.entities, shown.relations, structured, excerpts, sections)
            return await shown_past(tx, turn.scope.audience, past)

    async def _question(self, turn: Turn) -> Question:
        async with self.store.read() as tx:
            documents = await tx.corpora.documents(CorpusKey(turn.conversation))
        return asked(
            turn.text[:LONGEST_QUESTION],
            now=turn.started_at,
            zone=turn.persona.zone,
            people=documents.people,
            asker=turn.asker.id,
        )

    async def _names(self, tx: Transaction, turn: Turn) -> KnownNames:
        if not turn.persona.memory.entity_tokens:
            return KnownNames()
        text = turn.text[:LONGEST_QUESTION]
        known = await known_in(tx, turn.scope.audience, text, limit=names.MOST_NAMES, speaker=turn.asker)
        shown = names.let_in(names.told_before(known, text), self._border(turn))
        return await names.with_speakers(tx, turn.scope.audience, shown) if turn.is_group else shown

    async def _search(self, tx: Transaction, turn: Turn, what: Asked, known: KnownNames, *, before: int) -> Search | None:
        if what.question is None:
            return None
        near = await neighbours(tx, turn.scope.audience, what.question.text, speaker=turn.asker)
        question = widened(what.question, known.entities, near)
        return Search(tx, turn.conversation, question, what.sense, turn.started_at, before, turn.messages[0].id, self._border(turn))

    def _border(self, turn: Turn) -> Border:
        return Border(turn.persona.name, self.judged)

    async def _keywords(self, tx: Transaction, turn: Turn, before: int) -> tuple[tuple[str, str], ...]:
        """Return what the readers with keywords of their own find."""
        texts = []
        for step in _steps(turn.persona, StepKind.SEARCH):
            if step.keywords.strip():
                found = await keyword_search(tx, Wanted(turn.conversation, step, turn.started_at, before, self._border(turn)))
                texts.append(found_text(found, dates=step.dates, zone=turn.persona.zone))
        return tuple((KEYWORD_SECTION, text) for text in texts if text != NOTHING_FOUND)


def past_notes_on(past: PastRecall) -> Sequence[PastNote]:
    """Return what of the past stood in a prompt, and why."""
    turns = [PastNote(CorpusKind.TURNS, excerpt.found_row, excerpt.reason) for excerpt in past.excerpts]
    return [*turns, *(PastNote(CorpusKind.STRUCTURED, hit.memory.id, hit.reason) for hit in past.structured)]


def _reads_past(persona: Persona) -> bool:
    return persona.memory.enabled and persona.memory.past


def _steps(persona: Persona, kind: StepKind) -> Sequence[Step]:
    return [step for step in persona.steps.readers if step.kind is kind]


def _searches(persona: Persona) -> bool:
    """Say whether the message itself is searched for."""
    return _reads_past(persona) and _most(persona) > 0


def _most(persona: Persona) -> int:
    limits = [step.limit for step in _steps(persona, StepKind.SEARCH) if not step.keywords.strip()]
    return min(max(limits, default=0), persona.memory.max_excerpts)
