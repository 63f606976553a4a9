"""What a persona remembers somewhere, for commands that draw it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.cli.database import opened_store
from bot.config.settings import Settings
from bot.domain.chat import MemoryScope
from bot.domain.memory import JournalEntry, Memory
from bot.domain.persona import MemoryPolicy, Persona
from bot.domain.text import storable
from bot.errors import ConfigError
from bot.memory.policy import policy_for
from bot.storage.persona_files import load_personas
from bot.web.memory import UnknownPersona, UnknownPlace, all_memories, remembered_there

_ENTRIES = 20_000
"""Lines of the journal that are read at most, the newest."""


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose memories are meant, as the options say; what is empty is left to be found out."""

    persona_id: str = ""
    place: str = ""
    person_id: str = ""


@dataclass(frozen=True, slots=True)
class Remembered:
    """All that a persona remembers of one audience, with the policy that holds there."""

    persona: Persona
    scope: MemoryScope
    policy: MemoryPolicy
    memories: Sequence[Memory]
    journal: Sequence[JournalEntry]
    """The oldest entry first."""


def remembered(settings: Settings, whose: Whose) -> Remembered:
    """Return what is remembered there. Raises ConfigError when there is no such persona or place."""
    return asyncio.run(_remembered(settings, whose))


async def _remembered(settings: Settings, whose: Whose) -> Remembered:
    personas = load_personas(settings.personas, settings.default_persona)
    async with opened_store(settings) as store, store.read() as tx:
        try:
            persona, scope = await remembered_there(
                tx, personas, persona_id=whose.persona_id, place=whose.place, person_id=storable(whose.person_id)
            )
        except (UnknownPersona, UnknownPlace) as problem:
            raise ConfigError(str(problem)) from problem
        policy = await policy_for(tx, persona, scope.audience)
        entries = await tx.memories.journal(scope, limit=_ENTRIES)
        return Remembered(persona, scope, policy, await all_memories(tx, scope), tuple(reversed(entries)))
