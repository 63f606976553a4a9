from dataclasses import replace

from bot.app.public import LivePlaces
from bot.domain.chat import ConversationKey
from bot.testing.factories import GROUP
from bot.testing.platform import RecordingPlatform


class OpenPlatform(RecordingPlatform):
    """A platform on which everything is public."""

    async def is_public(self, conversation: ConversationKey) -> bool:
        return True


async def test_a_places_own_platform_says_whether_it_is_public() -> None:
    places = LivePlaces(lambda: [RecordingPlatform("telegram"), OpenPlatform("discord")])

    assert await places.is_public(GROUP)
    assert not await places.is_public(replace(GROUP, platform="telegram"))
    assert not await places.is_public(replace(GROUP, platform="matrix"))


async def test_a_discussion_is_never_public() -> None:
    assert not await LivePlaces(lambda: [OpenPlatform("discord")]).is_public(replace(GROUP, discussion="trip"))
