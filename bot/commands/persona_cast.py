"""The personas where somebody asks: found, suggested and kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.commands import persona_texts as texts
from bot.domain.chat import MemoryScope, audience_of
from bot.domain.command import Answer, Choice, CommandCall, RunCommand
from bot.domain.message import ReplyTarget
from bot.domain.nearest import nearest
from bot.domain.persona import Persona, Personas
from bot.domain.persona_id import free_id
from bot.errors import CardRefused, PersonaError
from bot.memory.company import Company, company_in
from bot.memory.gate.claims import safely_named
from bot.memory.speaker import personas_there, speaker
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.store import Store, Transaction
from bot.prompt.character import shown_greeting

MOST_OWN = 50
"""Personas that a space may make its own."""
WHICH_PERSONA = "Which persona?"
_CUT = 20
"""Letters from which on the beginning of an id stands for it: a button may have cut it."""


SPOKEN_BEFORE = 100
"""Last messages among which a persona must have said nothing, so that it greets."""
Reach = Callable[[str], Sequence[Platform]]
"""Returns the platform of that name, where it is served: one or none."""


class Refused(Exception):
    """What was asked for cannot be done; the text says why and what to do."""


def refusing(run: RunCommand) -> RunCommand:
    """Return a command that says in private why it cannot do what was asked."""

    async def told(call: CommandCall) -> Answer:
        try:
            return await run(call)
        except Refused as problem:
            return Answer(str(problem), private=True)
        except PersonaError as problem:
            return Answer(texts.not_possible(problem.problem), private=True)
        except CardRefused as problem:
            return Answer(texts.file_refused(str(problem)), private=True)

    return told


@dataclass(frozen=True, slots=True)
class Cast:
    """The personas of this installation, and those of the space where somebody asks."""

    store: Store
    personas: Personas
    clock: Clock

    async def speaking(self, tx: Transaction, call: CommandCall) -> Persona:
        """Return who speaks here now."""
        return await speaker(tx, self.personas, call.conversation, at=self.clock.now())

    async def company(self, tx: Transaction, call: CommandCall) -> Company:
        """Return all who answer here."""
        return await company_in(tx, self.personas, call.conversation, at=self.clock.now())

    async def greet(self, tx: Transaction, call: CommandCall, persona: Persona) -> bool:
        """Have a persona say its greeting, so that it knows it has; False where it has spoken of late."""
        said = await tx.messages.history(call.conversation, limit=SPOKEN_BEFORE)
        if any(message.persona_id == persona.id for message in said):
            return False
        target, text = ReplyTarget(call.conversation, call.kind), shown_greeting(persona)
        row = await tx.messages.record_reply(target, persona.id, persona.name, text, at=self.clock.now())
        await tx.outbox.put(target, text, row.id)
        return True

    async def there(self, tx: Transaction, call: CommandCall) -> Sequence[Persona]:
        """Return all personas that there are here."""
        return await personas_there(tx, self.personas, call.conversation)

    async def own(self, tx: Transaction, call: CommandCall, persona_id: str) -> Persona | None:
        """Return the space's own persona of an id."""
        return await tx.personas.get(call.conversation.platform, call.conversation.space_id, persona_id)

    async def named(self, tx: Transaction, call: CommandCall, option: str = "persona") -> Persona:
        """Return the persona of the id or name that was typed. Raises Refused for one that is not there, or a name that two bear."""
        return await named_there(tx, self.personas, call, option)

    async def keep(self, tx: Transaction, call: CommandCall, persona: Persona, reason: str) -> None:
        """Keep a persona as the space's own, live from now on. Raises Refused where there are too many."""
        place = call.conversation
        own = {known.id for known in await tx.personas.all(place.platform, place.space_id)}
        if persona.id not in own and len(own) >= MOST_OWN:
            raise Refused(texts.too_many(MOST_OWN))
        audience = audience_of(place, call.kind, call.asker.id)
        await tx.personas.put(place, audience, persona, by=safely_named(call.asker), at=self.clock.now(), reason=reason)
        await tx.memories.set_fold(MemoryScope(persona.id, audience), None)

    async def new_id(self, tx: Transaction, call: CommandCall, wanted: str) -> str:
        """Return an id that no persona here has or had, so that a new one finds no memories."""
        taken = {persona.id for persona in await self.there(tx, call)}
        free, place = free_id(wanted, taken), call.conversation
        while await tx.personas.versions(place.platform, place.space_id, free, limit=1):
            taken.add(free)
            free = free_id(wanted, taken)
        return free

    async def suggest(self, call: CommandCall, typed: str) -> Sequence[Choice]:
        """Return the personas whose id or name holds what is typed."""
        part = typed.strip().casefold()
        async with self.store.read() as tx:
            known = await self.there(tx, call)
        matching = (persona for persona in known if part in persona.id or part in persona.name.casefold())
        return [Choice(f"{each.name} – {each.summary}" if each.summary else each.name, each.id) for each in matching]


async def named_there(tx: Transaction, personas: Personas, call: CommandCall, option: str = "persona") -> Persona:
    """Return the persona of the id or name that was typed. Raises Refused for one that is not there, or a name that two bear."""
    typed = str(call.options[option])
    wanted, known = typed.strip().strip("`").casefold(), await personas_there(tx, personas, call.conversation)
    by_id = [persona for persona in known if persona.id == wanted]
    begins = [persona for persona in known if len(wanted) >= _CUT and persona.id.startswith(wanted)]
    match by_id or [persona for persona in known if persona.name.casefold() == wanted] or begins:
        case [only]:
            return only
        case []:
            raise Refused(texts.unknown_persona(typed, nearest(typed, [name for each in known for name in (each.name, each.id)])))
        case several:
            raise Refused(texts.ambiguous_persona(typed, [persona.id for persona in several]))
