"""Where bots under test keep what they are told, if a test does not say."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class FreshDatabases:
    """Gives addresses of databases with nothing in them: files that are gone when they are closed, unless a test run says otherwise."""

    def __init__(self) -> None:
        self._make: Callable[[], str] | None = None
        self._of_folders: dict[Path, str] = {}

    def fresh(self) -> str:
        """Return the address of one more."""
        return self._make() if self._make else "sqlite://"

    def of(self, folder: Path) -> str:
        """Return the address of the one that belongs to a folder, for bots one after the other and in other processes."""
        if self._make is None:
            return f"sqlite:///{folder / 'baku.db'}"
        if folder not in self._of_folders:
            self._of_folders[folder] = self._make()
        return self._of_folders[folder]

    @contextmanager
    def made_by(self, make: Callable[[], str]) -> Iterator[None]:
        """Let them be made by `make` as long as the context is open."""
        before, self._make = self._make, make
        try:
            yield
        finally:
            self._make = before
            self._of_folders.clear()


DATABASES = FreshDatabases()
