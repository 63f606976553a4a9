"""Jobs that run by night, and what they did."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import cache

from sqlalchemy import Executable, bindparam, delete, func, select

from bot.domain.job import JobRecord, JobState
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of
from bot.storage.sql.tables import JobClaimRow, JobRecordRow

_CLAIMS = table_of(JobClaimRow)
RECORDS = table_of(JobRecordRow)
_COLUMN = RECORDS.c
_LEFT_THINGS_AS_THEY_WERE = (JobState.SKIPPED.value, JobState.REFUSED.value)
_NEWEST_FIRST = select(RECORDS).order_by(_COLUMN.started_at.desc(), _COLUMN.id.desc()).limit(bindparam("most"))

_ABOUT = (_CLAIMS.c.job == bindparam("named")) & (_CLAIMS.c.subject == bindparam("about"))
_LAST_DAY = select(func.max(_CLAIMS.c.day)).where(_ABOUT)
_LET_GO = delete(_CLAIMS).where(_ABOUT, _CLAIMS.c.day < bindparam("oldest"))
_RELEASE = delete(_CLAIMS).where(_ABOUT, _CLAIMS.c.day == bindparam("taken"))
_GET = select(RECORDS).where(_COLUMN.run == bindparam("wanted"))
_LAST = _NEWEST_FIRST.where(
    _COLUMN.subject == bindparam("about"), _COLUMN.job == bindparam("named"), _COLUMN.state.not_in(_LEFT_THINGS_AS_THEY_WERE)
)


CLAIMS_KEPT = timedelta(days=30)
"""Nobody claims a day again that lies further back."""


class SqlNights:
    """Fulfils `bot.ports.store.Nights`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def claim(self, job: str, subject: str, day: date, at: datetime) -> bool:
        """Take a job of a day, once; claims of long ago go."""
        claimed = await self._sql.row(_claiming(self._sql.dialect), {"job": job, "subject": subject, "day": day, "at": at})
        if claimed is None:
            return False
        await self._sql.run(_LET_GO, {"named": job, "about": subject, "oldest": day - CLAIMS_KEPT})
        return True

    async def last_day(self, job: str, subject: str) -> date | None:
        """Return the latest day that is taken."""
        ((day,),) = await self._sql.rows(_LAST_DAY, {"named": job, "about": subject})
        return day if isinstance(day, date) else None

    async def release(self, job: str, subject: str, day: date) -> None:
        """Give a day back."""
        await self._sql.run(_RELEASE, {"named": job, "about": subject, "taken": day})

    async def finish(self, record: JobRecord) -> None:
        """Keep how a run went."""
        values = {
            "run": record.run,
            "job": record.job,
            "subject": record.subject,
            "state": record.state.value,
            "started_at": record.started_at,
            "seconds": record.seconds,
            "reason": record.reason,
            "counts": None if record.counts is None else dict(record.counts),
            "diary": record.diary,
        }
        await self._sql.run(_finishing(self._sql.dialect), values)

    async def last(self, job: str, subject: str) -> JobRecord | None:
        """Return the latest run that had a reason to run."""
        row = await self._sql.row(_LAST, {"named": job, "about": subject, "most": 1})
        return None if row is None else _record(row)

    async def get(self, run: str) -> JobRecord | None:
        """Return one run."""
        row = await self._sql.row(_GET, {"wanted": run})
        return None if row is None else _record(row)

    async def history(self, *, job: str = "", subject: str = "", limit: int) -> Sequence[JobRecord]:
        """Return the last runs."""
        statement = _history(of_job=bool(job), about_subject=bool(subject))
        named = {name: value for name, value in (("named", job), ("about", subject)) if value}
        return [_record(row) for row in await self._sql.rows(statement, {**named, "most": limit})]


@cache
def _claiming(dialect: str) -> Executable:
    insert = insert_into(_CLAIMS, dialect).on_conflict_do_nothing(index_elements=["job", "subject", "day"])
    return insert.returning(_CLAIMS.c.day)


@cache
def _finishing(dialect: str) -> Executable:
    insert = insert_into(RECORDS, dialect)
    renewed = {column.name: column for column in insert.excluded if column.name not in {"id", "run"}}
    return insert.on_conflict_do_update(index_elements=["run"], set_=renewed)


@cache
def _history(*, of_job: bool, about_subject: bool) -> Executable:
    statement = _NEWEST_FIRST
    if of_job:
        statement = statement.where(_COLUMN.job == bindparam("named"))
    return statement.where(_COLUMN.subject == bindparam("about")) if about_subject else statement


def _record(row: Fields) -> JobRecord:
    _, run, job, subject, state, started_at, seconds, reason, counts, diary = row
    return JobRecord(run, job, subject, JobState(state), started_at, seconds, reason, counts, diary)
