"""What people are told below an answer when something was not remembered."""

from collections.abc import Collection
from dataclasses import replace

from bot.conversation.generate import Generation
from bot.conversation.notices import notices
from bot.domain.turn import Turn
from bot.memory.gate.verdict import Concern

_WAITING = frozenset({Concern.ORDER, Concern.OPAQUE, Concern.OUTSIDE})


def remarked(generation: Generation, concerns: Collection[Concern], turn: Turn) -> Generation:
    """Return the answer with a line about what was not remembered, where its speaker should know; in place of a silence it is all."""
    lines = notices(turn.persona.language)
    remark = ""
    if Concern.SECRET in concerns:
        remark = lines.never_kept
    elif not turn.is_group and not _WAITING.isdisjoint(concerns):
        remark = lines.waits
    elif Concern.WORDS_STAY in concerns:
        remark = lines.words_stay
    if remark and not generation.text:
        return replace(generation, text=remark, is_notice=True)
    return replace(generation, remark=remark)
