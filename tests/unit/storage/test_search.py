"""How good what the index finds is, against the exact scores of all memories."""

from benchmarks.pull import Figures, Speech, fill, measure
from bot.storage.store import SqlStore

SEARCHES = 40


async def searched(store: SqlStore, *, length: int) -> Figures:
    """Return how messages of some length were looked up among two thousand memories."""
    speech = Speech()
    facts = [speech.fact() for _ in range(2000)]
    await fill(store, facts)
    return await measure(store, facts, [speech.message(facts, length=length) for _ in range(SEARCHES)], linear=2)


async def test_the_index_finds_as_good_a_first_hit_as_scoring_all_memories_does(store: SqlStore) -> None:
    figures = await searched(store, length=12)

    assert figures.as_good_first >= 0.95 * SEARCHES
    assert figures.as_good_three >= 0.9 * SEARCHES


async def test_a_search_costs_a_fraction_of_scoring_all_memories(sqlite_url: str) -> None:
    store = SqlStore(sqlite_url)
    await store.open()

    figures = await searched(store, length=6)

    await store.close()
    assert sorted(figures.cpu)[SEARCHES // 2] < min(figures.linear) / 4
