"""Looking at memories."""

import asyncio

from rich.text import Text

from bot.cli.database import opened_store
from bot.cli.output import show, table
from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.domain.text import storable
from bot.errors import ConfigError
from bot.platforms.console.convert import visible
from bot.storage.persona_files import load_personas
from bot.web.memory import PersonaMemory, UnknownPersona, UnknownPlace, persona_memory


def show_memories(*, persona_id: str, place: str, person_id: str, db: str | None) -> None:
    """Print what a persona remembers of a conversation or of a person's direct chats."""
    settings = load_settings(db=db)
    found = asyncio.run(_memory(settings, persona_id, place, storable(person_id)))
    if not found.count:
        print(f"{found.persona} remembers nothing there.")
        return
    shown = table("", "memory", "changed")
    for entry in found.memory_entries:
        shown.add_row(str(entry.id), Text(visible(entry.content)), entry.updated_at)
    show(shown)


async def _memory(settings: Settings, persona_id: str, place: str, person_id: str) -> PersonaMemory:
    personas = load_personas(settings.personas, settings.default_persona)
    async with opened_store(settings) as store:
        try:
            return await persona_memory(store, personas, persona_id=persona_id, place=place, person_id=person_id)
        except (UnknownPersona, UnknownPlace) as problem:
            raise ConfigError(str(problem)) from problem
