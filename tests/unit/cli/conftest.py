import logging
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import structlog

from bot.cli.main import main

PERSONA = "---\nname: {name}\ngreeting: Hello, I am {name}.\nsummary: Calm.\n---\nYou are calm.\n"


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


Baku = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level, hook, structured = root.handlers[:], root.level, sys.excepthook, structlog.get_config()
    yield
    sys.excepthook = hook
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**structured)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An installation of two personas in an otherwise empty environment."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("BAKU_", "OPENAI_", "DISCORD_", "TELEGRAM_")):
            monkeypatch.delenv(name)
    (tmp_path / "personas").mkdir()
    for name in ("Baku", "Iris"):
        (tmp_path / "personas" / f"{name.lower()}.md").write_text(PERSONA.format(name=name))
    return tmp_path


@pytest.fixture
def baku(folder: Path, capsys: pytest.CaptureFixture[str]) -> Baku:
    """Runs a command in the folder."""

    def run(*arguments: str) -> Outcome:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        printed = capsys.readouterr()
        return Outcome(int(ended.value.code or 0), printed.out, printed.err)

    return run
