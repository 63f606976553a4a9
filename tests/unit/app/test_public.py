from dataclasses import replace

from bot.app.public import LivePlaces, LiveRights
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


class StrictPlatform(RecordingPlatform):
    """A platform on which something is missing."""

    async def missing_rights(self, conversation: ConversationKey) -> list[str]:
        return ["Send Messages"]


async def test_a_places_own_platform_says_what_is_missing_there() -> None:
    rights = LiveRights(lambda: [RecordingPlatform("telegram"), StrictPlatform("discord")])

    assert await rights.missing_rights(GROUP) == ["Send Messages"]
    assert await rights.missing_rights(replace(GROUP, platform="telegram")) == ()
    assert await rights.missing_rights(replace(GROUP, platform="matrix")) == ()
