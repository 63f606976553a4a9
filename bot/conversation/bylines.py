"""Whose answer it is, where several personas share a place: shown by the platform, or by a name in front of the answer."""

import re
from dataclasses import dataclass

from bot.domain.message import Byline, ReplyTarget
from bot.domain.persona import Avatar
from bot.domain.text import one_line
from bot.ports.platform import Bylines, Draft, Platform
from bot.ports.store import Store

LONGEST_NAME = 80
_MARKUP = re.compile(r"[\\`*_~|\[\]<>#]")


@dataclass(frozen=True, slots=True)
class PictureOf:
    """Gives a persona's picture to a platform that shows one."""

    store: Store
    target: ReplyTarget

    async def __call__(self) -> Avatar | None:
        """Return the picture that the target's space gave the persona that speaks."""
        place, byline = self.target.conversation, self.target.byline
        if byline is None:
            return None
        async with self.store.read() as tx:
            return await tx.personas.avatar(place.platform, place.space_id, byline.persona_id)


async def name_before(store: Store, platform: Platform, target: ReplyTarget) -> str:
    """Return what has to stand before an answer; nothing where one persona speaks alone, or the platform shows who it is."""
    if target.byline is None or (isinstance(platform, Bylines) and await platform.shows_byline(target, PictureOf(store, target))):
        return ""
    return bold_name(target.byline)


def bold_name(byline: Byline) -> str:
    """Return a persona's name as a line of its own."""
    return f"**{_MARKUP.sub(_escaped, one_line(byline.name, LONGEST_NAME))}**\n"


@dataclass(frozen=True, slots=True)
class NamedDraft:
    """A Draft with a name in front of what it shows."""

    draft: Draft
    name: str

    @property
    def message_id(self) -> str:
        """Return the message that shows it."""
        return self.draft.message_id

    async def show(self, text: str) -> None:
        """Show the visible text so far, once there is some."""
        await self.draft.show(f"{self.name}{text}" if text.strip() else text)


def _escaped(mark: re.Match[str]) -> str:
    return f"\\{mark[0]}"
