"""Work that takes long, and what is erased meanwhile."""

from collections.abc import AsyncIterator, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from bot.errors import Overtaken
from bot.ports.store import Store, Transaction


@dataclass(frozen=True, slots=True)
class GuardedStore:
    """A Store for one piece of work. Its writes raise Overtaken once something was erased where the work reads."""

    store: Store
    places: tuple[str, ...]
    stamps: tuple[int, ...]

    async def open(self) -> None:
        """Do nothing: it is open."""

    async def close(self) -> None:
        """Do nothing: others use it, too."""

    async def wipe(self) -> int | None:
        """Let nothing be left of what was deleted."""
        return await self.store.wipe()

    async def tidy(self, *, up_to: int = 0) -> None:
        """Make room for messages to come."""
        await self.store.tidy(up_to=up_to)

    def read(self) -> AbstractAsyncContextManager[Transaction]:
        """Give a consistent view."""
        return self.store.read()

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        """Give a transaction in which nothing is erased in these places, and before which nothing was."""
        async with self.store.write() as tx:
            if tuple(await tx.erasures.hold(self.places)) != self.stamps:
                raise Overtaken("Something was erased here meanwhile, so nothing was stored. Try again.")
            yield tx


async def guarded(store: Store, places: Collection[object]) -> GuardedStore:
    """Return a store for work on conversations and audiences; call it before anything is read for that work."""
    async with store.read() as tx:
        return await guarded_in(tx, store, places)


async def guarded_in(tx: Transaction, store: Store, places: Collection[object]) -> GuardedStore:
    """Return a store for work that begins in a transaction; call it before anything is read there for that work."""
    texts = tuple(sorted({str(place) for place in places}))
    stamps = await tx.erasures.hold(texts)
    return GuardedStore(unguarded(store), texts, tuple(stamps))


def unguarded(store: Store) -> Store:
    """Return the store behind a guarded one, for what holds nobody's words and has to be kept whatever was erased."""
    return store.store if isinstance(store, GuardedStore) else store
