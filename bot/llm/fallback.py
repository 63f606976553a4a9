"""Several models as one: the next answers when one does not."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from bot.domain.model import ChatRequest, ModelEvent
from bot.errors import ModelError, ModelRefused, ModelUnavailable
from bot.ports.clock import Clock
from bot.ports.model import ChatModel

log = structlog.get_logger(__name__)

FAILURES_IN_A_ROW = 3
REST = timedelta(minutes=1)


@dataclass(slots=True)
class _Member:
    """A model, and how it has done lately."""

    model: ChatModel
    failures: int = 0
    rests_until: datetime | None = None


class FallbackModel:
    """A ChatModel over a list of them, the preferred one first.

    A model that fails before its first event is followed by the next one; what fails later is raised, for only the turn knows whether
    people have seen it. A model that failed three times in a row rests for a minute, unless all do. Only the first model is asked by
    the name in a request; the others answer as their own.
    """

    def __init__(self, models: Sequence[ChatModel], clock: Clock) -> None:
        if not models:
            raise ValueError("A FallbackModel needs at least one model.")
        self._members = [_Member(model) for model in models]
        self._clock = clock

    @property
    def name(self) -> str:
        """Return the name of the preferred model."""
        return self._members[0].model.name

    @property
    def takes_tools(self) -> bool:
        """Say whether the model that is asked next takes tools."""
        return self._awake()[0].model.takes_tools

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return the answer of the first model that gives one."""
        errors: list[ModelError] = []
        for member in self._awake():
            wished = request if member is self._members[0] else replace(request, model="")
            events = member.model.stream(wished)
            begun = False
            try:
                async for event in events:
                    begun = True
                    yield event
            except (ModelUnavailable, ModelRefused) as error:
                self._note_failure(member, error)
                if begun:
                    raise
                errors.append(error)
            else:
                member.failures, member.rests_until = 0, None
                return
            finally:
                if isinstance(events, AsyncGenerator):
                    await events.aclose()
        raise _summed_up(errors)

    async def close(self) -> None:
        """Free the connections of all models."""
        for member in self._members:
            await member.model.close()

    def _awake(self) -> list[_Member]:
        now = self._clock.now()
        # Who should rest for longer than anybody does was sent to rest before the machine's clock was set back.
        awake = [member for member in self._members if member.rests_until is None or not now < member.rests_until <= now + REST]
        return awake or self._members

    def _note_failure(self, member: _Member, error: ModelError) -> None:
        member.failures += 1
        if member.failures >= FAILURES_IN_A_ROW:
            member.rests_until = self._clock.now() + REST
        log.warning(
            "model_failed",
            model=member.model.name,
            kind=type(error).__name__,
            problem=str(error),
            failures=member.failures,
            rests=member.rests_until is not None,
        )


def _summed_up(errors: Sequence[ModelError]) -> ModelError:
    """Return one error for all; as long as one model may work at another try, so may the whole."""
    if len(errors) == 1:
        return errors[0]
    kind = ModelUnavailable if any(isinstance(error, ModelUnavailable) for error in errors) else ModelRefused
    return kind(" ".join(str(error) for error in errors))
