"""Asking a persona's model for an answer, whatever window it has and whether it takes tools or not."""

from dataclasses import dataclass, replace

import structlog

from bot.conversation.generate import Generation, Generator
from bot.conversation.models import Models
from bot.conversation.notices import notices
from bot.conversation.running import Writing
from bot.conversation.urge import is_silence
from bot.domain.model import Usage
from bot.domain.past import PastRecall
from bot.domain.persona import MemoryMode, Timestamps
from bot.domain.speaking import SpeakMode
from bot.domain.turn import Turn
from bot.errors import ContextOverflow, ModelError, ModelRefused, ToolsUnsupported
from bot.prompt.builder import Material, PromptBuilder
from bot.tools.registry import Toolbox

MOST_SHORTENED = 2
"""Times that a prompt is shortened because it is too long for its model."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Answering:
    """Gets answers."""

    models: Models
    builder: PromptBuilder

    async def answer(self, material: Material, toolbox: Toolbox, writing: Writing) -> Generation:
        """Return the answer, or a short notice when the model gives none. Empty means the persona chose silence."""
        lines = notices(material.turn.persona.language)
        try:
            generation = await self._ask(material, toolbox, writing)
            if not generation.text and not material.turn.is_group and not material.turn.speaks_up:
                generation = await self._ask(material, toolbox, writing)
        except ModelError as problem:
            event = "model_refused" if isinstance(problem, ModelRefused) else "model_unavailable"
            log.error(event, problem=str(problem), trouble=problem.trouble, conversation_kind=material.turn.kind)
            if material.turn.speaks_up or (material.turn.is_unasked and material.turn.speaking.mode is SpeakMode.CHOICE):
                return Generation("", ())  # whom nobody asked needs no excuse
            return Generation(lines.about(problem), (), is_notice=True)
        if material.turn.speaks_up:
            return replace(generation, text="") if is_silence(generation.text) else generation
        if not generation.text and not material.turn.is_group:
            return replace(generation, text=lines.nothing, is_notice=True)
        return generation

    async def _ask(self, material: Material, toolbox: Toolbox, writing: Writing, *, shortened: int = 0) -> Generation:
        """Return what the persona's model says; one that takes no tools edits memory by tags, one with a small window sees less history."""
        persona = material.turn.persona
        model = self.models.of(persona)
        by_tags = persona.memory.mode is MemoryMode.TAGS or (persona.memory.mode is MemoryMode.AUTOMATIC and not model.takes_tools)
        prompt = self.builder.build(replace(material, edits_by_tags=by_tags))
        log.info("prompt_built", persona=persona.id, memories_left_out=material.recall.left_out, tokens=prompt.counted)
        writing.cost = Usage(persona.model.name or model.name, prompt.counted, 0)
        stamped = persona.memory.timestamps is not Timestamps.NONE
        reads_tags = _reads_tags(material.turn)
        generator = Generator(model, toolbox, reads_tags=reads_tags, drops_stamps=stamped, show=writing.show, spent=writing.spent)
        try:
            generation = await generator.generate(prompt.request)
            self.builder.learn(material.turn, prompt, generation.usage)
            return replace(generation, history_start=prompt.history_start)
        except ToolsUnsupported:
            if by_tags or persona.memory.mode is MemoryMode.TOOLS:
                raise
            return await self._ask(material, toolbox, writing, shortened=shortened)
        except ContextOverflow as problem:
            if shortened == MOST_SHORTENED:
                raise
            self.builder.narrow(material.turn, prompt, limit=problem.limit, asked=problem.asked)
            log.warning("prompt_shortened", persona=persona.id, tokens=prompt.counted, limit=problem.limit, asked=problem.asked)
            return await self._ask(_shorter(material, shortened), toolbox, writing, shortened=shortened + 1)


def _shorter(material: Material, shortened: int) -> Material:
    """Return half the history; the second time, nothing that comes back of the past either."""
    history = material.history[(len(material.history) + 1) // 2 :]
    return replace(material, history=history, past=PastRecall() if shortened else material.past)


def _reads_tags(turn: Turn) -> bool:
    """Say whether tags are taken for what they are; where nothing may be kept they are taken out all the same."""
    policy = turn.persona.memory
    return turn.is_passing or (policy.enabled and policy.mode is not MemoryMode.TOOLS)
