"""Asking a model for a whole answer: no stream is shown, and whatever is broken off or cut is no answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.model import ChatRequest, Finished, FinishReason, TextDelta, Usage
from bot.ports.model import ChatModel

_REASONING = re.compile(
    r"\A.*(?:</(?:seed:)?(?:think|thinking|reasoning|thought)>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|<\|END_THINKING\|>|<channel\|>"
    r"|<\|channel\|>\s*final[^\n]{0,80}?<\|message\|>)|\Aanalysis(?=[A-Z]).*assistantfinal",
    re.DOTALL | re.IGNORECASE,
)
_NOTHING_BUT_REASONING = re.compile(
    r"\A\s*(?:<(?:seed:)?(?:think|thinking|reasoning|thought)>|\[THINK\]|◁think▷|<\|begin_of_thought\|>|<\|START_THINKING\|>"
    r"|<\|channel>thought|<\|channel\|>\s*analysis)",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"\A\s*(?:<\|begin_of_solution\|>|<\|START_RESPONSE\|>)|(?:<\|return\|>|<\|end\|>|<\|end_of_solution\|>|<\|END_RESPONSE\|>)\s*\Z"
)
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
    return Answer(without_reasoning(raw) if reason is FinishReason.STOP else "", raw, usage)


def without_reasoning(text: str) -> str:
    """Return a whole answer without what its model thought first; empty when it did nothing else."""
    said = _REASONING.sub("", text)
    return "" if _NOTHING_BUT_REASONING.match(said) else _FRAME.sub("", said).strip()


def unfenced(text: str) -> str:
    """Return what a code block holds that is all of a text; any other text as it is."""
    fenced = _FENCED.match(text.strip())
    return fenced[1] if fenced else text.strip()
