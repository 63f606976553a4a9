import sys
from pathlib import Path

import pytest

from bot.cli.called import as_called


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The program in a folder of its own, by which it was called."""
    path = tmp_path / "bin" / "baku"
    path.parent.mkdir()
    path.touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(path), "run"])
    return str(path)


def test_a_command_in_quotes_is_told_as_it_is_typed_here(program: str) -> None:
    assert (
        as_called('Run "baku migrate", or `baku doctor`; baku sleeps.') == f'Run "{program} migrate", or `{program} doctor`; baku sleeps.'
    )


def test_what_the_shell_finds_is_called_by_its_name(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(program).parent))

    assert as_called('Run "baku migrate".') == 'Run "baku migrate".'


def test_another_programs_name_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/pytest"])

    assert as_called("`baku doctor` says why.") == "`baku doctor` says why."
