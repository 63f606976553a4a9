"""`/new`: the history begins afresh; what is remembered and summarised stays."""

from dataclasses import dataclass

from bot.commands.escape import shown
from bot.commands.ownership import place_of
from bot.domain.command import Answer, Command, CommandCall, WhoMay
from bot.domain.persona import Persona, Personas
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.wording.say import say


def fresh_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the command that begins a new history."""
    fresh = _Fresh(store, personas, clock)
    return (Command(("new",), "Begin afresh here: I read nothing of before, and keep what I remember", fresh.begin, who=WhoMay.ADMINS),)


@dataclass(frozen=True, slots=True)
class _Fresh:
    """A fresh start of the conversation where the asker is."""

    store: Store
    personas: Personas
    clock: Clock

    async def begin(self, call: CommandCall) -> Answer:
        """Let the history of prompts begin after the last message."""
        async with self.store.write() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            last = await tx.messages.history(call.conversation, limit=1)
            state = await tx.pasts.state(call.conversation)
            if not last or last[-1].id <= state.history_floor:
                return Answer(_fresh_already(place.persona), private=True)
            await tx.pasts.note(call.conversation, history_floor=last[-1].id)
        return Answer(_begun(place.persona))


def _begun(persona: Persona) -> str:
    """Confirm a fresh start."""
    line = say("A fresh start: nothing that was said here before stands in front of me any longer.")
    match persona.memory.enabled, persona.memory.past:
        case True, True:
            stays = say("Who I am, what I remember and the summaries stay as before.")
        case True, False:
            stays = say("Who I am and what I remember stay as before.")
        case False, True:
            stays = say("Who I am and the summaries stay as before.")
        case _:
            stays = say("Who I am stays as before.")
    back = [say("What was said before comes back when a message asks for it.")] if persona.memory.past else []
    return " ".join([line, stays, *back])


def _fresh_already(persona: Persona) -> str:
    """Answer when there is nothing to leave behind."""
    return say("{name} has nothing of this conversation in front of them yet. Just write.", name=shown(persona.name))
