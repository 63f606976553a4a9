"""A checkout as a newcomer has it: nothing installed, nobody at home."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

PASSED_ON = ("PIP_", "UV_", "SSL_CERT_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")
"""How this machine reaches the package index."""


@dataclass(frozen=True)
class Checkout:
    """A fresh copy of the working tree, and a home of its own."""

    path: Path
    home: Path

    def run(self, command: str, *, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run a shell command in it; `typed` is its standard input."""
        environment = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
        environment |= {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "UV_CACHE_DIR": _cache("uv"),
            "PIP_CACHE_DIR": _cache("pip"),
        }
        return subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.path,
            env=environment,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            timeout=110,
        )


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checkout]:
    """Give a fresh checkout below a folder with a blank in its name; it is deleted afterwards."""
    place = tmp_path_factory.mktemp("a newcomer")
    fresh = Checkout(path=place / "baku", home=place / "home")
    fresh.home.mkdir()
    listing = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listing.stdout.split("\0")):
        if (ROOT / name).is_file():
            (fresh.path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, fresh.path / name)
    yield fresh
    shutil.rmtree(place)


def _cache(tool: str) -> str:
    """Return this machine's download cache, so that a test run does not load everything again."""
    return os.environ.get(f"{tool.upper()}_CACHE_DIR") or str(Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / tool)
