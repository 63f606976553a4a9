"""Gates: what a dream may not do, whatever a model proposes. In doubt everything stays as it is."""

import re
from collections.abc import Iterable, Sequence
from datetime import tzinfo

from bot.domain.memory import Memory
from bot.domain.message import Person
from bot.domain.text import text_key
from bot.memory.dates import absolute_spans, are_meant, relative_spans, without_dates
from bot.memory.dreams.limits import DreamLimits
from bot.memory.dreams.plan import Plan, Step
from bot.memory.dreams.rules import Survey
from bot.memory.edit import memory_text
from bot.memory.gate.claims import is_claim, own_word, spoken_of
from bot.memory.grounding import dropped, invented
from bot.memory.likeness import likeness_key
from bot.memory.topics import topics

TOO_MUCH, NO_SOURCE, OVER_BUDGET = "loses_too_much", "no_source", "over_budget"

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|cannot|neither|nor|\w+n['’]t|nicht|kein\w*|nie|pas|jamais|nunca)\b|ない|ません|不|没",
    re.IGNORECASE,
)


def refusal(survey: Survey, limits: DreamLimits) -> str:
    """Return why the changes are refused as a whole; empty when they are not."""
    if any(not change.sources or not survey.memories.keys() >= set(change.sources) for change in survey.plan.changes):
        return NO_SOURCE
    active = survey.active
    lost = lost_numbers(survey.plan) & active
    return TOO_MUCH if len(lost) > max(1, limits.lost_share * len(active)) else ""


def lost_numbers(plan: Plan) -> frozenset[int]:
    """Return the numbers of memories whose fact is lost: not those of which another says the same, word for word or nearly so."""
    losing = (change for change in plan.changes if change.step is not Step.MERGED or change.by_model)
    return frozenset(edit.number for change in losing for edit in change.edits if plan.takes_away(edit.number))


def merge_problem(sources: Sequence[Memory], text: str) -> str:
    """Return what is wrong with one text for several memories; empty when nothing is."""
    texts = [memory.text for memory in sources]
    if not about_one_person(sources):
        return "they are about different people"
    if _numbers(text) != set().union(*(_numbers(each) for each in texts)):
        return "the figures in the new text are not those of the memories"
    if len({bool(_NEGATION.search(each)) for each in (*texts, text)}) > 1:
        return "one denies what another says"
    if not any(_names_keep_their_places(each, text) for each in texts):
        return "the names have changed places"
    return text_problem(text) or _words_problem(text, texts, sources)


def dating_problem(memory: Memory, text: str, zone: tzinfo) -> str:
    """Return what is wrong with a text in which relative dates have become absolute; empty when nothing is."""
    day = memory.updated_at.astimezone(zone).date()
    meant, new = relative_spans(memory.text, day), absolute_spans(text)
    if text_key(text) == text_key(memory.text):
        return "the new text is the old one"
    if not meant or relative_spans(text, day):
        return "a relative date must become a date such as 2026-05-04"
    if not new or not are_meant(new, [*meant, *absolute_spans(memory.text)]):
        return "the date does not follow from the memory's own date"
    old_words, new_words = without_dates(memory.text), without_dates(text)
    if _numbers(old_words) != _numbers(new_words) or bool(_NEGATION.search(old_words)) != bool(_NEGATION.search(new_words)):
        return "only the date may change"
    return text_problem(text) or _words_problem(new_words, [old_words], [memory])


def ending_problem(older: Memory, newer: Memory) -> str:
    """Return what speaks against a memory having ended because of another; empty when nothing does."""
    if is_claim(newer) and not is_claim(older):
        return "what others say ends nothing that somebody said of themselves"
    if not about_one_person([own_word(older, newer.author), newer]):
        return "they are about different people"
    if (newer.created_at, newer.number) <= (older.created_at, older.number):
        return "only a newer memory can end an older one"
    if older.pinned:
        return "it is pinned"
    if likeness_key(older.text) == likeness_key(newer.text) != ():
        return "they say the same"
    return "" if topics(older) & topics(newer) else "they are not about the same thing"


def text_problem(text: str) -> str:
    """Return why a text cannot be a memory; empty when it can."""
    try:
        memory_text(text)
    except ValueError as problem:
        return str(problem)
    return ""


def about_one_person(memories: Iterable[Memory]) -> bool:
    """Say whether all are about the same person; those about nobody in particular must come from one."""
    return len({spoken_of(memory) for memory in memories}) == 1


def _words_problem(text: str, sources: Sequence[str], memories: Sequence[Memory]) -> str:
    name = _name(memories[0].subject)
    new, missing = invented(text, sources, name=name), dropped(text, sources, name=name)
    if new:
        return f"no memory says: {', '.join(sorted(new))}"
    return f"missing: {', '.join(sorted(missing))}" if missing else ""


def _name(person: Person | None) -> str:
    return person.display_name if person else ""


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _names_keep_their_places(old: str, new: str) -> bool:
    """Say whether names stand in the same order: who does something to whom is nothing that words alone tell."""
    before, after = _capitalised(old), _capitalised(new)
    return [name for name in before if name in after] == [name for name in after if name in before]


def _capitalised(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text) if word[0].isupper()]
