"""Erasing by the operator."""

import asyncio

from bot.app.world import SystemClock
from bot.cli.database import opened_store, place_of
from bot.cli.logs import configure_logging
from bot.cli.output import show, table
from bot.config.core import LogLevel
from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.domain.chat import parse_key
from bot.domain.erasing import ErasureTarget, OneConversation, OnePerson, OneSpace
from bot.errors import ConfigError
from bot.memory.erasing.engine import Eraser, ErasureReport

ONE_OF = "Say what to erase by one of --person PLATFORM:ID, --conversation KEY and --space PLATFORM:ID."
NOT_WIPED = "Bytes of it are still in the database's file, as others use it all the time. `baku run` tidies it within the hour."
OUT_OF_REACH = (
    "Out of reach: what stands on the chat platform itself, logs of the model's provider, and backups that you have made. What others said "
    "of a person in their own words stays."
)


def meant(*, person: str, conversation: str, space: str) -> ErasureTarget:
    """Return what is to be erased. Raises ConfigError when that is not exactly one thing, or none that can be."""
    if len([given for given in (person, conversation, space) if given]) != 1:
        raise ConfigError(ONE_OF)
    if conversation:
        try:
            return OneConversation(parse_key(conversation))
        except ValueError as problem:
            raise ConfigError(str(problem)) from problem
    platform, _, given_id = (person or space).partition(":")
    if not platform or not given_id:
        raise ConfigError(f"{person or space!r} has no id; write it as platform:id, such as discord:123456789.")
    return OnePerson(platform, given_id) if person else OneSpace(platform, given_id)


def erase(target: ErasureTarget, *, db: str | None) -> None:
    """Erase, and print how much went of what."""
    settings = load_settings(db=db)
    configure_logging(settings.log_level or LogLevel.ERROR, settings.secrets())
    report = asyncio.run(_erased(settings, target))
    if not report.counts:
        print(f"Nothing of it was in the database {place_of(settings)}.")
    else:
        shown = table("erased", "")
        for kind, count in report.counts.items():
            shown.add_row(kind.value, f"{count:,}")
        show(shown)
    if not report.is_wiped:
        print(NOT_WIPED)
    print(OUT_OF_REACH)


async def _erased(settings: Settings, target: ErasureTarget) -> ErasureReport:
    async with opened_store(settings) as store:
        eraser = Eraser(store, SystemClock())
        await eraser.resume()
        return await eraser.erase(target)
