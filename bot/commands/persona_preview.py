"""`/persona preview`: a persona is tried before it goes live. Nothing of it is kept, and only the asker sees it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog

from bot.commands import persona_preview_texts as texts
from bot.commands.persona_cast import WHICH_PERSONA, Cast, Refused, refusing
from bot.domain.chat import MemoryScope, audience_of
from bot.domain.command import Answer, Command, CommandCall, Option, WhoMay
from bot.domain.memory import Recall
from bot.domain.message import IncomingMessage, MessageState, Role, StoredMessage
from bot.domain.persona import Persona
from bot.domain.text import one_line
from bot.domain.turn import Turn
from bot.errors import ModelError, TokensSpent
from bot.memory.asking import whole_answer
from bot.memory.gate.claims import safely_named
from bot.memory.spending import Spending
from bot.ports.model import ChatModel
from bot.ports.turns import Admission
from bot.prompt.builder import Material, PromptBuilder
from bot.prompt.character import shown_greeting

LONGEST_SAID = 1000
_SAID = "preview"
"""The id of the line that is said: one without an id was written by nobody."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a persona is tried with: the models that personas speak with, and what a prompt is made by."""

    model_of: Callable[[Persona], ChatModel]
    builder: PromptBuilder
    spending: Spending
    admission: Admission


def preview_commands(cast: Cast, rehearsal: Rehearsal) -> tuple[Command, ...]:
    """Return the command by which admins try a persona."""
    options = (
        Option("persona", "The persona's name", suggest=cast.suggest, question=WHICH_PERSONA),
        Option("line", "Something to say to it; its greeting alone when left out", required=False),
    )
    run = refusing(_Preview(cast, rehearsal).preview)
    return (
        Command(
            ("persona", "preview"), "Try a persona without anybody seeing it", run, options, who=WhoMay.ADMINS, private=True, slow=True
        ),
    )


@dataclass(frozen=True, slots=True)
class _Preview:
    """Answers one line as a persona would that remembers nothing and has said nothing yet."""

    cast: Cast
    rehearsal: Rehearsal

    async def preview(self, call: CommandCall) -> Answer:
        """Show how a persona greets, and what it says to a line, which counts as any other answer."""
        line = one_line(str(call.options.get("line", "")), LONGEST_SAID)
        async with self.cast.store.read() as tx:
            persona = await self.cast.named(tx, call)
            if line and (no := await self.rehearsal.admission.admit(tx, self._asking(call, line))):
                raise Refused(no)
        reply = await self._reply(call, persona, line) if line else ""
        return Answer(texts.previewed(persona, shown_greeting(persona, call.asker), line, reply))

    async def _reply(self, call: CommandCall, persona: Persona, line: str) -> str:
        turn = self._turn(call, persona, line)
        try:
            await self.rehearsal.spending.check(call.conversation, persona.id, turn.scope.audience)
        except TokensSpent:
            raise Refused(texts.no_tokens()) from None
        request = self.rehearsal.builder.build(Material(turn, Recall(), ())).request
        try:
            answer = await whole_answer(self.rehearsal.model_of(persona), request)
        except ModelError as problem:
            log.warning("preview_failed", persona=persona.id, problem=type(problem).__name__)
            return texts.no_answer()
        async with self.cast.store.write() as tx:
            for usage in answer.usage:
                await tx.usage.add(call.conversation, persona.id, usage, self.cast.clock.now())
        return answer.text or texts.no_answer()

    def _asking(self, call: CommandCall, line: str) -> IncomingMessage:
        """Return what stands for the command where answers are asked for by messages."""
        asker, now = safely_named(call.asker), self.cast.clock.now()
        return IncomingMessage(call.conversation, call.kind, "", asker, line, now, addressed_to_bot=True)

    def _turn(self, call: CommandCall, persona: Persona, line: str) -> Turn:
        """Return a turn that nothing is recalled for, in a conversation in which nothing was said."""
        now, place = self.cast.clock.now(), replace(call.conversation, discussion="preview")
        said = StoredMessage(0, place, call.kind, _SAID, Role.USER, call.asker, line, now, MessageState.WAITING, addressed_to_bot=True)
        forgetful = replace(persona, memory=replace(persona.memory, enabled=False, past=False))
        scope = MemoryScope(persona.id, audience_of(place, call.kind, call.asker.id))
        return Turn(forgetful, scope, (said,), now, is_passing=True)
