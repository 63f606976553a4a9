"""The answers that this process is writing, and stopping them."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from bot.domain.chat import ConversationKey
from bot.domain.model import Usage
from bot.ports.platform import Draft
from bot.ports.turns import Stopping
from bot.tools.registry import Toolbox

Done = TypeVar("Done")


class MoreWasSaid(Exception):
    """An answer was left off before anybody saw it: more was said that belongs to it."""


@dataclass(slots=True)
class Spent:
    """What a turn has cost so far, as endpoints count it."""

    usage: list[Usage] = field(default_factory=list)
    is_open: bool = False
    """A prompt is being answered whose cost nobody has counted yet."""

    def add(self, usage: Usage) -> None:
        """Note what an endpoint has counted."""
        self.usage.append(usage)
        self.is_open = False


class Writing:
    """An answer that is being written, as far as somebody may see it, until it is decided what it says."""

    def __init__(self, people: Collection[str] = ()) -> None:
        """Take the ids of those who get the answer."""
        self.people = frozenset(people)
        self.draft: Draft | None = None
        self.seen: Callable[[], None] | None = None
        """Called once, with the first words that somebody may see."""
        self.shown = ""
        """The visible text so far."""
        self.cost: Usage | None = None
        """What its last prompt has cost, as we count it: who stops the answer also stops the endpoint's own count."""
        self.spent = Spent()
        self.is_stopped = False
        self.toolbox: Toolbox | None = None
        self.begins_anew = False
        """More was said, which is to be answered together with the rest."""
        self._scope: asyncio.Timeout | None = None

    def stop(self) -> None:
        """End the writing. Call it from any other task."""
        self.is_stopped = True
        if self._scope is not None:
            self._scope.reschedule(asyncio.get_running_loop().time())

    @property
    def may_begin_anew(self) -> bool:
        """Say whether nobody has seen anything of it yet, and nothing was done that must not be done twice."""
        is_shown = self.draft is not None and bool(self.draft.message_id)
        has_acted = self.toolbox is not None and self.toolbox.has_acted
        return self._scope is not None and not (self.is_stopped or is_shown or has_acted)

    def begin_anew(self) -> None:
        """End the writing, so that all that waits is answered together. Call it from any other task, where it may begin anew."""
        self.begins_anew = True
        if self._scope is not None:
            self._scope.reschedule(asyncio.get_running_loop().time())

    def costs(self, *, reply_tokens: int = 0) -> tuple[Usage, ...]:
        """Return all that it has cost when it is left off here: what was counted, and the prompt whose answer that breaks off."""
        broken_off = (replace(self.cost, reply_tokens=reply_tokens),) if self.cost is not None and self.spent.is_open else ()
        return (*self.spent.usage, *broken_off)

    async def unless_stopped(self, work: Coroutine[None, None, Done]) -> Done | None:
        """Return what comes of some work, which is cancelled when the writing is stopped or begins anew; None then."""
        scope = asyncio.timeout(0 if self.is_stopped else None)
        try:
            async with scope:
                self._scope = scope
                return await work
        except TimeoutError:
            if not scope.expired():
                raise
            return None
        finally:
            self._scope = None

    async def show(self, text: str) -> None:
        """Show the visible text so far in the draft, and keep it."""
        self.shown = text
        if self.seen is not None and text.strip():
            self.seen()
            self.seen = None
        if self.draft is not None:
            await self.draft.show(text)


class WritingHere:
    """Fulfils `bot.ports.turns.RunningTurns` for the turns of this process. A queue over several needs another one."""

    def __init__(self) -> None:
        self._running: dict[ConversationKey, Writing] = {}

    @contextmanager
    def begin(self, conversation: ConversationKey, people: Collection[str]) -> Iterator[Writing]:
        """Give an answer that can be stopped as long as the context is open; a conversation has one at a time."""
        writing = self._running[conversation] = Writing(people)
        try:
            yield writing
        finally:
            del self._running[conversation]

    async def stop(self, conversation: ConversationKey, *, person_id: str = "") -> Stopping:
        """End what is being written there, and return what came of it."""
        there = self._there(conversation)
        theirs = [writing for writing in there if not person_id or person_id in writing.people]
        for writing in theirs:
            writing.stop()
        return Stopping.STOPPED if theirs else Stopping.NOT_YOURS if there else Stopping.NOTHING

    async def is_writing(self, conversation: ConversationKey) -> bool:
        """Say whether an answer is being written there."""
        return bool(self._there(conversation))

    def _there(self, conversation: ConversationKey) -> list[Writing]:
        """Return the answers that are being written in a conversation and the discussions of the same place."""
        place = replace(conversation, discussion="")
        running = {here: writing for here, writing in self._running.items() if replace(here, discussion="") == place}
        return [running[conversation]] if conversation.discussion and conversation in running else list(running.values())
