"""Secret settings that stand in files of their own: `DISCORD_TOKEN_FILE` names the file with the value of `DISCORD_TOKEN`."""

import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

SUFFIX = "_FILE"

Look = Callable[[str], tuple[str, int]]
"""Returns what the file of that path says, and its mode. Raises OSError, or ValueError for what is no text."""


@dataclass(frozen=True, slots=True)
class SecretFiles:
    """What the files say, by the keys of the settings, and what looks wrong about them."""

    values: Mapping[str, str]
    mistakes: Sequence[str]
    """Each is one line with its remedy; none shows a path, for a token may stand in its place."""
    warnings: Sequence[str]


def read_secret_files(values: Mapping[str, str], keys: Mapping[str, str], look: Look) -> SecretFiles:
    """Return the settings whose files `values` names; `keys` holds their keys by their names. Blanks around a value are no part of it."""
    found: dict[str, str] = {}
    mistakes: list[str] = []
    warnings: list[str] = []
    for name, key in keys.items():
        path = values.get(f"{name}{SUFFIX}", "")
        if not path:
            continue
        try:
            if name in values:
                raise ValueError(f"{name} is set, too. Take one of the two away.")
            text, mode = look(path)
            found[key] = _checked(text, mode)
        except UnicodeError:
            mistakes.append(f"{name}{SUFFIX}: the file is no UTF-8 text. It has to hold the value and nothing else, on one line.")
        except OSError as problem:
            mistakes.append(f"{name}{SUFFIX}: the file cannot be read ({problem.strerror or type(problem).__name__}). Give its path.")
        except ValueError as problem:
            mistakes.append(f"{name}{SUFFIX}: {problem}")
        else:
            if mode & (stat.S_IRGRP | stat.S_IROTH):
                warnings.append(f"Others on this machine can read the file of {name}{SUFFIX}; take that right away with: chmod 600")
    return SecretFiles(found, mistakes, warnings)


def _checked(text: str, mode: int) -> str:
    if mode & stat.S_IWOTH:
        raise ValueError("everybody on this machine can write to the file, so it is not trusted. Take that right away with: chmod 600")
    value = text.strip()
    if not value or len(value.splitlines()) > 1:
        raise ValueError("the file has to hold the value and nothing else, on one line.")
    return value
