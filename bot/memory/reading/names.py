"""What is known of the names in a message, as far as it fits."""

from collections.abc import Iterable
from typing import TypeVar

from bot.domain.past import EntityFacts, Relation
from bot.memory.entities import entity_line, statement
from bot.memory.graph import KnownNames
from bot.ports.tokens import TokenCounter

MOST_NAMES = 8
DATE_TOKENS = 12
"""What the dates of a relation cost beside its words."""

T = TypeVar("T")


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
