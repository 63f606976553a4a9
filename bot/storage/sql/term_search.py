"""Finding memories by the words they share with a text, without reading them all.

The terms of the text are counted; how many memories have a frequent one is estimated from how recent the newest few of them are. The
rarest terms give candidates, as many as can be afforded. The best of these are then asked for the other terms, too, and so ranked
by all that they share. How rare a term is shows among all memories of the scope, whatever levels are asked for: so a memory that
changes its level leaves its terms as they are.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Any

from sqlalchemy import Float, Integer, Select, TextClause, select, text
from sqlalchemy.sql import column

from bot.domain.chat import MemoryScope
from bot.domain.memory import Level
from bot.domain.terms import terms, weight
from bot.storage.sql.memory_rows import MEMORIES, MEMORY_COLUMNS, level_values
from bot.storage.sql.scopes import scope_columns
from bot.storage.sql.session import Fields, SqlSession

_MOST_CHARACTERS = 10_000
"""Of a text that is looked up: longer ones are files, not messages."""
_MOST_ASKED = 512
"""Terms of a text that are looked up."""
_FREQUENT = 200
"""From here on a term is not counted but estimated."""
_MOST_CANDIDATES = 1500
_CANDIDATE_SHARE = 0.045
"""Index entries that give candidates: so many, and this share of all memories. A hundred thousand memories afford six thousand."""
_MOST_GIVING = 64
"""Terms that give candidates."""
_MOST_LIKELY = 200
"""Candidates that are asked for the other terms."""
_MOST_ADDED = 32
"""Other terms that they are asked for, the rarest; the rest is grammar and weighs little."""
_SIZES = (4, 12, 32, _MOST_GIVING, 128, _MOST_ASKED)
"""Numbers of terms that statements are made for. Places left over ask for the empty term, which nothing has."""
_COUNT = """
    SELECT asked.term, scope.id AS scope_id, scope.last_number, (
        SELECT count(*) FROM (
            SELECT 1 FROM memory_terms AS entry WHERE entry.scope_id = scope.id AND entry.term = asked.term LIMIT :frequent
        ) AS entries
    ) AS known, (
        SELECT memory.number FROM memories AS memory WHERE memory.id = (
            SELECT entry.memory_row FROM memory_terms AS entry WHERE entry.scope_id = scope.id AND entry.term = asked.term
            ORDER BY entry.memory_row DESC LIMIT 1 OFFSET :frequent - 1
        )
    ) AS since
    FROM memory_scopes AS scope CROSS JOIN asked
    WHERE scope.persona_id = :persona_id AND scope.audience_kind = :audience_kind AND scope.audience_id = :audience_id
