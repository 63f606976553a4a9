"""What the platforms that run in this process know of places: which everybody can read, and what the bot may not do there."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bot.domain.chat import ConversationKey
from bot.ports.platform import Platform, PublicPlaces, SelfCheck


@dataclass(frozen=True, slots=True)
class LivePlaces:
    """Fulfils `PublicPlaces` for all platforms. A place of one that is not here, or that cannot tell, is not public."""

    platforms: Callable[[], Iterable[Platform]]

    async def is_public(self, conversation: ConversationKey) -> bool:
        """Say whether everybody in the space can read there, as its platform knows. A discussion is nobody's public place."""
        if conversation.discussion:
            return False
        here = _platform_of(conversation, self.platforms())
        return isinstance(here, PublicPlaces) and await here.is_public(conversation)


@dataclass(frozen=True, slots=True)
class LiveRights:
    """Fulfils `SelfCheck` for all platforms. One that is not here, or needs no rights, lacks none."""

    platforms: Callable[[], Iterable[Platform]]

    async def missing_rights(self, conversation: ConversationKey) -> Sequence[str]:
        """Return what the bot lacks there, as its platform knows; nothing for any other platform."""
        here = _platform_of(conversation, self.platforms())
        return await here.missing_rights(conversation) if isinstance(here, SelfCheck) else ()


def _platform_of(conversation: ConversationKey, platforms: Iterable[Platform]) -> object:
    return next((platform for platform in platforms if platform.name == conversation.platform), None)
