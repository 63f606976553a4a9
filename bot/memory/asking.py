"""Asking a model for a whole answer: no stream is shown, and whatever is broken off or cut is no answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.model import ChatRequest, Finished, FinishReason, TextDelta, Usage
from bot.ports.model import ChatModel

_REASONING = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"\A```(?:json)?\s*\n(.*)\n\s*```\Z", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said and what that cost."""

    text: str
    """Without reasoning; empty when the model said nothing or was cut off."""
    raw: str
    usage: Sequence[Usage] = ()
    """What the endpoint counted; empty where it does not count."""


async def whole_answer(model: ChatModel, request: ChatRequest) -> Answer:
    """Return the whole answer. Raises ModelError when the model breaks off or refuses."""
    pieces: list[str] = []
    usage: list[Usage] = []
    reason = None
    async for event in model.stream(request):
        match event:
            case TextDelta(text):
                pieces.append(text)
            case Usage():
                usage.append(event)
            case Finished():
                reason = event.reason
            case _:
                pass
    raw = "".join(pieces)
    return Answer(_REASONING.sub("", raw).strip() if reason is FinishReason.STOP else "", raw, usage)


def unfenced(text: str) -> str:
    """Return what a code block holds that is all of a text; any other text as it is."""
    fenced = _FENCED.match(text.strip())
    return fenced[1] if fenced else text.strip()