"""
_ENTRIES = """
    SELECT * FROM (
        SELECT memory_row, CAST(:weight# AS DOUBLE PRECISION) AS weight FROM memory_terms
        WHERE scope_id = :scope_id AND term = :term# ORDER BY memory_row DESC LIMIT :affordable
    ) AS entries#
"""
# The inner order spares looking up the levels of more candidates than it takes. Conditions stand in scalar subqueries, which both
# databases answer row by row from a key: a join they might begin at the wrong end, and read all memories that have a term.
_RANK = """
    likely AS (
        SELECT found.memory_row, found.weight FROM (
            SELECT memory_row, sum(weight) AS weight FROM entries GROUP BY memory_row ORDER BY 2 DESC, 1 DESC LIMIT :affordable
        ) AS found
        WHERE (
            SELECT 1 FROM memories AS memory
            WHERE memory.id = found.memory_row AND memory.level IN (:level0, :level1, :level2) AND memory.ended_at IS NULL
        ) IS NOT NULL
        LIMIT :likely
    ), shared AS (
        SELECT memory_row, weight FROM likely UNION ALL
        SELECT likely.memory_row, other.weight FROM likely CROSS JOIN other
        WHERE (
            SELECT 1 FROM memory_terms AS entry
            WHERE entry.scope_id = :scope_id AND entry.term = other.term AND entry.memory_row = likely.memory_row
        ) IS NOT NULL
    )
    SELECT memory_row, sum(weight) / CAST(:total AS DOUBLE PRECISION) AS score FROM shared
    GROUP BY memory_row ORDER BY score DESC, memory_row DESC LIMIT :most
"""


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of a text, and how many memories of a scope have it."""

    term: str
    having: int
    weight: float


async def search_terms(sql: SqlSession, scope: MemoryScope, words: str, *, levels: Collection[Level], limit: int) -> Sequence[Fields]:
    """Return memories that share terms with `words`, best first, each with a `score`: the shared part of all weight, at most 1."""
    asked = sorted(terms(words[:_MOST_CHARACTERS]))[:_MOST_ASKED]
    if not asked:
        return []
    values = {**scope_columns(scope), **_numbered("term", asked, ""), "frequent": _FREQUENT}
    counted = await sql.rows(_count_statement(_size(asked)), values)
    weighed = [_weighed(row) for row in counted if row.term]
    known = sorted((term for term in weighed if term.having), key=lambda term: (term.having, term.term))
    if not known:
        return []
    affordable = int(_MOST_CANDIDATES + _CANDIDATE_SHARE * counted[0].last_number)
    giving = _giving(known, affordable)
    others = known[len(giving) : len(giving) + _MOST_ADDED]
    values = {
        **level_values(levels),
        **_numbered("term", [term.term for term in giving], ""),
        **_numbered("weight", [term.weight for term in giving], 0.0),
        **_numbered("other", [term.term for term in others], ""),
        **_numbered("other_weight", [term.weight for term in others], 0.0),
        "scope_id": counted[0].scope_id,
        "affordable": affordable,
        "likely": max(_MOST_LIKELY, limit),
        "total": sum(term.weight for term in weighed),
        "most": limit,
    }
    return await sql.rows(_rank_statement(_size(giving), _size(others)), values)


def _weighed(row: Fields) -> _Term:
    """Return a counted term. A frequent one is as frequent among all as its newest are among all that came with them."""
    having = row.known if row.since is None else row.known * row.last_number // (row.last_number - row.since + 1)
    return _Term(row.term, having, weight(row.term, having=having, total=row.last_number))


def _giving(known: Sequence[_Term], affordable: int) -> Sequence[_Term]:
    """Return the terms whose memories become candidates: the rarest of all, and the next as long as they can be afforded."""
    entries, count = known[0].having, 1
    while count < min(len(known), _MOST_GIVING) and entries + known[count].having <= affordable:
        entries, count = entries + known[count].having, count + 1
    return known[:count]


def _size(chosen: Sequence[object]) -> int:
    return next(size for size in _SIZES if size >= len(chosen))


def _numbered(name: str, values: Sequence[object], filler: object) -> dict[str, object]:
    padded = [*values, *repeat(filler, _size(values) - len(values))]
    return {f"{name}{number}": value for number, value in enumerate(padded)}


@cache
def _count_statement(size: int) -> TextClause:
    places = ", ".join(["(CAST(:term0 AS VARCHAR))", *(f"(:term{number})" for number in range(1, size))])
    return text(f"WITH asked (term) AS (VALUES {places}) {_COUNT}")


@cache
def _rank_statement(giving: int, others: int) -> Select[Any]:
    entries = " UNION ALL ".join(_ENTRIES.replace("#", str(number)) for number in range(giving))
    places = ", ".join(f"(CAST(:other{number} AS VARCHAR), CAST(:other_weight{number} AS DOUBLE PRECISION))" for number in range(others))
    ranking = text(f"WITH entries AS ({entries}), other (term, weight) AS (VALUES {places}), {_RANK}")
    ranked = ranking.columns(column("memory_row", Integer), column("score", Float)).subquery("ranked")
    return (
        select(*MEMORY_COLUMNS, ranked.c.score)
        .join(ranked, ranked.c.memory_row == MEMORIES.c.id)
        .order_by(ranked.c.score.desc(), MEMORIES.c.id.desc())
    )
