"""Files of messages that wait for an answer."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from functools import cache

from sqlalchemy import Executable, bindparam, delete, select

from bot.domain.message import Attachment
from bot.storage.sql.file_tables import MessageFilesRow
from bot.storage.sql.session import SqlSession, insert_into, table_of

_FILES = table_of(MessageFilesRow)
_OF_ROWS = _FILES.c.message_row.in_(bindparam("rows", expanding=True))
_FIND = select(_FILES).where(_OF_ROWS)
_LET_GO = delete(_FILES).where(_OF_ROWS)


async def files_of(sql: SqlSession, rows: Collection[int]) -> Mapping[int, Sequence[Attachment]]:
    """Return the files of messages by row; messages without any are left out."""
    found = await sql.rows(_FIND, {"rows": list(rows)})
    return {row.message_row: [Attachment(**file) for file in json.loads(row.files)] for row in found}


async def keep_files(sql: SqlSession, row: int, files: Sequence[Attachment]) -> None:
    """Keep the files of a message in place of those before; without any, nothing is kept."""
    if files:
        text = json.dumps([asdict(file) | {"text": ""} for file in files], ensure_ascii=False)
        await sql.run(_keeping(sql.dialect), {"message_row": row, "files": text})
    else:
        await let_go_of_files(sql, [row])


async def let_go_of_files(sql: SqlSession, rows: Collection[int]) -> None:
    """Forget where the files of messages can be had."""
    await sql.run(_LET_GO, {"rows": list(rows)})


@cache
def _keeping(dialect: str) -> Executable:
    keeping = insert_into(_FILES, dialect)
    return keeping.on_conflict_do_update(index_elements=["message_row"], set_={"files": keeping.excluded.files})
