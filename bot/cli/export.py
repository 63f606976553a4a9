"""Writing all that is held on somebody or some place into one file."""

import asyncio
import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.cli.conversations import meant_conversation
from bot.cli.database import opened_store
from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.domain.text import storable
from bot.errors import ConfigError
from bot.memory.export.export import Export, Exporter
from bot.memory.export.written import Written
from bot.storage.persona_files import load_personas

CHOOSE_ONE = "Say whose data is meant, with exactly one of --person platform:id, --conversation KEY and --space platform:id."
WAY_TO_WRITE = "{typed!r} names nobody; write it as platform:id, such as discord:80351110224678912."


@dataclass(frozen=True, slots=True)
class Meant:
    """Whose data is meant; exactly one of them is set."""

    person: str = ""
    conversation: str = ""
    space: str = ""


def export_to_file(meant: Meant, out: Path, *, db: str | None) -> None:
    """Write the file, for its owner's eyes alone, and say what is in it. Raises ConfigError when that cannot be."""
    if sum(map(bool, (meant.person, meant.conversation, meant.space))) != 1:
        raise ConfigError(CHOOSE_ONE)
    if out.exists():
        raise ConfigError(f"{out} is there already. Choose another name: nothing is ever overwritten.")
    export = asyncio.run(_export(load_settings(db=db), meant))
    messages = sum(len(talk.messages) for talk in export.talks)
    memories = sum(len(known.memories) for known in export.knowledge)
    if not messages and not memories:
        print("Nothing is held on that. No file was made.")
        return
    _write(out, Written(export).archive())
    print(f"{messages} messages and {memories} memories are in {out}.")
    if export.opted_out:
        print("This person opted out: hand it to nobody else.", file=sys.stderr)


async def _export(settings: Settings, meant: Meant) -> Export:
    personas = load_personas(settings.personas, settings.default_persona)
    async with opened_store(settings) as store:
        conversation = await meant_conversation(store, meant.conversation) if meant.conversation else None
        async with store.read() as tx:
            exporter = Exporter(tx, personas, datetime.now(UTC))
            if conversation is not None:
                return await exporter.conversation(conversation)
            if meant.person:
                return await exporter.person(*_place(meant.person))
            return await exporter.space(*_place(meant.space))


def _place(typed: str) -> tuple[str, str]:
    platform, _, name = storable(typed).partition(":")
    if not platform or not name:
        raise ConfigError(WAY_TO_WRITE.format(typed=typed))
    return platform, name


def _write(out: Path, content: bytes) -> None:
    try:
        handle = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as problem:
        raise ConfigError(f"{out} cannot be written: {problem.strerror}. Choose another place with --out.") from problem
    with os.fdopen(handle, "wb") as opened:
        opened.write(content)
