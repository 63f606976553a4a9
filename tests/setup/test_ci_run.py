""".ci/run tries everything and says at the end how it went."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLOSING_LINE = "===== 7 passed in 1.20s ====="


def ci_run(place: Path, *, check: int, test: int) -> subprocess.CompletedProcess[str]:
    """Run a copy of .ci/run where `make check` and `make test` end with these codes."""
    (place / "bin").mkdir()
    make = place / "bin" / "make"
    make.write_text(f'#!/bin/sh\necho "made $1"\n[ "$1" = check ] && exit {check}\necho "{CLOSING_LINE}"\nexit {test}\n')
    make.chmod(0o755)
    shutil.copytree(ROOT / ".ci", place / ".ci")
    environment = {"PATH": f"{place / 'bin'}:{os.environ['PATH']}", "CI": "true"}
    return subprocess.run(["bash", ".ci/run"], cwd=place, env=environment, capture_output=True, text=True, check=False, timeout=30)


@pytest.mark.parametrize(
    ("check", "test", "verdict"),
    [
        pytest.param(0, 0, "all green", id="all well"),
        pytest.param(2, 0, "failed: make check", id="a check fails"),
        pytest.param(0, 2, "failed: make test", id="a test fails"),
        pytest.param(2, 2, "failed: make check, make test", id="both fail"),
    ],
)
def test_both_run_and_the_end_says_how_it_went(tmp_path: Path, check: int, test: int, verdict: str) -> None:
    done = ci_run(tmp_path, check=check, test=test)

    assert "made check" in done.stdout
    assert "made test" in done.stdout
    assert done.stdout.splitlines()[-2].endswith(verdict)
    assert done.stdout.splitlines()[-1] == CLOSING_LINE
    assert (done.returncode == 0) is (check == test == 0)
