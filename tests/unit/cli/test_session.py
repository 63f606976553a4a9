import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bot.cli.session import session_held
from bot.errors import ConfigError

HERE = "sqlite:///data/baku.db"


@pytest.fixture(autouse=True)
def own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)


def test_a_conversation_is_open_in_one_terminal_at_a_time(tmp_path: Path) -> None:
    again = session_held(f"sqlite:///{tmp_path}/data/baku.db", "main")

    with session_held(HERE, "main"), pytest.raises(ConfigError, match="`baku chat --session NAME`"):
        again.__enter__()

    with session_held(HERE, "main"):
        pass


@pytest.mark.parametrize(("db", "session"), [(HERE, "work"), ("sqlite:///other.db", "main"), ("postgresql://db/baku", "main")])
def test_other_conversations_are_free(db: str, session: str) -> None:
    with session_held(HERE, "main"), session_held(db, session):
        pass


def test_a_database_that_is_gone_at_the_end_is_shared_with_no_other_process() -> None:
    script = "from bot.cli.session import session_held\nwith session_held('sqlite://', 'main'): pass"

    with session_held("sqlite://", "main"):
        assert subprocess.run([sys.executable, "-c", script], check=False, timeout=20).returncode == 0


def test_a_killed_terminal_leaves_the_conversation_free() -> None:
    script = f"import os\nfrom bot.cli.session import session_held\nwith session_held({HERE!r}, 'main'): os.kill(os.getpid(), 9)"

    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=20).returncode == -9
    with session_held(HERE, "main"):
        pass
