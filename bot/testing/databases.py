"""Where bots under test keep what they are told, if a test does not say."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class FreshDatabases:
    """Gives addresses of databases with nothing in them: files that are gone when they are closed, unless a test run says otherwise."""

    def __init__(self) -> None:
        self._make: Callable[[], str] = lambda: "sqlite://"

    def fresh(self) -> str:
        """Return the address of one more."""
        return self._make()

    @contextmanager
    def made_by(self, make: Callable[[], str]) -> Iterator[None]:
        """Let them be made by `make` as long as the context is open."""
        before, self._make = self._make, make
        try:
            yield
        finally:
            self._make = before


DATABASES = FreshDatabases()
