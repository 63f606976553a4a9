import pytest

from bot.jobs.timed import timed
from tests.unit.conversation.onlooker import an_onlooker


async def test_a_job_is_counted_and_whether_it_failed() -> None:
    watch, tally, _ = an_onlooker()

    with timed(watch.metrics, "dream"):
        pass
    with pytest.raises(RuntimeError), timed(watch.metrics, "dream"):
        raise RuntimeError("no dream")

    assert tally.seen == [("job_ended", "dream", False), ("job_ended", "dream", True)]
