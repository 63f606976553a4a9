"""Memory that strengthens, fades and dreams: L21 to L28, L30 and L31."""

import pytest

from bot.storage.store import SqlStore
from tests.unit.memory.dream_stage import Sleeper


async def test_l24_uses_strengthen_and_are_counted_anew(store: SqlStore) -> None:
    sleeper = Sleeper(store)
    memory = await sleeper.knows("Ada likes tea", importance=0.80, uses=3)

    report = await sleeper.dreams()

    after = await sleeper.memory(memory.number)
    assert after is not None
    assert after.importance == pytest.approx(0.869, abs=0.001)
    assert after.uses == 0
    assert report.counts["reinforced"] == 1
