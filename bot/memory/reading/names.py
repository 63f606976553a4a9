"""What is known of the names in a message, as far as it may be shown and fits."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from bot.domain.chat import Audience
from bot.domain.naming import named
from bot.domain.past import EntityFacts, Relation
from bot.memory.entities import entity_line, statement
from bot.memory.gate.border import Border
from bot.memory.gate.claims import safely_named
from bot.memory.gate.pieces import holds_piece
from bot.memory.graph import KnownNames
from bot.ports.store import Transaction
from bot.ports.tokens import TokenCounter

MOST_NAMES = 8
DATE_TOKENS = 12
"""What the dates of a relation, and whose word it is, cost beside its words."""

T = TypeVar("T")


def told_before(known: KnownNames, text: str) -> KnownNames:
    """Return what was known before a message said it: its own sentences, which the background may have read already, tell nothing."""
    said = " ".join(text.split())
    facts = [replace(each, sentences=tuple(sentence for sentence in each.sentences if sentence not in said)) for each in known.entities]
    entities = tuple(each for each, before in zip(facts, known.entities, strict=True) if each.sentences or not before.sentences)
    return KnownNames(entities, tuple(relation for relation in known.relations if relation.evidence not in said))


def let_in(known: KnownNames, border: Border) -> KnownNames:
    """Return what may be shown: each name with the last sentence that may, without names that have none.

    Of a relation both must be fit to show: what it says, and the sentence that it rests on.
    """
    entities = (replace(facts, sentences=_first_fit(facts.sentences, border)) for facts in known.entities if border.lets_in(facts.name))
    relations = [each for each in known.relations if border.lets_in(statement(each)) and _is_shown(each.evidence, border)]
    return KnownNames(tuple(facts for facts in entities if facts.sentences), tuple(relations))


async def with_speakers(tx: Transaction, audience: Audience, known: KnownNames) -> KnownNames:
    """Return the same with whose word each relation is, where it is not the word of whom it is about."""
    return replace(known, relations=tuple([await _with_speaker(tx, audience, relation) for relation in known.relations]))


def within_budget(known: KnownNames, budget: int, tokens: TokenCounter) -> KnownNames:
    """Return the names that fit, and then the relations; one that does not fit is skipped."""

    def entity_cost(facts: EntityFacts) -> int:
        return tokens.count(entity_line(facts))

    def relation_cost(relation: Relation) -> int:
        return DATE_TOKENS + tokens.count(statement(relation))

    entities = _fitting([(facts, entity_cost(facts)) for facts in known.entities], budget)
    left = budget - sum(map(entity_cost, entities))
    return KnownNames(entities, _fitting([(relation, relation_cost(relation)) for relation in known.relations], left))


def _first_fit(sentences: Iterable[str], border: Border) -> tuple[str, ...]:
    return tuple(islice((sentence for sentence in sentences if _is_shown(sentence, border)), 1))


def _is_shown(sentence: str, border: Border) -> bool:
    """Say whether a sentence may stand alone: what it quotes might be a piece of an order whose others stand elsewhere."""
    return not holds_piece(sentence) and border.lets_in(sentence)


async def _with_speaker(tx: Transaction, audience: Audience, relation: Relation) -> Relation:
    message = await tx.messages.get(audience, relation.source_row)
    if message is None or message.author.id in {relation.subject_person, relation.object_person}:
        return relation
    return replace(relation, said_by=named(safely_named(message.author)))


def _fitting(costs: Iterable[tuple[T, int]], budget: int) -> tuple[T, ...]:
    kept: list[T] = []
    for item, cost in costs:
        if cost <= budget:
            kept.append(item)
            budget -= cost
    return tuple(kept)
