"""Which places everybody in their server can read, asked of the platforms that run in this process."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.domain.chat import ConversationKey
from bot.ports.platform import Platform, PublicPlaces


@dataclass(frozen=True, slots=True)
class LivePlaces:
    """Fulfils `PublicPlaces` for all platforms. A place of one that is not here, or that cannot tell, is not public."""

    platforms: Callable[[], Iterable[Platform]]

    async def is_public(self, conversation: ConversationKey) -> bool:
        """Ask the conversation's platform. A discussion is nobody's public place."""
        if conversation.discussion:
            return False
        here: object = next((platform for platform in self.platforms() if platform.name == conversation.platform), None)
        return isinstance(here, PublicPlaces) and await here.is_public(conversation)
