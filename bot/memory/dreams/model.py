"""What a dream does with a model: it proposes, the gates decide. What it does not decide stays as it is."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from bot.domain.fading import faded_importance
from bot.domain.memory import End, Level, Memory, Revise, Settle
from bot.domain.model import ChatMessage
from bot.domain.persona import Persona
from bot.memory.dreams.answers import AnyAnswer, Dated, Ended, Same, Tidied, Verdicts, read_answer
from bot.memory.dreams.asking import Asking
from bot.memory.dreams.checks import dating_problem, ending_problem, merge_problem
from bot.memory.dreams.cursor import TRIES, Cursor
from bot.memory.dreams.limits import DreamLimits
from bot.memory.dreams.plan import Change, Step
from bot.memory.dreams.prompts import (
    IS_EXAMPLE,
    NO_NUMBER,
    TIDIED_EXAMPLE,
    UNREADABLE,
    VERDICTS_EXAMPLE,
    is_example_text,
    refused,
    tidied_prompt,
    verdicts_prompt,
)
from bot.memory.dreams.rules import Survey, forget, is_active, merge
from bot.memory.topics import search_words
from bot.ports.store import Store

KEPT_MARGIN = 0.05
"""How far above `demote_below` a memory is put that the model keeps."""
UNSOURCED = "names no memory that was shown"
_SPARE_CALLS = 1
"""For the diary."""


@dataclass(slots=True)
class DreamModel:
    """A model's part in one dream; what it may do goes into the survey's plan."""

    asking: Asking
    survey: Survey
    persona: Persona
    limits: DreamLimits
    rejected: int = 0
    """Proposals that were dropped."""
    is_unsourced: bool = False
    """Whether a proposal rested on no memory, also when it was asked to mend it."""
    _names_nothing: bool = False
    """The same of the last answer."""
    _decided: set[int] = field(default_factory=set)

    async def judge(self, faint: Sequence[Memory]) -> None:
        """Keep or forget each of the memories as the model says."""
        for start in range(0, len(faint), self.limits.faint):
            shown = {memory.number: memory for memory in faint[start : start + self.limits.faint]}
            prompt = verdicts_prompt(self.persona, shown.values(), self._zone)

            def carry_out(answer: Verdicts, shown: dict[int, Memory] = shown) -> list[str]:
                return self._carry_out(answer, shown)

            await self._ask(prompt, VERDICTS_EXAMPLE, carry_out)

    async def tidy(self, store: Store, cursor: Cursor) -> Cursor:
        """Merge, end and date memories as the model proposes, the ones ahead of the cursor; return where it stands then."""
        fresh = cursor.ahead(memory for memory in self.survey.memories.values() if self._is_open(memory))
        for start in range(0, len(fresh), self.limits.fresh):
            batch, calls = fresh[start : start + self.limits.fresh], self.asking.calls
            shown = {memory.number: memory for memory in await self._with_near(store, batch)}

            def accept(answer: Tidied, shown: dict[int, Memory] = shown) -> list[str]:
                return self._accept(answer, shown)

            useful = await self._ask(tidied_prompt(self.persona, shown.values(), self._zone), TIDIED_EXAMPLE, accept)
            if useful is None or self.asking.calls == calls:
                return cursor
            if not useful and cursor.tries + 1 < TRIES:
                return cursor.tried()
            cursor = cursor.past(batch[-1])
        return cursor

    async def _ask(self, prompt: tuple[ChatMessage, ...], example: AnyAnswer, accept: Callable[[AnyAnswer], list[str]]) -> bool | None:
        """Return whether an answer could be used; None when there was none at all."""
        messages, answered, useful = prompt, False, False
        for _ in range(self.limits.attempts):
            self._names_nothing = False
            text: str | None = await self.asking.answer(messages, spare_calls=_SPARE_CALLS)
            if text is None:
                break
            answer = read_answer(type(example), text)
            problems: list[str] = _problems(answer, example, accept)
            answered, useful = True, useful or (answer is not None and answer != example)
            if not problems:
                break
            self.rejected += len(problems)
            messages = (*prompt, *refused(str(text), problems))
        self.is_unsourced = self.is_unsourced or self._names_nothing
        return useful if answered else None

    def _carry_out(self, answer: Verdicts, shown: dict[int, Memory]) -> list[str]:
        kept, gone = set(answer.keep), set(answer.drop)
        for number in sorted((kept ^ gone) & shown.keys() - self._decided):
            if number in kept:
                self._keep(shown[number])
            else:
                forget(self.survey, [shown[number]], "faded, and the persona lets it go", by_model=True)
            self._decided.add(number)
        unknown = sorted((kept | gone) - shown.keys())
        torn = sorted(kept & gone & shown.keys())
        return [*(f"{number} {UNSOURCED}" for number in unknown), *(f"{number} is both kept and dropped" for number in torn)]

    def _keep(self, memory: Memory) -> None:
        importance = min(self.survey.policy.demote_below + KEPT_MARGIN, 1.0)
        edit = Settle(memory.number, Level.WORKING, importance)
        self._add(Change(Step.RETAINED, (edit,), "faded, and the persona keeps it", (memory.number,), by_model=True))

    def _accept(self, answer: Tidied, shown: dict[int, Memory]) -> list[str]:
        problems = [self._merge(each, shown) for each in answer.same]
        problems += [self._end(each, shown) for each in answer.ended]
        problems += [self._date(each, shown) for each in answer.dated]
        return [problem for problem in problems if problem]

    def _merge(self, proposal: Same, shown: dict[int, Memory]) -> str:
        numbers = sorted(set(proposal.numbers))
        named = f"same {numbers}:"
        problem = self._naming_problem(numbers, shown, proposal.text)
        if not problem and len(numbers) < 2:
            problem = "one memory alone cannot be merged, and a text that stays the same is no change"
        problem = problem or merge_problem([shown[number] for number in numbers], proposal.text)
        if problem:
            return f"{named} {problem}"
        before = [self.survey.memories[number] for number in numbers]
        merge(self.survey.plan, before, self.survey.policy, self.survey.at, text=proposal.text.strip(), by_model=True)
        self._decided.update(numbers)
        return ""

    def _end(self, proposal: Ended, shown: dict[int, Memory]) -> str:
        problem = self._naming_problem([proposal.number, proposal.by], shown)
        problem = problem or ending_problem(shown[proposal.number], shown[proposal.by])
        if problem:
            return f"ended {proposal.number}: {problem}"
        reason, sources = f"contradicted by #{proposal.by}", (proposal.number, proposal.by)
        self._add(Change(Step.ENDED, (End(proposal.number),), reason, sources, by_model=True))
        self._decided.add(proposal.number)
        return ""

    def _date(self, proposal: Dated, shown: dict[int, Memory]) -> str:
        problem = self._naming_problem([proposal.number], shown, proposal.text)
        problem = problem or dating_problem(shown[proposal.number], proposal.text, self._zone)
        if problem:
            return f"dated {proposal.number}: {problem}"
        memory = shown[proposal.number]
        importance = faded_importance(memory, self.survey.policy, self.survey.at)
        edits = (Revise(memory.number, proposal.text.strip()), Settle(memory.number, memory.level, importance))
        self._add(Change(Step.REWRITTEN, edits, "a relative date became absolute", (memory.number,), by_model=True))
        self._decided.add(memory.number)
        return ""

    def _naming_problem(self, numbers: Iterable[int], shown: dict[int, Memory], text: str = "") -> str:
        wanted = set(numbers)
        if wanted == {NO_NUMBER} or is_example_text(text):
            return IS_EXAMPLE
        self._names_nothing = self._names_nothing or not wanted & shown.keys()
        if not wanted or wanted - shown.keys():
            return UNSOURCED
        return "it was changed already" if wanted & self._decided else ""

    def _add(self, change: Change) -> None:
        self.survey.plan.add(change, [self.survey.memories[number] for number in change.sources])

    async def _with_near(self, store: Store, batch: Sequence[Memory]) -> Sequence[Memory]:
        """Return the memories as they stand after the plan so far, and with each those that share words with it."""
        near = {memory.number: memory for memory in batch}
        async with store.read() as tx:
            for memory in batch:
                levels = (Level.WORKING, Level.DEEP)
                found = await tx.memories.search(memory.scope, search_words(memory), limit=self.limits.near + 1, levels=levels)
                near |= {other.number: other for other, _ in found if self._is_open(other)}
        return sorted(self.survey.plan.standing(near.values()), key=lambda memory: memory.number)

    def _is_open(self, memory: Memory) -> bool:
        """Say whether a memory is active, unchanged since the survey, and not decided on."""
        known = self.survey.memories.get(memory.number) == memory and memory.number not in self._decided
        return known and is_active(memory) and not self.survey.plan.takes_away(memory.number)

    @property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.persona.time_zone)


def _problems(answer: AnyAnswer | None, example: AnyAnswer, accept: Callable[[AnyAnswer], list[str]]) -> list[str]:
    if answer is None:
        return [UNREADABLE]
    return [IS_EXAMPLE] if answer == example else accept(answer)
