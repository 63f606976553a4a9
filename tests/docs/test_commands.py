"""What the pages tell people to type works, typed into a fresh checkout."""

import re
from itertools import chain

import pytest

from tests.docs.conftest import Checkout
from tests.docs.pages import Page, pages

pytestmark = [pytest.mark.fresh_checkout, pytest.mark.xdist_group("fresh_checkout")]

COMMANDS = list(dict.fromkeys(chain.from_iterable(block.splitlines() for page in pages() for block in page.blocks("sh"))))
ONLY_LOOKED_UP = ("make test", "make check", "make lock", "make clean")
"""They would run these tests again, or ask the index for newer packages: make shows what it would do."""
NEEDS_A_TOKEN = ("make run", ".venv/bin/baku run")
NEEDS_A_SERVER = ".venv/bin/baku migrate --from"
NEEDS_A_MODEL = (".venv/bin/baku memory regenerate",)
NEEDS_TALK = (".venv/bin/baku memory chunks", ".venv/bin/baku memory export", *NEEDS_A_MODEL)
NEEDS_A_FILE = ".venv/bin/baku memory import main.zip"


def test_the_conversation_in_the_readme_takes_place(checkout: Checkout) -> None:
    (shown,) = (block for block in Page("README.md").blocks("text") if block.startswith("$ make chat"))

    for later, session in enumerate(shown.split("$ make chat\n")[1:]):
        typed = re.findall(r"^You: (.*)$", session, re.MULTILINE)
        done = checkout.run("make chat", typed="\n".join(typed))

        assert done.returncode == 0, done.stderr
        assert _words(done.stdout) == _words(re.sub(r"^You: .*$|^Type .*$|^Baku: ", "", session, flags=re.MULTILINE))
        assert not later or done.stderr == "", "only the first start installs"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_pages_works(checkout: Checkout, command: str) -> None:
    if command.startswith(ONLY_LOOKED_UP):
        command = re.sub("^make", "make --dry-run", command)
    if ".venv/" in command and not (checkout.path / ".venv").exists():
        checkout.run("make chat")
    if command.startswith(NEEDS_TALK):
        checkout.run("make chat", typed="Hello!\n")
    if command.startswith(NEEDS_A_FILE) and not (checkout.path / "main.zip").exists():
        checkout.run("make chat", typed="Hello!\n")
        checkout.run(".venv/bin/baku memory export --space console:main --out main.zip")

    done = checkout.run(command, typed="Hello!\n")

    if command.startswith(NEEDS_A_TOKEN):
        assert done.returncode != 0
        assert "DISCORD_TOKEN" in done.stdout + done.stderr
    elif command.startswith(NEEDS_A_SERVER):
        assert done.returncode != 0
        assert "cannot be reached" in done.stderr
    elif command.startswith(NEEDS_A_MODEL):
        assert done.returncode != 0
        assert "OPENAI_API_KEY" in done.stderr
    else:
        assert done.returncode == 0, done.stderr


def _words(text: str) -> str:
    """Return the text without its line breaks, and with any day as the same day."""
    return re.sub(r"on \d{1,2} [A-Z][a-z]+", "on 3 May", " ".join(text.split()))
