"""Asking a model within the limits of a dream. Whatever is no whole answer is none."""

import asyncio
from collections.abc import Sequence

import structlog

from bot.domain.model import ChatMessage, ChatRequest
from bot.errors import ModelError
from bot.memory.asking import whole_answer
from bot.memory.dreams.limits import DreamLimits
from bot.ports.model import ChatModel
from bot.ports.tokens import TokenCounter

MESSAGE_TOKENS = 8
"""What each message costs beside its text."""
_FAILURES = 2
"""After so many failed calls in a row the model is left alone."""

log = structlog.get_logger(__name__)


class Asking:
    """The questions of one dream to one model."""

    def __init__(self, model: ChatModel, tokens: TokenCounter, limits: DreamLimits, *, model_name: str = "") -> None:
        """Begin; the time runs from now on. `model_name` is what the persona asks of the endpoint."""
        self._model = model
        self._tokens = tokens
        self._limits = limits
        self._model_name = model_name
        self._deadline = asyncio.get_running_loop().time() + limits.seconds
        self._failures = 0
        self.calls = 0
        self.tokens = 0

    @property
    def is_over_budget(self) -> bool:
        """Say whether more was spent than allowed, which only an endpoint can bring about that counts more than we do."""
        return self.tokens > self._limits.tokens or self.calls > self._limits.calls

    async def answer(self, messages: Sequence[ChatMessage], *, spare_calls: int = 0) -> str | None:
        """Return the whole answer, empty when it is unfit; None when it is broken off or late, or a limit leaves no room to ask.

        `spare_calls` are kept for later questions.
        """
        request = ChatRequest(tuple(messages), model=self._model_name, max_reply_tokens=self._limits.reply_tokens)
        cost = sum(MESSAGE_TOKENS + self._tokens.count(message.text) for message in messages)
        if not self._has_room(cost, spare_calls):
            return None
        self.calls += 1
        self.tokens += cost
        try:
            async with asyncio.timeout_at(self._deadline):
                text = await self._whole_answer(request, cost)
        except (ModelError, TimeoutError) as problem:
            self._failures += 1
            log.warning("dream_not_answered", model=self._model.name, problem=type(problem).__name__)
            return None
        self._failures = 0
        return text

    def _has_room(self, cost: int, spare_calls: int) -> bool:
        room = self.tokens + cost + self._limits.reply_tokens <= self._limits.tokens
        late = asyncio.get_running_loop().time() >= self._deadline
        return room and not late and self.calls + spare_calls < self._limits.calls and self._failures < _FAILURES

    async def _whole_answer(self, request: ChatRequest, cost: int) -> str:
        answer = await whole_answer(self._model, request)
        told = answer.usage[-1].prompt_tokens + answer.usage[-1].reply_tokens if answer.usage else 0
        self.tokens += max(told - cost, self._tokens.count(answer.raw))
        return answer.text
