"""Rows of every table, whatever tables there are: values that are hard to carry, and references that hold."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, Boolean, Column, Date, Integer, LargeBinary, Table, Uuid, insert
from sqlalchemy.types import Float, TypeEngine

from bot.storage.sql.tables import Moment
from bot.storage.transfer.ledger import MOVED_TABLES
from bot.testing.clock import START
from tests.migration.databases import connected

HARD = ("", "plain", "tab\tand\nline \\N \\. \\", "Zoë 夢 🐘 'quoted' \"twice\" {a: b}", "~", "1:x")
MAY_BE_EMPTY = {"text", "reason", "summary"}
LARGE = 2**53 + 1
HALVES = (0.1, 1e-9, 0.30000000000000004, 0.75)


def rows_of(table: Table, count: int) -> Iterator[dict[str, object]]:
    """Yield rows of a table; a reference is to the row of the same number."""
    for number in range(1, count + 1):
        yield {column.name: _value(column, number) for column in table.columns}


def fill_all(url: str, count: int = 6) -> Mapping[str, int]:
    """Fill every table of a database, and return how many rows each has."""
    with connected(url) as connection:
        for table in MOVED_TABLES:
            connection.execute(insert(table), list(rows_of(table, count)))
    return {table.name: count for table in MOVED_TABLES}


def _value(column: Column[Any], number: int) -> object:
    if column.nullable and not column.primary_key and number % 3 == 0:
        return None
    by_type: Mapping[type[TypeEngine[Any]], object] = {
        Boolean: number % 2 == 0,
        Integer: number if column.primary_key or column.foreign_keys else _number(column, number),
        Float: HALVES[number % len(HALVES)],
        Date: date(2026, 2, 27) + timedelta(days=number),
        JSON: [number, LARGE] if "ids" in column.name else {HARD[number % len(HARD)]: number},
        LargeBinary: bytes(range(256))[: number * 50],
        Uuid: UUID(int=number << 64 | 0xF),
        Moment: START + timedelta(days=number, microseconds=number),
    }
    hard = HARD[number % len(HARD)]
    text = hard if column.name in MAY_BE_EMPTY else f"{number} {hard}"
    return next((value for kind, value in by_type.items() if isinstance(column.type, kind)), text)


def _number(column: Column[Any], number: int) -> int:
    return LARGE * number if "BIGINT" in str(column.type) else -number
