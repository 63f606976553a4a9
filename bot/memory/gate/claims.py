"""Whom a fact is about, and whose word it is. Names are looked for in the text; a model is never asked."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from bot.domain.memory import Memory
from bot.domain.message import Person
from bot.memory.gate.judge import is_fit

SHORTEST_NAME = 2
SHORTEST_ID = 5
"""Figures of an id that is no mere number."""
_UNSPACED = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|our|ich|mein\w*|wir|yo|mi|mis|je|j'|mon|ma|mes)\b|私|僕|俺|わたし|我")


def is_claim(memory: Memory) -> bool:
    """Say whether a memory is what somebody says of somebody else."""
    return memory.subject is not None and memory.subject.id != memory.author.id and bool(memory.author.id)


def spoken_of(memory: Memory) -> tuple[str, ...]:
    """Return whom a memory is about and, of a claim, who makes it: only what is equal in this may ever become one memory."""
    if memory.subject is None:
        return ("by", memory.author.id)
    return ("about", memory.subject.id, memory.author.id) if is_claim(memory) else ("about", memory.subject.id)


def own_first(memories: Iterable[Memory]) -> list[Memory]:
    """Return memories with what people said of themselves before all claims, else in the order they came in."""
    return sorted(memories, key=is_claim)


def subject_of(text: str, author: Person, people: Iterable[Person]) -> Person | None:
    """Return whom a fact is about: its author, unless it names exactly one other member before it speaks of its author.

    None when it names several others. A name that two members bear names nobody.
    """
    known = {person.id: person for person in people if not (person.is_bot or person.is_service)} | {author.id: author}
    named = sorted((place, person.id) for place, person in _named(text, list(known.values())))
    others = list(dict.fromkeys(person_id for _, person_id in named if person_id != author.id))
    if not others or _comes_first(text, author, named):
        return author
    return known[others[0]] if len(others) == 1 else None


def safely_named(person: Person) -> Person:
    """Return a person without a display name that would read as more than a name where memories stand."""
    return person if is_fit(person.display_name) else replace(person, display_name="")


def may_change(memory: Memory, person: Person) -> bool:
    """Say whether somebody may change or end a memory by what they say: whoever said it, and whom it is about."""
    return person.id in {memory.author.id, memory.subject.id if memory.subject else memory.author.id}


def attributed(memory: Memory) -> str:
    """Return a memory's text with whose word it is, where that is not the word of whom it is about."""
    if not is_claim(memory) or memory.subject is None:
        return memory.text
    return f"(said by id {memory.author.id}, not by id {memory.subject.id} themselves) {memory.text}"


def own_word(memory: Memory, author: Person) -> Memory:
    """Return a claim as the word of whom it is about, when they say it themselves; any other memory as it is."""
    says_so = is_claim(memory) and memory.subject is not None and memory.subject.id == author.id
    return replace(memory, author=author) if says_so else memory


def _comes_first(text: str, author: Person, named: list[tuple[int, str]]) -> bool:
    """Say whether a text speaks of its author before it names anybody else."""
    places = [place for place, person_id in named if person_id == author.id]
    match = _FIRST_PERSON.search(text.casefold())
    first = min([*places, *([match.start()] if match else [])], default=len(text))
    return first < min(place for place, person_id in named if person_id != author.id)


def _named(text: str, people: list[Person]) -> Iterable[tuple[int, Person]]:
    """Yield the people that a text names, each with the place; names that several bear are left out."""
    plain = unicodedata.normalize("NFKC", text)
    names: dict[str, set[str]] = {}
    for person in people:
        for name in _names(person):
            names.setdefault(name, set()).add(person.id)
    for person in people:
        places = [_place(plain, name) for name in _names(person) if len(names[name]) == 1]
        places += [_place(plain, person.id)] if len(person.id) >= SHORTEST_ID else []
        found = [place for place in places if place >= 0]
        if found:
            yield min(found), person


def _names(person: Person) -> tuple[str, ...]:
    """Return what a person is called: the whole name, and the first word of it."""
    whole = " ".join(unicodedata.normalize("NFKC", person.display_name).split())
    return tuple(dict.fromkeys(name for name in (whole, whole.partition(" ")[0]) if len(name) >= SHORTEST_NAME))


def _place(text: str, name: str) -> int:
    if _UNSPACED.search(name):
        return text.find(name)
    match = re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", text)
    return match.start() if match else -1
