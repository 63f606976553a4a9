"""Carrying "look at this conversation" to whoever takes turns."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from bot.domain.chat import ConversationKey, MemoryScope
from bot.ports.store import Transaction

TakeTurns = Callable[[ConversationKey], Awaitable[None]]
LookAtScope = Callable[[MemoryScope], Awaitable[None]]
DreamOfRun = Callable[[str, MemoryScope], Awaitable[None]]


class TurnQueue(Protocol):
    """Rings for conversations that have something to do. It holds no truth: the store does.

    At most one `take_turns` runs for a conversation at a time, different conversations run in parallel up to a limit. A ring
    during a run leads to one more run after it. A `take_turns` that raises is logged and does not stop the others. One that raises
    DeliveryDelayed runs again when its time has come, not before, and takes up no room meanwhile.
    """

    async def ring(self, conversation: ConversationKey) -> None:
        """Ask for a look at the conversation; returns at once."""
        ...

    async def ask(self, tx: Transaction, conversation: ConversationKey) -> None:
        """Ring with the commit of a transaction, which is a write; nothing comes of it when that is rolled back.

        The look begins after the commit, so that it finds what was stored.
        """
        ...

    def rings(self, conversation: ConversationKey) -> AbstractContextManager[asyncio.Event]:
        """Give an event that every ring for the conversation sets, as long as the context is open, also while its turns are taken.

        It is a hint: an engine that learns of rings late, or not at all, sets it late or never.
        """
        ...

    async def run(self, take_turns: TakeTurns) -> None:
        """Serve rings until cancelled."""
        ...

    async def idle(self) -> None:
        """Return when nothing is running and nothing is asked for."""
        ...


@runtime_checkable
class Bounded(Protocol):
    """What a queue may have beside: a bound. Rings beyond it are dropped, for the store knows what waits."""

    async def room_again(self) -> None:
        """Return when rings were dropped and there is room again: then ring anew for what waits in the store."""
        ...


class AskedQueue(TurnQueue, Protocol):
    """A TurnQueue that tells what was asked of it, for work that people watch."""

    async def is_asked(self, conversation: ConversationKey) -> bool:
        """Say whether a look is asked for or under way, in any process."""
        ...


class ScopeQueue(Protocol):
    """Rings for scopes whose night has come, as a TurnQueue does for conversations."""

    async def ring(self, scope: MemoryScope) -> None:
        """Ask for a look at the scope; returns at once. While a look is asked for and not begun, this changes nothing."""
        ...

    async def run(self, look: LookAtScope) -> None:
        """Serve rings until cancelled."""
        ...


class DreamQueue(Protocol):
    """Rings for dreams that somebody waits for, each under the run that it is to have."""

    async def ring(self, run: str, scope: MemoryScope) -> None:
        """Ask for the dream; returns at once."""
        ...

    async def is_asked(self, run: str, scope: MemoryScope) -> bool:
        """Say whether it is asked for or under way, in any process."""
        ...

    async def run(self, dream: DreamOfRun) -> None:
        """Serve rings until cancelled. A dream that is cut off is begun again, perhaps by another process."""
        ...


class Carrier(Protocol):
    """What the queues of several processes have in common. Open it before any of them is used."""

    async def open(self) -> None:
        """Connect."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...

    async def run(self) -> None:
        """Hear what other processes say, until cancelled."""
        ...

    async def rescue(self) -> None:
        """Give what dead processes were at to others, until cancelled."""
        ...
