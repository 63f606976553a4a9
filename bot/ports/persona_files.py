"""Personas as files that people send and take along."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.domain.command import AnswerFile, UploadedFile
from bot.domain.lore import Lorebook
from bot.domain.persona import Avatar, Persona


class FileKind(StrEnum):
    """What a persona can be written as."""

    PACK = "pack"
    """All of it, for another Baku."""
    PNG = "png"
    """A character card in a picture."""
    JSON = "json"
    CHARX = "charx"


@dataclass(frozen=True, slots=True)
class LeftFile:
    """A file of a card that does not come in."""

    path: str
    size: int
    """In bytes."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A persona that came in a file. Nothing of it is kept yet; its id is a proposal."""

    persona: Persona
    avatar: Avatar | None = None
    left_behind: tuple[LeftFile, ...] = ()
    """Files that the card carries and that a persona has no place for."""


class PersonaFiles(Protocol):
    """Reads and writes them. Nothing touches a disk, a network or the database, and nothing holds others up."""

    async def read(self, file: UploadedFile) -> Arrival:
        """Return the persona of a card or pack. Raises CardRefused, with what to do, for what is none, broken, too big or hostile."""
        ...

    async def read_lore(self, file: UploadedFile) -> Lorebook | None:
        """Return the lorebook of a file that holds nothing else; None for any other file. Raises CardRefused for a broken one."""
        ...

    async def read_avatar(self, file: UploadedFile) -> Avatar:
        """Return a picture. Raises CardRefused for a file that is none, or too big."""
        ...

    async def write(self, persona: Persona, avatar: Avatar | None, kind: FileKind) -> AnswerFile:
        """Return a persona as a file. Raises CardRefused for what that kind cannot hold."""
        ...

    async def check(self, persona: Persona) -> None:
        """Raise PersonaError where a persona is none that a file could describe: without a voice, too long, or with a wrong value."""
        ...
