"""What a model may answer in a dream: JSON of one shape, read strictly."""

from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.memory.asking import unfenced

_MOST = 50


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_Numbers = Annotated[list[int], Field(max_length=_MOST)]


class Verdicts(_Strict):
    """Which of the faint memories are kept and which are not."""

    keep: _Numbers
    drop: _Numbers


class Same(_Strict):
    """Memories that say the same, and one text for them."""

    numbers: _Numbers
    text: str


class Ended(_Strict):
    """A memory that a newer one contradicts."""

    number: int
    by: int


class Dated(_Strict):
    """A memory whose `tomorrow` has become a date."""

    number: int
    text: str


class Tidied(_Strict):
    """All that is proposed about a set of memories."""

    same: Annotated[list[Same], Field(max_length=_MOST)]
    ended: Annotated[list[Ended], Field(max_length=_MOST)]
    dated: Annotated[list[Dated], Field(max_length=_MOST)]


AnyAnswer = TypeVar("AnyAnswer", Verdicts, Tidied)


def read_answer(kind: type[AnyAnswer], text: str) -> AnyAnswer | None:
    """Return the answer that a text is; None when it is anything but one object of that shape, perhaps in a code block."""
    try:
        return kind.model_validate_json(unfenced(text))
    except ValidationError:
        return None
