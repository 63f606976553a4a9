"""Long codes, in which anything can hide."""

import re

_ADDRESS = re.compile(r"\b\w{1,12}://\S+")
_CODE = re.compile(r"(?<![\w+/=])(?:[A-Za-z0-9+/_-]{40,}={0,2}|(?:[0-9a-fA-F]{2}[ :]?){24,})(?![\w+/])")


def holds_code(text: str) -> bool:
    """Say whether a text holds a long run of letters and figures that is no word and no address."""
    return any(_is_code(match[0]) for match in _CODE.finditer(_ADDRESS.sub(" ", text)))


def _is_code(run: str) -> bool:
    return any(char.isdigit() for char in run) or (any(char.isupper() for char in run[1:]) and any(char.islower() for char in run))
