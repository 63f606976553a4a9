"""Keeping a file that came with an answer."""

import os
from itertools import count
from pathlib import Path

from bot.domain.command import AnswerFile


def saved(file: AnswerFile, folder: Path) -> Path:
    """Write a file that only its owner can read, beside what is there already, and return its path. Raises OSError."""
    name = Path(file.name)
    for number in count(1):
        path = folder / (name.name if number == 1 else f"{name.stem}-{number}{name.suffix}")
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(handle, "wb") as opened:
            opened.write(file.content)
        return path
    raise AssertionError("numbers do not end")
