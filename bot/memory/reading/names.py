"""What is known of the names in a message, as far as it fits."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from bot.domain.past import EntityFacts, Relation
from bot.memory.entities import entity_line, statement
from bot.memory.graph import KnownNames
from bot.ports.tokens import TokenCounter

MOST_NAMES = 8
DATE_TOKENS = 12
"""What the dates of a relation cost beside its words."""

T = TypeVar("T")


def told_before(known: KnownNames, text: str) -> KnownNames:
    """Return what was known before a message said it: its own sentences, which the background may have read already, tell nothing."""
    said = " ".join(text.split())
    facts = [replace(each, sentences=tuple(sentence for sentence in each.sentences if sentence not in said)) for each in known.entities]
    entities = tuple(each for each, before in zip(facts, known.entities, strict=True) if each.sentences or not before.sentences)
    return KnownNames(entities, tuple(relation for relation in known.relations if relation.evidence not in said))


def within_budget(known: KnownNames, budget: int, tokens: TokenCounter) -> KnownNames:
    """Return the names that fit, and then the relations; one that does not fit is skipped."""

    def entity_cost(facts: EntityFacts) -> int:
        return tokens.count(entity_line(facts))

    def relation_cost(relation: Relation) -> int:
        return DATE_TOKENS + tokens.count(statement(relation))

    entities = _fitting([(facts, entity_cost(facts)) for facts in known.entities], budget)
    left = budget - sum(map(entity_cost, entities))
    return KnownNames(entities, _fitting([(relation, relation_cost(relation)) for relation in known.relations], left))


def _fitting(costs: Iterable[tuple[T, int]], budget: int) -> tuple[T, ...]:
    kept: list[T] = []
    for item, cost in costs:
        if cost <= budget:
            kept.append(item)
            budget -= cost
    return tuple(kept)
