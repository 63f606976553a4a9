"""Finding memories by the words they share with a text, without reading them all.

Each term of a memory is a row keyed (scope, term, memory). A search counts how many memories have each term, leaves out the
frequent terms where rarer ones are known, and adds up the weights of what is shared. How rare a term is shows among all memories
of the scope, whatever levels are asked for: so a memory that changes its level leaves its terms as they are.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import accumulate, repeat
from typing import Any

from sqlalchemy import Float, Integer, Select, TextClause, bindparam, delete, insert, select, text
from sqlalchemy.sql import column

from bot.domain.chat import MemoryScope
from bot.domain.memory import Level
from bot.domain.terms import terms, weight
from bot.storage.sql.memory_rows import MEMORIES, MEMORY_COLUMNS, level_values
from bot.storage.sql.scopes import scope_columns
from bot.storage.sql.session import Fields, SqlSession, table_of
from bot.storage.sql.tables import MemoryTermRow

TERMS = table_of(MemoryTermRow)
_MOST_CHARACTERS = 10_000
"""Of a text that is looked up: longer ones are files, not messages."""
_MOST_ASKED = 512
"""Terms of a text that are looked up."""
_MOST_USED = 32
"""Terms that are added up: the rarest."""
_MOST_ENTRIES = 1500
"""Index entries that are added up, in all."""
_SIZES = (4, 12, _MOST_USED, 128, _MOST_ASKED)
"""Numbers of terms that statements are made for. Places left over ask for the empty term, which nothing has."""
_FREQUENT = 500
"""From here on a term is not counted further; where only such terms are shared, its newest memories are looked at."""
_COUNT = """
    SELECT asked.term, scope.id AS scope_id, scope.last_number, (
        SELECT count(*) FROM (
            SELECT 1 FROM memory_terms AS entry WHERE entry.scope_id = scope.id AND entry.term = asked.term LIMIT :frequent
        ) AS entries
    ) AS known
    FROM memory_scopes AS scope CROSS JOIN asked
    WHERE scope.persona_id = :persona_id AND scope.audience_kind = :audience_kind AND scope.audience_id = :audience_id
"""
_ENTRIES = """
    SELECT * FROM (
        SELECT memory_row, CAST(:weight# AS DOUBLE PRECISION) AS weight FROM memory_terms
        WHERE scope_id = :scope_id AND term = :term# ORDER BY memory_row DESC LIMIT :frequent
    ) AS entries#
"""
_RANK = """
    SELECT found.memory_row, found.score
    FROM (SELECT memory_row, sum(weight) / CAST(:total AS DOUBLE PRECISION) AS score FROM entries GROUP BY memory_row) AS found
    CROSS JOIN memories AS memory -- in this order: SQLite may turn any other join around
    WHERE memory.id = found.memory_row AND memory.level IN (:level0, :level1, :level2) AND memory.ended_at IS NULL
    ORDER BY found.score DESC, found.memory_row DESC LIMIT :most
"""

_ADD = insert(TERMS)
_FORGET = delete(TERMS).where(TERMS.c.memory_row == bindparam("memory"))
_ORIGINAL, _TWIN = MEMORIES.alias("original"), MEMORIES.alias("twin")
_COPY = insert(TERMS).from_select(
    ["scope_id", "term", "memory_row"],
    select(_TWIN.c.scope_id, TERMS.c.term, _TWIN.c.id)
    .join_from(TERMS, _ORIGINAL, _ORIGINAL.c.id == TERMS.c.memory_row)
    .join(_TWIN, _TWIN.c.number == _ORIGINAL.c.number)
    .where(TERMS.c.scope_id == bindparam("source"), _TWIN.c.scope_id == bindparam("target")),
)


async def index_terms(sql: SqlSession, scope_id: int, memory_row: int, memory_text: str) -> None:
    """Make a memory findable by its text."""
    rows = [{"scope_id": scope_id, "term": term, "memory_row": memory_row} for term in sorted(terms(memory_text))]
    if rows:
        await sql.run(_ADD, rows)


async def forget_terms(sql: SqlSession, memory_row: int) -> None:
    """Make a memory findable by nothing."""
    await sql.run(_FORGET, {"memory": memory_row})


async def copy_terms(sql: SqlSession, source: int, target: int) -> None:
    """Make the memories of one scope findable as those of the same numbers in another are."""
    await sql.run(_COPY, {"source": source, "target": target})


async def search_terms(sql: SqlSession, scope: MemoryScope, words: str, *, levels: Collection[Level], limit: int) -> Sequence[Fields]:
    """Return memories that share terms with `words`, best first, each with a `score`: the shared part of all weight, at most 1."""
    asked = sorted(terms(words[:_MOST_CHARACTERS]))[:_MOST_ASKED]
    if not asked:
        return []
    counted = await sql.rows(
        _count_statement(_size(asked)), {**scope_columns(scope), **_numbered("term", asked, ""), "frequent": _FREQUENT}
    )
    counts = {row.term: int(row.known) for row in counted if row.term}
    used = _rarest(counts)
    if not used:
        return []
    weights = {term: weight(term, having=count, total=counted[0].last_number) for term, count in counts.items()}
    unknown = (term for term, count in counts.items() if not count)
    values = {
        "scope_id": counted[0].scope_id,
        "total": sum(weights[term] for term in (*used, *unknown)),
        "most": limit,
        "frequent": _FREQUENT,
        **level_values(levels),
        **_numbered("term", used, ""),
        **_numbered("weight", [weights[term] for term in used], 0.0),
    }
    return await sql.rows(_rank_statement(_size(used)), values)


def _rarest(counts: Mapping[str, int]) -> list[str]:
    """Return the terms that a search adds up, the rarest first."""
    known = sorted((count, term) for term, count in counts.items() if count)
    rare = [(count, term) for count, term in known if count < _FREQUENT]
    entries = accumulate(count for count, _ in rare or known)
    affordable = [term for (_, term), total in zip(rare or known, entries, strict=True) if total <= _MOST_ENTRIES]
    return affordable[:_MOST_USED]


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
def _rank_statement(size: int) -> Select[Any]:
    entries = " UNION ALL ".join(_ENTRIES.replace("#", str(number)) for number in range(size))
    ranking = text(f"WITH entries AS ({entries}) {_RANK}").columns(column("memory_row", Integer), column("score", Float))
    ranked = ranking.subquery("ranked")
    return (
        select(*MEMORY_COLUMNS, ranked.c.score)
        .join(ranked, ranked.c.memory_row == MEMORIES.c.id)
        .order_by(ranked.c.score.desc(), MEMORIES.c.id.desc())
    )
