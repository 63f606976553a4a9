"""Looking after personas."""

import asyncio

from rich.text import Text

from bot.cli.database import opened_store
from bot.cli.output import show, table
from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.errors import ConfigError, PersonaError
from bot.storage.persona_files import check_personas, delete_persona_file, duplicate_persona_file, load_personas


def show_personas() -> None:
    """Print all personas, the default one marked."""
    settings = load_settings()
    personas = load_personas(settings.personas, settings.default_persona)
    shown = table("id", "name", "language", "in a line")
    for persona in personas.by_id.values():
        mark = " (default)" if persona.id == personas.default_id else ""
        shown.add_row(*map(Text, (persona.id + mark, persona.name, persona.language, persona.summary)))
    show(shown)


def check_files() -> bool:
    """Print every mistake in the persona files; True when there is none."""
    settings = load_settings()
    mistakes = check_personas(settings.personas)
    for mistake in mistakes:
        print(mistake)
    if not mistakes:
        found = load_personas(settings.personas, settings.default_persona)
        print(f"{len(found.by_id)} personas in {settings.personas}, no mistakes.")
    return not mistakes


def duplicate_persona(source: str, copy: str, *, db: str | None) -> None:
    """Copy a persona's file and its memories, both or neither."""
    settings = load_settings(db=db)
    copied = asyncio.run(_duplicate(settings, source, copy))
    print(f"{copy} is now a copy of {source}, with {_memories(copied)}. Change {settings.personas / f'{copy}.md'} as you like.")


def delete_persona(persona_id: str, *, db: str | None) -> None:
    """Delete a persona's file and its memories, both or neither. Memories whose file is gone already can be cleared away, too."""
    settings = load_settings(db=db)
    if persona_id == settings.default_persona:
        raise ConfigError(f"{persona_id!r} speaks where no other was chosen; first set BAKU_DEFAULT_PERSONA to another.")
    forgotten = asyncio.run(_delete(settings, persona_id))
    print(f"{persona_id} is deleted, with {_memories(forgotten)}.")


async def _duplicate(settings: Settings, source: str, copy: str) -> int:
    async with opened_store(settings) as store, store.write() as tx:
        try:
            copied = await tx.memories.copy_persona(source, copy)
        except ValueError as problem:
            remedy = f"Clear them away with `baku persona delete {copy}`, or choose another id."
            raise ConfigError(f"There are memories of an earlier persona {copy!r}. {remedy}") from problem
        duplicate_persona_file(settings.personas, source, copy)
        return copied


async def _delete(settings: Settings, persona_id: str) -> int:
    async with opened_store(settings) as store, store.write() as tx:
        forgotten = await tx.memories.remove_persona(persona_id)
        try:
            delete_persona_file(settings.personas, persona_id)
        except PersonaError:
            if not forgotten:
                raise
        return forgotten


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count} memories"
