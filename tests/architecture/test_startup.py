"""The command line starts at once: what is slow to import is imported where it is used."""

import os
import subprocess
import sys
import time

import pytest

from tests.architecture.sources import ROOT

HEAVY = (
    "alembic",
    "apscheduler",
    "discord",
    "fastapi",
    "numpy",
    "openai",
    "opentelemetry",
    "prometheus_client",
    "prompt_toolkit",
    "spacy",
    "sqlalchemy",
    "sqlmodel",
    "telegram",
    "uvicorn",
)
LIST_LOADED = f"import sys; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
ARRAYS = ["numpy"]
"""The engine searches with arrays; they load in a tenth of a second."""


@pytest.mark.parametrize(
    ("module", "allowed"), [("bot", []), ("bot.cli.main", []), ("bot.app.build", ARRAYS), ("bot.errors", []), ("bot.domain.message", [])]
)
def test_importing_loads_nothing_heavy(module: str, allowed: list[str]) -> None:
    loaded = _run(sys.executable, "-c", f"import {module}; {LIST_LOADED}")

    assert loaded.split() == allowed


def test_help_comes_at_once_and_names_the_commands() -> None:
    _run(sys.executable, "-m", "bot", "--help")
    before = time.monotonic()

    shown = _run(sys.executable, "-m", "bot", "--help")

    assert {"chat", "run", "doctor", "migrate", "persona"} <= set(shown.split())
    assert time.monotonic() - before < 2


def _run(*command: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout
