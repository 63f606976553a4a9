"""The answers that any process is writing, and stopping them."""

import asyncio
from dataclasses import replace
from uuid import uuid4

from bot.domain.chat import ConversationKey, parse_key
from bot.ports.turns import RunningTurns, Stopping
from bot.queueing.procrastinate.asking import Lane
from bot.queueing.procrastinate.engine import Engine
from bot.queueing.procrastinate.signals import Signal


class WritingAnywhere:
    """Fulfils `bot.ports.turns.RunningTurns` for the turns of all processes. It asks them, and answers them for this one."""

    def __init__(self, engine: Engine, lane: Lane, here: RunningTurns) -> None:
        self._engine = engine
        self._lane = lane
        self._here = here
        self._asked: dict[str, asyncio.Queue[Stopping]] = {}
        engine.signals.hear(self._hear)

    async def stop(self, conversation: ConversationKey, *, person_id: str = "") -> Stopping:
        """End what is being written there, wherever; return after a moment at the latest."""
        here = await self._here.stop(conversation, person_id=person_id)
        there = await self._places(conversation)
        if here is not Stopping.NOTHING or not there:
            return here
        question = uuid4().hex
        answers = self._asked[question] = asyncio.Queue()
        try:
            await self._engine.signals.send({"stop": str(conversation), "person": person_id, "question": question})
            async with asyncio.timeout(self._engine.pacing.answer):
                return await answers.get()
        except TimeoutError:
            return Stopping.NOTHING
        finally:
            del self._asked[question]

    async def is_writing(self, conversation: ConversationKey) -> bool:
        """Say whether somebody sees to an answer there just now."""
        return await self._here.is_writing(conversation) or bool(await self._places(conversation))

    async def _places(self, conversation: ConversationKey) -> list[ConversationKey]:
        """Return where turns are taken of a conversation and the discussions of the same place."""
        place = replace(conversation, discussion="")
        running = [parse_key(key) for key in await self._engine.running(self._lane, str(place))]
        return [each for each in running if replace(each, discussion="") == place]

    async def _hear(self, signal: Signal) -> None:
        match dict(signal):
            case {"stop": place, "person": person_id, "question": question} if question not in self._asked:
                outcome = await self._here.stop(parse_key(place), person_id=person_id)
                if outcome is not Stopping.NOTHING:
                    await self._engine.signals.send({"stopped": outcome.value, "question": question})
            case {"stopped": outcome, "question": question} if question in self._asked:
                self._asked[question].put_nowait(Stopping(outcome))
