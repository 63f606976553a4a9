"""Hints that can be typed as they stand: by the name that this program was called by."""

import re
import shlex
import shutil
import sys
from pathlib import Path

_NAME = "baku"
_COMMAND = re.compile(f'(?<=["`]){_NAME}(?= [a-z])')
"""The program in a command that a text tells in quotes."""


def as_called(text: str) -> str:
    """Return the text with the commands in it as they are typed here: out of a checkout, with the path of the program."""
    return _COMMAND.sub(lambda _: _called(), text)


def _called() -> str:
    """Return what to type for this program: its name where the shell finds it by that, else how it was called."""
    called, found = Path(sys.argv[0]), shutil.which(_NAME)
    if called.name != _NAME or (found and called.exists() and called.samefile(found)):
        return _NAME
    return shlex.quote(str(called))
