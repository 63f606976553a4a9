"""A machine that lacks something hears in one line what it is and how to mend it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("awk", "cat", "cksum", "df", "dirname", "env", "grep", "make", "sh", "tail")
NEEDED = ("Makefile", "pyproject.toml", "scripts/setup.sh")


class Machine:
    """A small machine: a copy of what setting up needs, and a PATH that holds only what a test puts there."""

    def __init__(self, place: Path) -> None:
        self.checkout = place / "a checkout"
        self.programs = place / "bin"
        self.programs.mkdir()
        for tool in TOOLS:
            (self.programs / tool).symlink_to(str(shutil.which(tool)))
        for path in (*NEEDED, *(lock.name for lock in ROOT.glob("*.lock"))):
            (self.checkout / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.checkout / path)

    def install(self, program: str, script: str) -> None:
        """Put a shell script on the PATH, in the place of what was there."""
        path = self.programs / program
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def complaint(self, goal: str = "chat", **environment: str) -> str:
        """Return the one line that `make` shows besides its own, and check that it fails."""
        done = subprocess.run(
            [self.programs / "make", "--no-print-directory", goal],
            cwd=self.checkout,
            env={"PATH": str(self.programs)} | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )
        lines = [line for line in done.stderr.splitlines() if not line.startswith(("make: ***", "Setting Baku up", "Installing packages"))]
        assert done.returncode != 0
        assert done.stdout == ""
        assert len(lines) == 1, done.stderr
        return lines[0]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Give a machine without any Python."""
    return Machine(tmp_path)


def python_that(does: str, *, version: str = "3.12.4") -> str:
    """Return a script that plays Python: `does` is a shell case of its arguments."""
    return f'case "$*" in\n{does}\n*version_info*) echo {version} ;;\nesac'


@pytest.mark.parametrize("goal", ["chat", "run", "test", "check", "lock"])
def test_no_python_at_all(machine: Machine, goal: str) -> None:
    complaint = machine.complaint(goal)

    assert "needs Python 3.11 or newer. Install one" in complaint


@pytest.mark.parametrize("version", ["2.7.18", "3.6.15", "3.9.2", "3.10.13"])
def test_too_old_a_python(machine: Machine, version: str) -> None:
    machine.install("python3", python_that("", version=version))

    complaint = machine.complaint()

    assert f"needs Python 3.11 or newer, python3 is {version}. Install one" in complaint


@pytest.mark.parametrize("version", ["3.11.0", "3.12.4", "3.15.1"])
def test_a_newer_python_next_to_an_old_one_is_found(machine: Machine, version: str) -> None:
    machine.install("python3", python_that("", version="3.9.2"))
    machine.install("python3.11", python_that("*ensurepip*) exit 1 ;;", version=version))

    complaint = machine.complaint()

    assert f"Python {version} lacks its venv module" in complaint


def test_the_python_that_the_user_names_is_the_one_taken(machine: Machine) -> None:
    machine.install("python3", python_that("", version="3.9.2"))
    machine.install("my python", python_that("*ensurepip*) exit 1 ;;", version="3.13.1"))

    complaint = machine.complaint(PYTHON=str(machine.programs / "my python"))

    assert "Python 3.13.1" in complaint


def test_no_venv_module(machine: Machine) -> None:
    machine.install("python3", python_that("*ensurepip*) exit 1 ;;"))

    complaint = machine.complaint()

    assert complaint.endswith("Python 3.12.4 lacks its venv module. On Debian or Ubuntu: sudo apt install python3.12-venv")


def test_too_small_a_disk(machine: Machine) -> None:
    machine.install("python3", python_that(""))
    machine.install("df", "echo Filesystem; echo disk 1000000 900000 100000 90% /")

    complaint = machine.complaint()

    assert "needs 700 MB on this disk and 97 MB are free. Free some space" in complaint


def test_a_disk_that_fills_up_on_the_way(machine: Machine) -> None:
    full = "echo 'OSError: [Errno 28] No space left on device' >&2; exit 1"
    machine.install(
        "python3", python_that(f'*venv*--clear*) mkdir -p .venv/bin; echo "{full}" > .venv/bin/python; chmod +x .venv/bin/python ;;')
    )
    for tool in ("mkdir", "chmod"):
        (machine.programs / tool).symlink_to(str(shutil.which(tool)))

    complaint = machine.complaint()

    assert "the disk is full. Free about 1 GB and try again." in complaint


def test_no_network(machine: Machine) -> None:
    machine.install("python3", f'exec {sys.executable} "$@"')
    unreachable = "http://127.0.0.1:9/simple"

    complaint = machine.complaint(PIP_CONFIG_FILE=os.devnull, PIP_INDEX_URL=unreachable, PIP_RETRIES="0")

    assert "the package index cannot be reached. Check the network" in complaint
