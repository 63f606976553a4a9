"""Whoever asks the store for what was said or remembered says for whom: a question without that does not type-check."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest

import bot.ports
from bot.domain.chat import Audience, ConversationKey, MemoryScope
from bot.domain.entity import EntityMention
from bot.domain.job import JobRecord
from bot.domain.memory import Fold, HandleGroup, JournalEntry, Memory, RecallNote
from bot.domain.message import IncomingMessage, OutboxEntry, ReplyTarget, StoredMessage
from bot.domain.past import Chunk, CorpusKey, EntityFacts, Relation, RollingSummary, StructuredMemory
from bot.domain.privacy import Hidden
from bot.ports.corpus import Documents, Postings
from bot.ports.erasing import Resting, Taken

WALLED: frozenset[object] = frozenset(
    {
        *(StoredMessage, OutboxEntry, Memory, JournalEntry, Fold, HandleGroup, RecallNote, JobRecord),
        *(Chunk, RollingSummary, StructuredMemory, EntityFacts, EntityMention, Relation, Hidden),
        *(Documents, Postings, Resting, Taken),
    }
)
"""What people said, what was made of it, and what it is found by."""
WALLS: frozenset[object] = frozenset(
    {ConversationKey, Audience, MemoryScope, CorpusKey, IncomingMessage, ReplyTarget, StructuredMemory, Resting}
)
"""What says for whom something is; of a thing that is handed in, it is the thing's own place."""
EXCEPTIONS = {
    "Messages.last_heard": "adapters ask where to catch up after a stop; the ids of the messages are what they need",
    "Inbox.last_heard": "the same, as adapters see it",
    "Nights.last": "its subject is the text of a scope",
    "Nights.get": "whoever undoes a run finds by it which scope it was about",
    "Nights.history": "operators list the runs of all scopes; commands name their scope as the subject",
}
"""What names no wall, and why it needs none."""


def _ports() -> Iterator[type]:
    for module in pkgutil.iter_modules(bot.ports.__path__, "bot.ports."):
        for _, port in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if port.__module__ == module.name and getattr(port, "_is_protocol", False):
                yield port


def _parts(hint: object) -> Iterator[object]:
    """Yield a type and all that it is made of."""
    if isinstance(hint, list):  # the arguments of a Callable
        return
    yield hint
    for part in get_args(hint):
        yield from _parts(part)


def _unwalled() -> Iterator[str]:
    for port in _ports():
        for name, method in inspect.getmembers(port, inspect.isfunction):
            if name.startswith("_"):
                continue
            hints: dict[str, Any] = get_type_hints(method)
            needed = [each for each in inspect.signature(method).parameters.values() if each.default is inspect.Parameter.empty]
            asked = {part for each in needed if each.name in hints for part in _parts(hints[each.name])}
            if WALLED & set(_parts(hints.get("return"))) and not WALLS & asked:
                yield f"{port.__name__}.{name}"


def test_every_question_for_what_was_said_or_remembered_names_its_wall() -> None:
    assert set(_unwalled()) == set(EXCEPTIONS)


@pytest.mark.parametrize("port", ["Messages", "Memories", "Pasts", "Entities", "Relations", "Corpora", "Outbox", "Erasures", "People"])
def test_the_look_at_the_ports_sees_all_of_them(port: str) -> None:
    assert port in {each.__name__ for each in _ports()}
