"""What was found out about texts, so that a text that comes again is not looked at again."""

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import Generic, TypeVar

_Found = TypeVar("_Found")
_DIGEST_BYTES = 16


class ByText(Generic[_Found]):
    """Looks at a text the first time it comes, and returns the same afterwards; of the texts it keeps nothing but digests."""

    def __init__(self, look: Callable[[str], _Found], *, most: int) -> None:
        """Take what looks at a text, always with the same result, and how many results are kept: those that were asked for last."""
        self._look = look
        self._most = most
        self._found: OrderedDict[bytes, _Found] = OrderedDict()

    def __call__(self, text: str) -> _Found:
        """Return what the look at a text gives."""
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        found = self._found[key] = self._look(text)
        if len(self._found) > self._most:
            self._found.popitem(last=False)
        return found
