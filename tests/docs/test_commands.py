"""What the pages tell people to type works, typed into a fresh checkout."""

import re
from itertools import chain

import pytest

from tests.docs.conftest import Checkout
from tests.docs.pages import pages

pytestmark = [pytest.mark.fresh_checkout, pytest.mark.xdist_group("fresh_checkout")]

COMMANDS = list(dict.fromkeys(chain.from_iterable(block.splitlines() for page in pages() for block in page.blocks("sh"))))
ONLY_LOOKED_UP = ("make test", "make check", "make lock", "make clean")
"""They would run these tests again, or ask the index for newer packages: make shows what it would do."""
NEEDS_A_TOKEN = ("make run", ".venv/bin/baku run")


def test_two_commands_are_enough_to_be_remembered(checkout: Checkout) -> None:
    told = checkout.run("make chat", typed="My cat is called Mochi.\n")
    asked = checkout.run("make chat", typed="What is my cat called?\n")

    assert (told.returncode, asked.returncode) == (0, 0), told.stderr + asked.stderr
    assert "Mochi" in asked.stdout
    assert "Installing" not in told.stdout + asked.stdout + asked.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_pages_works(checkout: Checkout, command: str) -> None:
    if command.startswith(ONLY_LOOKED_UP):
        command = re.sub("^make", "make --dry-run", command)

    done = checkout.run(command, typed="Hello!\n")

    if command.startswith(NEEDS_A_TOKEN):
        assert done.returncode != 0
        assert "DISCORD_TOKEN" in done.stdout + done.stderr
    else:
        assert done.returncode == 0, done.stderr
