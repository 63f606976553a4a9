"""Several models as one: the next answers when one does not."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from bot.domain.model import ChatRequest, ModelEvent
from bot.errors import AnswerFiltered, ContextOverflow, ModelError, ModelRefused, ModelTrouble, ModelUnavailable
from bot.ports.clock import Clock
from bot.ports.model import ChatModel, ModelStanding

log = structlog.get_logger(__name__)

FAILURES_IN_A_ROW = 3
REST = timedelta(minutes=1)
LONG_REST = timedelta(minutes=10)
"""For what only the operator can mend."""
_FOR_LONG = frozenset({ModelTrouble.KEY, ModelTrouble.RIGHTS, ModelTrouble.CREDIT, ModelTrouble.MISSING})
_OF_THE_WISH = frozenset({ModelTrouble.REQUEST, ModelTrouble.RIGHTS, ModelTrouble.MISSING})
"""What may be the matter with a name that a persona asks for, and with nothing else."""


@dataclass(slots=True)
class _Member:
    """A model, and how it has done lately."""

    model: ChatModel
    failures: int = 0
    rests_until: datetime | None = None
    rest: timedelta = REST
    on_trial: bool = False
    """Somebody is finding out whether it is back; until that is known, others leave it alone."""

    def is_awake(self, now: datetime) -> bool:
        """Say whether it may be asked."""
        # Who should rest for longer than it was told to was sent to rest before the machine's clock was set back.
        rests = self.rests_until is not None and now < self.rests_until <= now + self.rest
        return not rests and not self.on_trial


class FallbackModel:
    """A ChatModel over a list of them, the preferred one first.

    A model that fails before its first event is followed by the next one; what fails later is raised, for only the turn knows whether
    people have seen it. A model that failed three times in a row rests for a minute, and one that refuses its key, its name or for
    want of credit at once for ten; then one turn tries it again. When all rest, all are asked. Only the first model is asked by the
    name in a request; the others answer as their own.
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

    @property
    def takes_images(self) -> bool:
        """Say whether the model that is asked next sees images."""
        return self._awake()[0].model.takes_images

    def standings(self) -> Sequence[ModelStanding]:
        """Return how the models do."""
        now = self._clock.now()
        return [
            ModelStanding(
                member.model.name,
                member.model.takes_tools,
                member.model.takes_images,
                member.failures,
                None if member.is_awake(now) else member.rests_until,
            )
            for member in self._members
        ]

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return the answer of the first model that gives one."""
        errors: list[ModelError] = []
        for member in self._awake():
            wished = request if member is self._members[0] else replace(request, model="")
            events = member.model.stream(wished)
            begun, member.on_trial = False, member.rests_until is not None
            try:
                async for event in events:
                    begun = True
                    yield event
            except (ModelUnavailable, ModelRefused, ContextOverflow, AnswerFiltered) as error:
                if not _is_of_the_wish(wished, member, error):
                    self._note_failure(member, error)
                if begun:
                    raise
                errors.append(error)
            else:
                member.failures, member.rests_until = 0, None
                return
            finally:
                member.on_trial = False
                if isinstance(events, AsyncGenerator):
                    await events.aclose()
        raise _summed_up(errors)

    async def close(self) -> None:
        """Free the connections of all models."""
        for member in self._members:
            await member.model.close()

    def _awake(self) -> list[_Member]:
        now = self._clock.now()
        return [member for member in self._members if member.is_awake(now)] or self._members

    def _note_failure(self, member: _Member, error: ModelError) -> None:
        if not isinstance(error, ContextOverflow | AnswerFiltered):
            member.failures += 1
            member.rest = _rest_after(error)
        if member.failures >= FAILURES_IN_A_ROW or (member.failures and member.rest != REST):
            member.rests_until = self._clock.now() + member.rest
        log.warning(
            "model_failed",
            model=member.model.name,
            kind=type(error).__name__,
            problem=str(error),
            failures=member.failures,
            rests=member.rests_until is not None,
        )


def _is_of_the_wish(wished: ChatRequest, member: _Member, error: ModelError) -> bool:
    """Say whether only the name that a persona asks for is refused: that says nothing of the model that all others speak with."""
    return wished.model not in {"", member.model.name} and error.trouble in _OF_THE_WISH


def _rest_after(error: ModelError) -> timedelta:
    """Return how long a model rests after this; what is not the usual time is for at once."""
    if error.trouble in _FOR_LONG:
        return LONG_REST
    asked = error.retry_after if isinstance(error, ModelUnavailable) else 0.0
    return min(timedelta(seconds=asked), LONG_REST) if asked else REST


def _summed_up(errors: Sequence[ModelError]) -> ModelError:
    """Return one error for all: a prompt may be shortened, and as long as one model may work at another try, so may the whole."""
    if len(errors) == 1:
        return errors[0]
    told = " ".join(str(error) for error in errors)
    for error in errors:
        if isinstance(error, ContextOverflow):
            return ContextOverflow(told, limit=error.limit, asked=error.asked)
    for error in errors:
        if isinstance(error, ModelUnavailable):
            return ModelUnavailable(told, error.trouble, retry_after=error.retry_after)
    if all(isinstance(error, AnswerFiltered) for error in errors):
        return AnswerFiltered(told)
    return ModelRefused(told, errors[0].trouble)
