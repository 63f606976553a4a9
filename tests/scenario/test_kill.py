"""A bot that is killed while people write; `python -m benchmarks.kill` does the same at length."""

from pathlib import Path

import pytest

from benchmarks.kill import measure


@pytest.mark.timeout(180)
async def test_killed_bot_loses_no_message_and_remembers_nothing_twice(tmp_path: Path, database_url: str) -> None:
    report = await measure(messages=40, kills=4, seed=7, folder=tmp_path, database=database_url)

    assert report.lost == []
    assert report.unremembered == []
    assert report.memories_doubled == []
