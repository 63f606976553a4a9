"""Webhooks: who may write into a channel under any name, and what Discord asks of names."""

import secrets
from dataclasses import dataclass, field

from tests.emulators.discord.objects import Channel, ChannelKind, Payload
from tests.emulators.discord.refusals import Refusal, invalid_form

MOST_A_CHANNEL = 15
LONGEST_NAME = 80
FORBIDDEN = ("discord", "clyde")
NOT_AS_SENDER = ("everyone", "here")
WITH_WEBHOOKS = frozenset(
    {ChannelKind.TEXT, ChannelKind.ANNOUNCEMENT, ChannelKind.VOICE, ChannelKind.STAGE, ChannelKind.FORUM, ChannelKind.MEDIA}
)


@dataclass(slots=True, eq=False)
class Webhook:
    """A webhook of one channel. Discord shows its token to the bot that made it alone."""

    id: int
    channel: Channel
    name: str
    avatar: str | None = None
    of_bot: bool = True
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def payload(self, application_id: int, user: Payload) -> Payload:
        """Return it as a bot that may manage webhooks sees it."""
        shown: Payload = {
            "id": str(self.id),
            "type": 1,
            "guild_id": str(self.channel.guild.id if self.channel.guild else 0),
            "channel_id": str(self.channel.id),
            "name": self.name,
            "avatar": self.avatar,
            "application_id": str(application_id) if self.of_bot else None,
        }
        return shown | ({"token": self.token, "user": user} if self.of_bot else {})


def checked_name(path: str, name: object, *, is_sender: bool = False) -> str:
    """Return a name as Discord keeps it, or raise the refusal that it earns."""
    text = str(name or "").strip()
    if not 1 <= len(text) <= LONGEST_NAME:
        raise invalid_form(path, "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {LONGEST_NAME} in length.")
    for word in FORBIDDEN:
        if word in text.casefold():
            raise invalid_form(path, "USERNAME_INVALID_CONTAINS", f'Username cannot contain "{word}"')
    if is_sender and text.casefold() in NOT_AS_SENDER:
        raise invalid_form(path, "USERNAME_INVALID_CONTAINS", f'Username cannot be "{text}"')
    return text


def checked_avatar(data: object) -> str | None:
    """Return the hash that Discord shows for a picture, or raise the refusal that it earns."""
    if data is None:
        return None
    head, _, body = str(data).partition(";base64,")
    if not head.startswith("data:image/") or not body:
        raise invalid_form("avatar", "IMAGE_INVALID", "Invalid image data")
    return f"{hash(body) & 0xFFFFFFFF:032x}"


def too_many_webhooks() -> Refusal:
    """Return the answer to one webhook more than a channel takes."""
    return Refusal(400, 30007, f"Maximum number of webhooks reached ({MOST_A_CHANNEL})")


def no_webhooks_there() -> Refusal:
    """Return the answer to a webhook in a thread, a category or a private chat."""
    return Refusal(400, 50024, "Cannot execute action on this channel type")


def no_thread_in_forum() -> Refusal:
    """Return the answer to a webhook that writes into a forum itself."""
    return Refusal(400, 220001, "Webhooks posted to forum channels must have a thread_name or thread_id")
