"""Token counts from a real encoding."""

from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Protocol

_PACKAGE = "bpe_openai"
_COMPILED = f"{_PACKAGE}._bindings"


MOST_KNOWN = 20_000
"""Texts whose counts are kept."""


class BpeTokens:
    """A TokenCounter with OpenAI's cl100k encoding, which is loaded at the first count: 0.02 s and 33 MB.

    A conversation's history is counted anew for each prompt, so counts are kept: by a digest, never with the text.
    """

    def __init__(self, *, most: int = MOST_KNOWN) -> None:
        self._most = most
        self._known: dict[tuple[int, int], int] = {}

    def count(self, text: str) -> int:
        """Return how many tokens the text takes; control tokens in it count as plain text."""
        key = (hash(text), len(text))
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= self._most:
                self._known.clear()
            known = self._known[key] = _count(text)
        return known


def _count(text: str) -> int:
    return _load_encoding("cl100k_base").count(text.encode(errors="replace").decode())  # half a character would be refused


class _Encoding(Protocol):
    def count(self, text: str) -> int: ...


@cache
def _load_encoding(name: str) -> _Encoding:
    """Return an encoding of the package's compiled part.

    The package around it unpacks three vocabularies when it is imported, which takes half a second and 70 MB, and counts with none.
    """
    package = find_spec(_PACKAGE)
    compiled = package and PathFinder.find_spec(_COMPILED, package.submodule_search_locations)
    if compiled is None or compiled.loader is None:
        raise ImportError(f"{_COMPILED} is missing. Install the versions of requirements.lock.", name=_COMPILED)
    module = module_from_spec(compiled)
    compiled.loader.exec_module(module)
    encoding: _Encoding = module.tokenizer_for_encoding(name)
    return encoding
