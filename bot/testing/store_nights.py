"""What every store must keep of nightly jobs and of settings; part of `bot.testing.store_contract`."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta
from uuid import uuid4

import pytest

from bot.domain.job import JobRecord, JobState
from bot.ports.store import Store
from bot.testing.clock import START

TODAY = date(2026, 5, 3)


def a_run(*, job: str = "dream", subject: str = "iris", state: JobState = JobState.DONE, hours: int = 0, run: str = "") -> JobRecord:
    """Return how a run went that began some hours after the start."""
    counts = {"promoted": 2, "forgotten": 0}
    return JobRecord(run or uuid4().hex, job, subject, state, START + timedelta(hours=hours), 0.1 + 0.2, "why", counts, "夢\nI dreamt.")


async def finish(store: Store, *records: JobRecord) -> None:
    """Note how runs ended, in order."""
    async with store.write() as tx:
        for record in records:
            await tx.nights.finish(record)


class NightsContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_job_of_a_day_is_claimed_once(self, store: Store) -> None:
        claims = [
            ("dream", "iris", TODAY),
            ("decay", "iris", TODAY),
            ("dream", "rose", TODAY),
            ("dream", "iris", TODAY + timedelta(days=1)),
        ]
        for claim in claims:
            async with store.write() as tx:
                assert await tx.nights.claim(*claim, START)

        for claim in claims:
            async with store.write() as tx:
                assert not await tx.nights.claim(*claim, START + timedelta(hours=1))

    async def test_the_last_day_is_the_latest_that_was_claimed(self, store: Store) -> None:
        async with store.write() as tx:
            for days in (0, 400, 399):
                assert await tx.nights.claim("dream", "iris", TODAY + timedelta(days=days), START)
            assert await tx.nights.claim("decay", "iris", TODAY + timedelta(days=900), START)

        async with store.read() as tx:
            assert await tx.nights.last_day("dream", "iris") == TODAY + timedelta(days=400)
            assert await tx.nights.last_day("dream", "rose") is None

    async def test_of_many_who_claim_at_once_one_gets_it(self, store: Store) -> None:
        async def claim() -> bool:
            async with store.write() as tx:
                return await tx.nights.claim("dream", "iris", TODAY, START)

        got = await asyncio.gather(*(claim() for _ in range(8)))

        assert sorted(got) == [*[False] * 7, True]

    async def test_a_claim_that_was_not_kept_is_free_again(self, store: Store) -> None:
        async def fail() -> None:
            async with store.write() as tx:
                assert await tx.nights.claim("dream", "iris", TODAY, START)
                raise RuntimeError("on purpose")

        with pytest.raises(RuntimeError, match="on purpose"):
            await fail()

        async with store.write() as tx:
            assert await tx.nights.claim("dream", "iris", TODAY, START)

    async def test_a_claim_that_is_taken_back_is_free_again(self, store: Store) -> None:
        async with store.write() as tx:
            for job in ("dream", "decay"):
                assert await tx.nights.claim(job, "iris", TODAY, START)

        async with store.write() as tx:
            await tx.nights.release("dream", "iris", TODAY)
            await tx.nights.release("dream", "iris", TODAY)

        async with store.write() as tx:
            assert await tx.nights.claim("dream", "iris", TODAY, START)
            assert not await tx.nights.claim("decay", "iris", TODAY, START)

    async def test_a_run_comes_back_as_it_was_noted(self, store: Store) -> None:
        full, bare = a_run(), replace(a_run(), counts=None, reason="", diary="")

        await finish(store, full, bare)

        async with store.read() as tx:
            assert await tx.nights.get(full.run) == full
            assert await tx.nights.get(bare.run) == bare
            assert await tx.nights.get("unknown") is None

    async def test_a_second_note_of_the_same_run_replaces_the_first(self, store: Store) -> None:
        first, other = a_run(hours=1), a_run(hours=2)
        second = replace(first, state=JobState.UNDONE, reason="asked to", counts=None, seconds=9.0)

        await finish(store, first, other, second)

        async with store.read() as tx:
            assert await tx.nights.history(limit=9) == [other, second]

    async def test_the_last_run_is_the_latest_that_had_a_reason_and_was_kept(self, store: Store) -> None:
        older, last = a_run(hours=1), a_run(hours=3, state=JobState.FAILED)
        pointless = [a_run(hours=4, state=JobState.SKIPPED), a_run(hours=5, state=JobState.REFUSED)]
        others = [a_run(hours=6, job="decay"), a_run(hours=7, subject="rose")]

        await finish(store, last, older, *pointless, *others)

        async with store.read() as tx:
            assert await tx.nights.last("dream", "iris") == last
            assert await tx.nights.last("decay", "rose") is None

    async def test_the_history_is_the_newest_first(self, store: Store) -> None:
        runs = [a_run(hours=hour, job=job) for hour, job in enumerate(["dream", "decay", "dream", "dream"])]
        elsewhere = a_run(hours=9, subject="rose")

        await finish(store, *runs[2:], *runs[:2], elsewhere)

        async with store.read() as tx:
            assert await tx.nights.history(limit=9) == [elsewhere, *runs[::-1]]
            assert await tx.nights.history(limit=2) == [elsewhere, runs[3]]
            assert await tx.nights.history(job="decay", limit=9) == [runs[1]]
            assert await tx.nights.history(subject="rose", limit=9) == [elsewhere]
            assert await tx.nights.history(job="dream", subject="iris", limit=2) == [runs[3], runs[2]]


class SettingsContract:
    """One test a sentence of the port's docstrings."""

    async def test_settings_are_those_of_the_space(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.settings.set("discord", "10", "decay", "0.05")
            await tx.settings.set("discord", "10", "zone", "Asia/Tokyo")
            await tx.settings.set("telegram", "10", "decay", "1")
            await tx.settings.set("discord", "11", "decay", "2")

        async with store.read() as tx:
            assert await tx.settings.all("discord", "10") == {"decay": "0.05", "zone": "Asia/Tokyo"}
            assert await tx.settings.all("console", "10") == {}

    async def test_a_new_value_replaces_the_one_before_and_an_empty_one_removes_it(self, store: Store) -> None:
        async with store.write() as tx:
            for name, value in (("decay", "1"), ("zone", "UTC"), ("decay", "2"), ("zone", ""), ("unknown", "")):
                await tx.settings.set("discord", "10", name, value)

        async with store.read() as tx:
            assert await tx.settings.all("discord", "10") == {"decay": "2"}

    async def test_who_holds_settings_changes_them_after_what_others_have_set_meanwhile(self, store: Store) -> None:
        async def lengthen() -> None:
            async with store.write() as tx:
                before = (await tx.settings.held("discord", "10")).get("list", "")
                await tx.settings.set("discord", "10", "list", f"{before}x")

        await asyncio.gather(*(lengthen() for _ in range(4)))

        async with store.read() as tx:
            assert await tx.settings.held("discord", "10") == {"list": "xxxx"}

    async def test_settings_of_some_names_are_found_in_every_space(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.settings.set("discord", "10", "decay", "1")
            await tx.settings.set("discord", "10", "zone", "UTC")
            await tx.settings.set("telegram", "10", "zone", "Asia/Tokyo")
            await tx.settings.set("discord", "11", "other", "2")

        async with store.read() as tx:
            assert await tx.settings.everywhere(["zone", "unknown"]) == {
                ("discord", "10"): {"zone": "UTC"},
                ("telegram", "10"): {"zone": "Asia/Tokyo"},
            }
            assert await tx.settings.everywhere([]) == {}
            assert await tx.settings.beginning("zo") == await tx.settings.everywhere(["zone"])
